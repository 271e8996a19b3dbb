# `make` lists the targets. Every target sets up .venv as needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test check bench docs clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(VENV)/run: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "lexiscope needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/dev: pyproject.toml $(VENV)/run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(VENV)/bench: pyproject.toml $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

demo: $(VENV)/run  ## compare real word vectors on real data; writes demo/report.html
	$(BIN)/lexiscope demo --output demo

check: $(VENV)/dev  ## format, lint, types, layers
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check  ## check, then all tests
	$(BIN)/pytest -n $(WORKERS) --dist loadfile

bench: $(VENV)/bench  ## speed against the peers, as ratios in one run
	$(BIN)/python benchmarks/run.py

$(VENV)/docs: pyproject.toml $(VENV)/run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

docs: $(VENV)/docs  ## build the documentation site in docs/_build/html
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean:  ## remove what the other targets made
	rm -rf $(VENV) demo build dist docs/_build docs/gallery/figures docs/gallery/pages .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
