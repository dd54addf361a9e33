# Each target sets up what it needs first; setting up again costs nothing when nothing changed.
PYTHON ?= $(shell command -v python3.11 || echo python3)
BIN := .venv/bin
ROOMS := engine server client protocol tests bench tools deploy
# of the lines of each room, in percent, so many are run by the unit tests at least
ENGINE_COVERED := 90
PROTOCOL_COVERED := 96

.PHONY: help fast test coverage check long balance balance-one-page balance-ae play demo dashboard rulebook pictures bench bench-compare bench-stored bench-sight rule-proof bundle lock clean

help:
	@echo "make play         start a local server and play at a table filled with bots"
	@echo "make demo         watch a whole six-seat match over the network, then a picture and a replay of it"
	@echo "make fast         the unit tests, in less than half a minute: those of one room that neither wait nor play whole"
	@echo "                  matches, open no window and take no random cases"
	@echo "make test         everything that is checked on each change; rules that were proven and have changed are proven"
	@echo "                  again, for 60 s at most"
	@echo "make check        style, types and import contracts only; names files of more than 600 lines"
	@echo "make coverage     the share of the lines of engine/ and protocol/ that their unit tests run (server/ and client/ are"
	@echo "                  tried by others): $(ENGINE_COVERED) and $(PROTOCOL_COVERED) percent at least; make test counts them, too"
	@echo "make long         the same properties and faults with full counts; PART=name runs one part (deploy installs proxies,"
	@echo "                  client ffmpeg)"
	@echo "make rule-proof   plant errors in the rules that changed, and demand that their tests see them;"
	@echo "                  make long PART=rule-proof does so for all rules"
	@echo "make bench        all benchmarks, beside must, goal and limit; PART=name runs one part"
	@echo "make bench-compare A B   server CPU an intent of two commits, measured in turn in six pairs (about 2 minutes);"
	@echo "                  without B it is HEAD, without both HEAD^ against HEAD; KEEP=1 keeps it in bench/pairs.jsonl"
	@echo "make bench-stored A B   two commits of bench/results.jsonl side by side; make bench-sight: space only"
	@echo "make balance      an hour of matches between bots, and docs/balance.md of them; a run that was stopped goes on"
	@echo "make balance-one-page   the same of One Page Apocalypse: 150 matches of each pair of armies"
	@echo "make balance-ae   the same of Apocalypse: Earth: 60 matches of each pair of factions, 120 of each scenario; an"
	@echo "                  hour and a half on two idle cores"
	@echo "make rulebook     the rulebook's page and pictures anew, from the rule system's own words"
	@echo "make pictures     the pictures of docs/ anew, drawn by the program at a server of this computer; PART=first, lobby, boards"
	@echo "                  or lessons draws those alone, PART=sheets all screens at three sizes and scales into out/sheets, PART=eyes"
	@echo "                  twelve moments of matches, with the answers to what a newcomer is asked of them, into out/eyes"
	@echo "make dashboard    deploy/grafana/dashboard.json anew, from its table of panels and the server's metrics"
	@echo "make bundle       out/bundle/Eschaton: the whole program in a folder that friends start by a double click"
	@echo "make lock         pin the requirements anew;  make clean: remove what was built"

.PHONY: ready-test ready-play ready-deploy ready-client
ready-test:
	@$(PYTHON) -m tools.setup test

ready-play:
	@$(PYTHON) -m tools.setup play

ready-deploy:
	@$(PYTHON) -m tools.system_packages deploy

ready-client:
	@$(PYTHON) -m tools.system_packages client

# pytest takes twice as long to collect tests whose compiled form it may not keep, and so does each server to start; the
# proof of rules keeps none of what it plants errors in
fast coverage long: export PYTHONDONTWRITEBYTECODE :=

fast: ready-test
	@$(BIN)/python -m pytest -n 2 -q -m unit --durations=5 --durations-min=0.5

# types are checked by one process, beside the proof and the first of the tests, so that no core waits for it; four
# processes for two cores: tests that wait leave half of the time to others
test: ready-test
	@$(MAKE) --no-print-directory -j 2 check tested
	@$(covered)

# a test that hangs ends its process after so many seconds, told with where it stood, and has failed
BOUNDED := -o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true

