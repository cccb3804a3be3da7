# Two commands do everything on a machine with Python 3.11 or newer:
#   make demo    install into .venv and run every shipped scenario
#   make test    install the development tools too, check the code, run every test
# Both need the network once; after that they work offline until the dependencies change.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
DEPENDENCIES := pyproject.toml constraints.txt
COMPILED := build/compiled
SOURCES := $(shell find sim -name '*.py')
BENCHMARKS := startup builds engine measure explore

# The first Python that really runs, is new enough and can make environments; PYTHON=… overrides.
CANDIDATES := python3.11 python3.12 python3.13 python3 python
SUITABLE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

.DEFAULT_GOAL := help
.PHONY: help demo test install install-dev lint format types pytest coverage docs baselines kill-matrix pairs \
  compiled compiled-check bench clean

help:
	@echo "make demo       install into $(VENV) and run every shipped scenario"
	@echo "make test       install the development tools too, check the code, run every test"
	@echo "make lint       ruff check and ruff format --check"
	@echo "make format     let ruff mend and format the code"
	@echo "make types      mypy --strict"
	@echo "make pytest     the tests alone (ARGS='-k word' chooses)"
	@echo "make coverage   the tests with branch coverage"
	@echo "make baselines  renew reports/baselines (REASON='why', where something changes)"
	@echo "make kill-matrix  search again, and compare with reports/kill-matrix.json"
	@echo "make pairs      search pairs of mistakes again, and compare with reports/mistake-pairs.json"
	@echo "make compiled       compile the engine, as a wheel has it, into $(COMPILED)"
	@echo "make compiled-check the compiled engine gives the same bytes"
	@echo "make bench      the benchmarks, on the compiled engine"
	@echo "make docs       make the generated pages of docs/ anew"
	@echo "make clean      remove $(VENV) and all caches"

demo: install
	@$(BIN)/lostack run scenarios

test: lint types pytest

install: $(VENV)/.installed
install-dev: $(VENV)/.installed-dev

lint: install-dev
	@echo "ruff check" && $(BIN)/ruff check .
	@echo "ruff format --check" && $(BIN)/ruff format --check .

format: install-dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: install-dev
	@echo "mypy --strict" && $(BIN)/mypy --strict

pytest: install-dev
	@echo "pytest" && $(BIN)/python -m pytest -q -n 2 --dist worksteal $(ARGS)

coverage: install-dev
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal --cov --cov-report=term-missing $(ARGS)

docs: install
	@$(BIN)/python docs/make.py

# The committed matrix is what the search finds today, to the byte.
kill-matrix: install
	@$(BIN)/lostack explore --kill-matrix --format json | diff reports/kill-matrix.json - \
	  && echo "reports/kill-matrix.json: every mistake is caught, as before"

# Two mistakes that need each other, to the byte.
pairs: install
	@$(BIN)/lostack explore --pairs --format json | diff reports/mistake-pairs.json - \
	  && echo "reports/mistake-pairs.json: the same pairs, as before"

# The engine as a wheel has it: compiled. Nothing of it is left in the source tree.
compiled: $(COMPILED)/.built

$(COMPILED)/.built: $(VENV)/.installed-dev hatch_build.py pyproject.toml $(SOURCES)
	@echo "compiling the engine into $(COMPILED) (a minute or two)"
	@rm -rf $(COMPILED)
	@$(PIP) install --no-build-isolation --no-deps --target $(COMPILED) .
	@touch $@

# The compiled engine tells the same stories, to the byte, and finds the same.
compiled-check: compiled
	@$(BIN)/python -c "import hatch_build, pathlib; \
	  found = [module for module in hatch_build.modules(pathlib.Path('.')) \
	    if not any(pathlib.Path('$(COMPILED)', module).parent.glob(pathlib.Path(module).stem + '.*.so'))]; \
	  assert not found, found" && echo "every module that is meant to be compiled is"
	@PYTHONPATH=$(COMPILED) $(BIN)/python -P -m sim baseline check scenarios
	@PYTHONPATH=$(COMPILED) $(BIN)/python -P -m sim explore --kill-matrix --format json \
	  | diff reports/kill-matrix.json - && echo "reports/kill-matrix.json: the same, compiled"
	@$(BIN)/python -P -m pytest -q -o "pythonpath=$(COMPILED) ." tests/properties tests/engine/test_draws.py

bench: compiled
	@for program in $(BENCHMARKS); do \
	  echo "== benchmarks/$$program.py"; \
	  PYTHONPATH=$(COMPILED) $(BIN)/python benchmarks/$$program.py || exit 1; \
	done

baselines: install
	@$(BIN)/lostack baseline update scenarios $(if $(REASON),--reason "$(REASON)")

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -prune -exec rm -rf {} +

# An environment that no longer runs (moved, or its Python is gone) is made anew.
$(BIN)/python:
	@python="$(PYTHON)"; \
	for candidate in $(CANDIDATES); do \
	  test -z "$$python" && $$candidate -c "$(SUITABLE)" >/dev/null 2>&1 && python=$$candidate; \
	done; \
	if test -z "$$python"; then \
	  echo "no Python 3.11 or newer that can make environments was found" >&2; \
	  echo "  fix: install one (with its venv module), or name it: make PYTHON=/path/to/python" >&2; \
	  exit 2; \
	fi; \
	echo "making $(VENV) with $$($$python --version)" && $$python -m venv --clear $(VENV)

$(VENV)/.installed: $(DEPENDENCIES) | $(BIN)/python
	@echo "installing lostack into $(VENV)"
	@$(PIP) install -c constraints.txt hatchling editables
	@$(PIP) install -c constraints.txt --no-build-isolation -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "installing the development tools into $(VENV)"
	@$(PIP) install -c constraints.txt --no-build-isolation -e ".[dev]"
	@touch $@
