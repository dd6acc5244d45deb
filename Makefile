# Needs git, make, Node 20 or newer with npm, and Go 1.21 or newer. Everything else is fetched by what is below.
SHELL := /bin/bash

# npm runs on the machine's own Node: `npm ci` replaces node_modules, and the Node inside it, while it runs.
MACHINE_PATH := $(subst $(CURDIR)/node_modules/.bin:,,$(PATH))
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

# Named by content, so that a checkout that only touches the lock file installs nothing.
INSTALLED := node_modules/.installed-$(shell git hash-object package-lock.json)

.PHONY: help install planes check unit test torture simulate simulate-mutations bench demo format generate bundle

help: ## Shows this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 28

install: $(INSTALLED) ## Installs the locked npm packages (nothing when they are there)
	@:

$(INSTALLED):
	PATH="$(MACHINE_PATH)" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

planes: install ## Finds or builds the control planes that tests and the demo start
	node planes/main.ts build

check: install ## Format, lint, types, import order, generated files, unit tests: under a minute
	node checks/run-tests.ts checks unit

unit: install ## The unit tests alone
	node checks/run-tests.ts unit

test: install planes ## Every test, the ones against real control planes included
	node checks/run-tests.ts $(if $(COUNTS),--counts $(COUNTS)) checks unit cases+projects+federation+writeback

torture: install planes ## Random schedules on real API servers: SCHEDULES=200 unless said otherwise, SEED=n to play one again
	node e2e/torture/main.ts $(if $(SCHEDULES),--schedules $(SCHEDULES)) $(if $(SEED),--seed $(SEED))

simulate: install ## SCHEDULES=1000 SEED=1 MINUTES=120: random schedules in virtual time
	node e2e/simulation/main.ts $(if $(SCHEDULES),--schedules $(SCHEDULES)) $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES))

simulate-mutations: install ## Breaks the build on purpose and looks whether the simulation notices
	node e2e/simulation/mutations/main.ts

bench: install planes ## Memory for each slice, and latency with and without sweeps, as ratios: SLICES=5000 CHANGES=300 unless said otherwise
	node bench/main.ts $(if $(SLICES),--slices $(SLICES)) $(if $(CHANGES),--changes $(CHANGES))

demo: install planes ## Starts control planes and shows one slice's way; ONCE=1 ends after the story
	node e2e/demo.ts $(if $(ONCE),--once)

format: install ## Rewrites the files in the project's format
	biome format --write

generate: install ## Rewrites the generated reference pages
	node checks/generate.ts

bundle: install ## dist/fedhub.js: the program in one file
	node checks/bundle.ts
