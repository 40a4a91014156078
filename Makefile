# make figures [SCALE=smoke|laptop|paper] [BUDGET=8h] [OUT=dir]   regenerate the figures; stops within 45 min, goes on
# make test                                                      all tests, on all cores
# make thorough                                                  the same on fetched data, many more examples, and Ray
# make docs                                                      the docs, into out/docs, warnings as errors
# make lint | bench | ci | clean
#
# Each target builds .venv on its first call, with the versions of constraints.txt, and starts at once afterwards. Another
# interpreter: make test PYTHON=python3.13.

PYTHON ?= python3
SCALE ?= laptop
BUDGET ?=
OUT ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# A stamp named after what it depends on: either file edited, or another interpreter asked for, rebuilds the environment.
KEY := $(shell (echo '$(PYTHON)'; cat pyproject.toml constraints.txt) | cksum | tr -d ' ')
READY := $(VENV)/ready-$(KEY)
DEV_READY := $(VENV)/dev-ready-$(KEY)
THOROUGH_READY := $(VENV)/thorough-ready-$(KEY)

# One BLAS thread a process: pytest already starts a process for each core.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help install install-dev figures test thorough docs lint bench ci clean

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

install: $(READY)

install-dev: $(DEV_READY)

$(READY):
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	    "Python 3.11 or newer is needed, $(PYTHON) is " + sys.version.split()[0] + ": try make PYTHON=python3.12")'
	@echo "== making $(VENV) with the versions of constraints.txt (once, a minute or two)"
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) install --constraint constraints.txt setuptools
	$(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[test,neural]'
	@touch $@

$(DEV_READY): $(READY)
	@echo "== adding what lint and types need"
	$(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[test,neural,dev]'
	@touch $@

$(THOROUGH_READY): $(READY)
	@echo "== adding what only the thorough tests need"
	$(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[test,neural,ray]'
	@touch $@

figures: $(READY)
	$(BIN)/surrogate figures --scale $(SCALE) $(if $(BUDGET),--budget $(BUDGET)) $(if $(OUT),--out $(OUT))

test: $(READY)
	$(BIN)/python -m pytest -n auto

# Its tests of what the tasks learn need their data, which is fetched once; offline they are skipped, and say so.
thorough: $(THOROUGH_READY)
	@echo "== fetching the data that only the thorough tests need (what is there already stays)"
	$(BIN)/surrogate data fetch all || echo "== not all data could be had: the tests that need the rest are skipped"
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n auto -m ''

docs: $(READY)
	$(BIN)/python docs/build.py

lint: $(DEV_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy surrogate theorems neural figures

# The bench measures all cores at once, BLAS threads included.
bench: $(READY)
	env -u OMP_NUM_THREADS -u OPENBLAS_NUM_THREADS $(BIN)/surrogate bench

ci:
	.ci/run

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