.PHONY: tested
tested: proven
	@$(BIN)/coverage erase
	@PYTHONDONTWRITEBYTECODE= $(BIN)/coverage run -m pytest -n 4 --durations=20 $(BOUNDED)

# tests are collected first to keep their compiled form for the proof and for each process of pytest, which tell what is
# wrong with them
.PHONY: proven
proven: ready-test
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --collect-only -qq -p no:cacheprovider > /dev/null || true
	@$(BIN)/python -m tools.rule_proof --seconds 60

check: ready-test
	@$(BIN)/ruff check $(ROOMS)
	@$(BIN)/ruff format --check --quiet $(ROOMS)
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m tools.lengths $(ROOMS)

coverage: ready-test
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -n 2 -q -m unit tests/engine tests/protocol tests/rules tests/systems
	@$(covered)

define covered
$(BIN)/coverage combine -q && \
echo "lines that the unit tests run: engine/" && \
$(BIN)/coverage report --include="engine/*" --fail-under=$(ENGINE_COVERED) --format=total --precision=1 && \
echo "lines that the unit tests run: protocol/" && \
$(BIN)/coverage report --include="protocol/*" --fail-under=$(PROTOCOL_COVERED) --format=total --precision=1
endef

# proxies and promtool, or ffmpeg, which nothing else needs; a learner waits for bots' pace most of the time
long: ready-test $(if $(filter deploy client,$(PART)),ready-$(PART))
	@$(BIN)/python -m pytest --long --part="$(PART)" -v $(if $(filter lessons,$(PART)),-n 4)

play: ready-play
	@$(BIN)/eschaton play

demo: ready-play
	@$(BIN)/python -m tools.demo

bench-sight: ready-test
	@$(BIN)/python -m bench.sight
	@$(BIN)/python -m bench.space

bench: ready-test
	@$(BIN)/python -m bench $(PART)

bench-compare: ready-test
	@$(BIN)/python -m bench.compare $(if $(KEEP),--keep) $(COMMITS)

bench-stored: ready-test
	@$(BIN)/python -m bench.stored $(COMMITS)

# the commits are no targets
ifneq ($(filter bench-compare bench-stored,$(firstword $(MAKECMDGOALS))),)
COMMITS := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
ifneq ($(COMMITS),)
.PHONY: $(COMMITS)
$(sort $(COMMITS)):
	@:
endif
endif

rule-proof: ready-test
	@$(BIN)/python -m tools.rule_proof

# what stands in docs/balance.md under "What was tried" is kept
balance: ready-test
	@$(BIN)/eschaton-server simulate --report docs/balance.md --matches 120 --others 30 --best 12

# 900 matches are 150 of each pair of the four armies
balance-one-page: ready-test
	@$(BIN)/eschaton-server simulate --system one_page --scenario open_field_3000 --report docs/balance-one-page.md \
		--kept out/balance-one-page.jsonl --matches 900 --others 0 --best 0

# 1260 matches of four seats are 60 of each pair of the seven factions; then 120 of each scenario at each number of seats,
# of which the first 120 of four seats have been played already, and 60 where each is alone. A match takes about 3 CPU
# seconds: an hour and a half on two cores that nobody else uses
balance-ae: ready-test
	@$(BIN)/eschaton-server simulate --system apocalypse_earth --scenario meeting_engagement:four --report docs/balance-ae.md \
		--kept out/balance-ae.jsonl --matches 1 --others 1260 --best 0 --sides
	@$(BIN)/eschaton-server simulate --system apocalypse_earth --report docs/balance-ae-scenarios.md \
		--kept out/balance-ae.jsonl --matches 120 --others 120 --best 0 --sides --alone 60

dashboard: ready-test
	@$(BIN)/python -m tools.dashboard

rulebook: ready-test
	@$(BIN)/python -m tools.rulebook

pictures: ready-test
	@$(BIN)/python -m tools.pictures $(PART)

# an environment of its own, which holds PyInstaller: nothing of it is in .venv
bundle:
	@$(PYTHON) -m tools.system_packages bundle
	@$(PYTHON) -m tools.bundle

lock: ready-test
	@$(BIN)/python -m tools.lock

clean:
	rm -rf .venv out build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
