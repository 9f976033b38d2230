# Needs git, make and Python 3.11 or newer with venv; installs everything else into .venv by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEVELOPED := $(VENV)/.developed
CONSTRAINTS := constraints.txt
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS)
LOWEST := .venv-lowest
JOBS ?= 2
# Tests in real terminals mostly wait, so more of them run at the same time than there are cores.
TERMINALS ?= 4
# Seconds for one test, far more than any takes: one that hangs fails and says where.
HUNG = --timeout 600
# A slow test may check a whole table; some wait rather than compute, so one more runs than there are cores.
SLOW = --timeout 3600 -n 3 --dist worksteal

.PHONY: play test test-slow test-terminal kills shared-games docs pictures check format bench levels tables clean test-browser test-packages test-lowest test-hostile

play: $(INSTALLED)
	@$(BIN)/python -P -m onlymove_tui

test: $(DEVELOPED)
	$(BIN)/python -m pytest $(HUNG) -n $(JOBS) --dist worksteal

# The default suite with an empty environment, as another user, in other locales and time zones, with a locked home, and on
# a slow and a busy machine: hours. VARIANTS="busy empty" chooses, TIMES is how often each. Needs localedef; as root git and useradd.
TIMES ?= 3
test-hostile: $(DEVELOPED)
	$(BIN)/python -m tests.hostile --times $(TIMES) $(VARIANTS)

# What says more than `make test` but takes longer: three quarters of an hour on two cores. As root, it also tests several accounts.
test-slow: $(DEVELOPED)
	$(BIN)/python -m pytest -m slow $(SLOW)

test-terminal: $(DEVELOPED)
	$(BIN)/python -m pytest $(HUNG) -m 'terminal and not slow' -n $(TERMINALS) --dist worksteal tests/terminal

# Needs a Chromium on the search path.
test-browser: $(DEVELOPED)
	@$(INSTALL) --group docs
	$(BIN)/python -m pytest -m browser tests/browser

# Needs a registry of packages: fresh environments by pip, pipx and uv.
test-packages: $(DEVELOPED)
	@$(INSTALL) --group packaging --group docs
	$(BIN)/python -m pytest -m packaging tests/packaging

# The default suite with the lowest versions of the dependencies that pyproject.toml allows, in an environment of its own.
test-lowest:
	@$(MAKE) --no-print-directory test VENV=$(LOWEST) CONSTRAINTS=$(LOWEST)/constraints.txt

$(LOWEST)/constraints.txt: pyproject.toml constraints.txt tests/packaging/lowest.py | $(VENV)/bin/python
	@$(BIN)/python tests/packaging/lowest.py > $@

# Thousands of games killed with -9: takes half an hour.
kills: $(DEVELOPED)
	$(BIN)/python -m tests.terminal.kills

# Games between two logins, killed with -9, over an sshd on loopback: takes half an hour. With --accounts, as root, between accounts.
shared-games: $(DEVELOPED)
	$(BIN)/python -m tests.terminal.shared_games

# The documentation as a site in site/, readable from disk.
docs: $(DEVELOPED)
	@$(INSTALL) --group docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# The screens that README and docs show, from the running app; look at them before committing.
pictures: $(DEVELOPED)
	$(BIN)/python -m tests.pictures

check: $(DEVELOPED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEVELOPED)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# REFERENCES="GAME=PROGRAM ..." measures building against reference programs, see benchmarks/_references.py.
bench: $(DEVELOPED)
	$(BIN)/python -m benchmarks $(REFERENCES)

# Calibrates the levels of all games by matches and writes them down: takes hours.
levels: $(DEVELOPED)
	$(BIN)/python -m benchmarks.calibration.levels

tables: $(DEVELOPED)
	$(BIN)/python -m onlymove_tables.build

clean:
	rm -rf $(VENV) $(LOWEST)

# The interpreter is looked for by name, newest supported first, when `python3` itself is too old.
$(VENV)/bin/python:
	@for python in $(PYTHON) python3.14 python3.13 python3.12 python3.11; do \
	  if command -v $$python >/dev/null 2>&1 && $$python -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))' 2>/dev/null; \
	  then $$python -m venv $(VENV) && exit 0; rm -rf $(VENV); fi; done; \
	echo "onlymove needs Python 3.11 to 3.14 with venv; none was found" >&2; exit 2

$(INSTALLED): pyproject.toml $(CONSTRAINTS) $(VENV)/bin/python
	@echo "Setting up onlymove in $(VENV), once; this takes a minute."
	@$(INSTALL) --editable .
	@touch $@

$(DEVELOPED): $(INSTALLED)
	@echo "Setting up what tests and checks need, once."
	@$(INSTALL) "pip>=25.1" # the first that reads groups
	@$(INSTALL) --group dev
	@touch $@
