# Every target needs Python 3.11 or newer and nothing else. Each installs what it needs, no more.

PYTHON ?= python3
VENV := .venv
OLDEST := .venv-oldest
BIN := $(VENV)/bin
# what is compiled is stored, also where the environment says otherwise: tests start Python often
unexport PYTHONDONTWRITEBYTECODE
# one more than the cores, for some tests wait; each collects the tests, and starts a site and a browser
PYTEST := $(BIN)/python -m pytest -n $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)") --dist worksteal

.PHONY: race serve test test-slow test-all test-oldest kernels lint lite docs bench clean

race: $(VENV)/.charts
	@mkdir -p reports
	@$(BIN)/pegwise race 4x6 --report reports/race-4x6.html --force

serve: $(VENV)/.web
	@$(BIN)/pegwise serve $(SERVE)

test: kernels
	$(PYTEST)

# what takes more than half a second, and what clicks in a browser
test-slow: kernels
	$(PYTEST) -m slow

test-all: test test-slow test-oldest

# the lowest versions that pyproject.toml names, with tests that take a minute and meet most of them
test-oldest: $(OLDEST)/.dev
	@$(OLDEST)/bin/pegwise compile
	$(OLDEST)/bin/python -m pytest -m "" \
	  $(addprefix tests/,kernels/test_marking.py kernels/test_border.py \
	  kernels/test_numpy_backend.py search/test_position.py search/test_value.py cli/test_main.py \
	  cli/test_candidates.py cli/test_every_command.py cli/test_tree.py compute/test_run.py \
	  compute/test_cluster.py::test_a_race_and_a_tree_are_the_same_as_in_one_process \
	  pictures/test_charts.py test_environment.py web/test_play.py web/test_schema.py web/test_jobs.py)

kernels: $(VENV)/.dev
	@$(BIN)/pegwise compile

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# JupyterLite with the notebooks and pegwise in it: a folder for any web space
lite: $(VENV)/.lite
	@$(BIN)/python -m tools.lite $(LITE)

docs: $(VENV)/.dev
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site: site/index.html"

bench: $(VENV)/.dev
	@mkdir -p reports
	@$(BIN)/python -m benchmarks $(BENCH)

# uv installs pip, too, in a tenth of the time that venv takes for it
UV := install --quiet --disable-pip-version-check uv

# the extras of pyproject.toml; the development tools hold all others
$(VENV)/.%: pyproject.toml constraints.txt $(wildcard src/pegwise/locale/*/*/*.po src/pegwise/web/locale/*/*/*.po)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "pegwise needs Python 3.11 or newer; name one: make PYTHON=python3.12 race"; exit 1; }
	@test -d $(VENV) || $(PYTHON) -m venv --without-pip $(VENV)
	@echo "Installing pegwise and its extra '$*' into $(VENV)"
	@test -x $(BIN)/uv || $(PYTHON) -m pip --python $(BIN)/python $(UV) 2>/dev/null || \
	  { $(BIN)/python -m ensurepip --default-pip >/dev/null && $(BIN)/python -m pip $(UV); }
	@$(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt pip -e '.[$*]'
	@touch $@

$(OLDEST)/.dev: $(VENV)/.dev
	@rm -rf $(OLDEST)
	@$(PYTHON) -m venv --without-pip $(OLDEST)
	@echo "Installing the lowest versions into $(OLDEST)"
	@$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python --resolution lowest-direct -e '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) reports site build dist
