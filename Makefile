# Needs Python 3.11 or later, git and make. To use another Python: make test PYTHON=python3.13
PYTHON ?= python3

# How long `make fuzz` mutates reports before it starts coverage-guided fuzzing.
FUZZ_SECONDS ?= 600

VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Hundreds of tests start Python: let them share compiled files.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check docs build vscode figures speed fuzz lowest audit clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST)

# Exit code 1 means that lint reported findings, which is expected here.
demo: $(VENV)/.installed ## install mdbench into .venv and lint the reports in reports/
	$(BIN)/mdbench lint reports/ || test $$? -eq 1

test: $(VENV)/.installed-dev ## install the development tools, then run all checks and tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto

check: $(VENV)/.installed-dev ## check style, types and layers, and run the fast tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto -m "not slow" --quiet

docs: $(VENV)/.installed-dev ## update README.md and docs/, and build the site in build/docs
	$(BIN)/python -m handbook
	$(BIN)/python -m zensical build --strict --clean

build: $(VENV)/.installed-dev ## build the wheel and the source distribution in dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist

# Needs Node.js 20 or later and a package registry. It has the version of mdbench.
vscode: ## test the extension for Visual Studio Code and package it in dist/
	mkdir -p dist
	cp LICENSE editors/vscode/LICENSE
	cd editors/vscode && npm ci --no-audit --no-fund && npm test && npm run build
	cd editors/vscode && npm run package -- "$$(sed -n 's/^__version__ = "\(.*\)"/\1/p' ../../mdbench/__init__.py)"

figures: $(VENV)/.installed-dev ## measure how many mistakes are detected, and update the pages
	$(PIP) --editable '.[bench]'
	$(BIN)/python -m benchmarks.detection --write docs/detection.md --summary README.md

speed: $(VENV)/.installed-dev ## measure the speed beside other tools, and update the pages
	$(BIN)/python -m benchmarks.speed --peers build/peers --write docs/performance.md --summary README.md

# Atheris isn't available for every Python. Without it, reports are mutated until interrupted.
fuzz: $(VENV)/.installed-dev ## look for new inputs that break an invariant, until interrupted
	$(BIN)/pytest tests/fuzz --hypothesis-profile=explore
	@$(PIP) --editable '.[fuzz]' > /dev/null 2>&1 || true
	if $(BIN)/python -c 'import atheris' 2> /dev/null; then \
	  $(BIN)/python -m tests.fuzz.endless --seconds $(FUZZ_SECONDS) && $(BIN)/python -m tests.fuzz.coverage_guided; \
	else $(BIN)/python -m tests.fuzz.endless; fi

lowest: ## run the tests with the lowest supported versions of all dependencies
	$(PYTHON) -m venv --clear $(LOWEST)
	.ci/lowest_versions > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --constraint $(LOWEST)/constraints.txt --editable '.[dev]'
	$(LOWEST)/bin/pytest -n auto -m 'not slow' --ignore tests/browser

audit: $(VENV)/.installed ## look for known vulnerabilities in the dependencies
	$(PIP) --editable '.[all]' pip-audit
	$(BIN)/pip-audit --local --skip-editable --progress-spinner off

clean: ## remove the virtual environment and all build output
	rm -rf editors/vscode/node_modules editors/vscode/build editors/vscode/dist
	rm -rf $(VENV) $(LOWEST) build dist .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find mdbench tests benchmarks handbook -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "mdbench needs Python 3.11 or later; try: make PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.installed: pyproject.toml | $(VENV)/.made
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/.made
	$(PIP) --editable '.[dev]'
	@touch $(VENV)/.installed $@
