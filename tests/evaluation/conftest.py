from tests.evaluation.toys import toys

__all__ = ["toys"]
