from tests.bench.toys import toys

__all__ = ["toys"]
