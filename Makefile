# Every target prepares what it needs; the second time that costs nothing.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup-python setup setup-page check unit test page bench battery bench-recall safety demo play pictures require-file replay emulators compare-prompts recount apply-retention costs

PYTHON := venv/bin/python
PYTEST := $(PYTHON) -m pytest

# The first Python that is new enough prepares the rest; uv brings one where there is none.
define prepare
@for python in python3.11 python3 python3.12 python3.13 python3.14; do \
  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
    exec $$python -m tools.setup $(1); \
  fi; \
done; \
if command -v uv >/dev/null 2>&1; then \
  exec uv run --quiet --no-project --python 3.11 python -m tools.setup $(1); \
fi; \
echo "set-up: Python 3.11 or newer is needed, or uv, which brings its own." >&2; exit 1
endef

help:
	@echo "make demo                  watch a Soul remember: the whole product, offline"
	@echo "make play                  talk to a Soul in the browser, and see what it knows"
	@echo "make test                  every check and every test, with the emulators and a browser"
	@echo "make page                  the playground's tests alone (those in a browser need Chromium)"
	@echo "make pictures              draw the README's pictures of the page (needs Chromium)"
	@echo "make check                 style, types and the direction of imports"
	@echo "make unit                  the tests that need no emulator"
	@echo "make bench                 measure time and cost, and the page (its score needs Chromium)"
	@echo "make battery               every fault of the platform, on purpose (SEED=7 repeats a run)"
	@echo "make bench-recall LOCOMO=locomo10.json  measure what recall finds, against baselines"
	@echo "make safety                measure what leaks or gets through (CHATS=file.jsonl adds a chat)"
	@echo "make replay FILE=chat.jsonl  run a recorded chat through memory"
	@echo "make rebuild-index UID= SOUL=  make a thread's lorebook index anew"
	@echo "make emulators             run the emulator suite until Ctrl-C"
	@echo "make recount UID= SOUL=    set counters to what is pending, of one thread or of all"
	@echo "make apply-retention DAYS=90  give messages counted before the setting their expiry"
	@echo "make costs                 what traffic costs, as docs/operations.md has it"
	@echo "make compare-prompts DAYS=7  what each prompt version and model made of its cycles"
	@echo "make setup                 prepare everything (each target above does it for itself)"

setup-python:
	$(call prepare,python)

setup:
	$(call prepare,all)

setup-page:
	$(call prepare,page)

check: setup-python
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m mypy
	$(PYTEST) tests/unit/test_arrows.py

unit: setup-python
	$(PYTEST) tests/unit tests/prompts

test: setup-page check
	npm --prefix web --silent test
	$(PYTEST) tests --ignore tests/web
	$(PYTEST) tests/web  # by themselves: their suites begin when the others' has ended

page: setup-page
	npm --prefix web --silent test
	$(PYTEST) tests/web

bench: setup-page
	$(PYTHON) -m tests.bench

battery: setup
	$(PYTHON) -m tests.battery

bench-recall: setup-python
	@if [ ! -f "$(LOCOMO)" ]; then \
	  echo "make bench-recall LOCOMO=locomo10.json: say where LoCoMo's data is." >&2; exit 2; \
	fi
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r tests/bench_recall/requirements.txt
	$(PYTHON) -m tests.bench_recall "$(LOCOMO)"

safety: setup
	$(PYTHON) -m tests.safety

demo: setup
	$(PYTHON) -m tools.demo

play: setup-page
	$(PYTHON) -m tools.play

pictures: setup-page
	PICTURES=docs $(PYTEST) tests/web/test_story.py

require-file:
	@if [ -z "$(FILE)" ]; then echo "make replay FILE=chat.txt: say which file." >&2; exit 2; fi

replay: require-file setup
	$(PYTHON) -m tools.replay "$(FILE)"

rebuild-index: setup-python
	$(PYTHON) -m tools.memory rebuild-index "$(UID)" "$(SOUL)"

recount: setup-python
	$(PYTHON) -m tools.recount $(if $(UID),"$(UID)" "$(SOUL)")

apply-retention: setup-python
	$(PYTHON) -m tools.apply_retention $(DAYS) $(if $(UID),"$(UID)" "$(SOUL)")

costs: setup-python
	$(PYTHON) -m tools.costs

compare-prompts: setup-python
	$(PYTHON) -m tools.compare_prompts $(DAYS)

emulators: setup
	$(PYTHON) -m tools.emulators
