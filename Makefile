# The targets for development; `make help` lists them. The targets of the laboratory are in lab/Makefile.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO       ?= go
FUZZTIME ?= 10s
# More flags for go test, for example TESTFLAGS='-run TestRules -v'.
TESTFLAGS ?=
BENCH     ?= .

# The version from git: a tag, a tag and the commits since, or the commit. Without git it is "devel".
VERSION ?= $(shell git describe --tags --always --dirty --match 'v*' 2>/dev/null || echo devel)
LDFLAGS := -s -w -X main.version=$(VERSION:v%=%)
# The programs are built for the machine that builds them. With the instructions of 2013 (x86-64-v3) the search is a tenth faster. For an
# older machine: make build GOAMD64=v1.
GOAMD64 ?= $(shell scripts/goamd64.sh)
BUILD    = CGO_ENABLED=0 GOAMD64=$(GOAMD64) $(GO) build -trimpath -ldflags '$(LDFLAGS)'

# The programs that tests need in addition to Go, as program:package. The headless shell of Chromium is the engine without the windows of the
# browser, whose own work was more than half of the work of the page tests.
TEST_PROGRAMS := chromium-headless-shell redis-server nginx:nginx-light

TOOLS    := .tools
GOLANGCI := $(TOOLS)/golangci-lint
VALE     := $(TOOLS)/vale
CYCLONEDX := $(TOOLS)/cyclonedx-gomod
REDOCLY  := tools/openapi/node_modules/.bin/redocly
# The type checker of the pages and of the client for TypeScript, and the generator of their types.
TSC      := tools/board/node_modules/.bin/tsc
# The formatter of the pages; it runs in their folder, where its settings are.
PRETTIER := cd internal/web/board && ../../../tools/board/node_modules/.bin/prettier --log-level=warn
FORMATTED := src test '../../../test/nim/*.tsx' '../../../examples/**/*.ts' '../../../clients/typescript/{src,test}/!(*.gen).ts' $\
	'../../../clients/wasm/{src,test}/*.{ts,mjs}'
# No telemetry, and no check for newer versions.
REDOCLY_ENV := REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

.PHONY: help
help:
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

##@ run

.PHONY: run
run: bin/server ## build bin/server, and start it on its default configuration
	@if [ ! -e $(WORKER) ]; then echo 'Built without the worker, with which pages calculate when the server does not answer: make build has it.'; \
	elif [ -n "$$(find internal clients/wasm -name '*.go' -newer $(WORKER) | head -n 1)" ]; then echo 'The worker of the pages is older than the code: make worker'; fi
	bin/server

.PHONY: build
build: worker bin/server bin/roem ## build bin/server, with the worker of its pages, and bin/roem

# The program with which the pages of Klaverjas calculate when the server does not answer: the server contains it, if it is there. make run
# does not wait for it, since it takes longer to build than the server.
WORKER := internal/web/worker/klaverjas.wasm

.PHONY: worker
worker:
	scripts/wasm.sh '$(VERSION)' bin/wasm
	rm -rf internal/web/worker/{worker.js,klaverjas.wasm,networks}
	cp -r bin/wasm/{worker.js,klaverjas.wasm,networks} internal/web/worker/

.PHONY: site
site: worker ## write the pages that need no server, files for any server of files, and the board for other sites: bin/site, bin/board (docs/how-to/analysis-without-a-server.md)
	$(GO) run -trimpath ./internal/web/site -worker bin/wasm -o bin/site -kit bin/board

# go build itself determines what has changed.
.PHONY: bin/server bin/roem
bin/server bin/roem: bin/%:
	$(BUILD) -o $@ ./cmd/$*

# The laboratory is a module of its own, which needs the product; the product does not need it.
.PHONY: bin/roem-lab
bin/roem-lab:
	cd lab && $(BUILD) -o ../$@ ./cmd/roem-lab

.PHONY: clean
clean: ## remove everything that make has built or downloaded
	rm -rf bin $(TOOLS) tools/openapi/node_modules tools/board/node_modules clients/typescript/dist $(CLIENT_TESTS)

##@ test

# The packages whose tests take longest begin first, so that the others fill the time in which these wait. They also wait for servers, files and
# clocks, so four packages run at a time, whatever the number of processors. The browsers of test/board, which keep the processors busy, begin
# when only few packages are left.
ALL = ./test ./cmd/... ./internal/handlers ./internal/jobs/... $$($(GO) list ./...)

# Without what takes long to compile and finds nothing here: the profile (default.pgo), with which each program compiles all of its packages
# once more (speed is measured by other targets), the data for debuggers, the table of symbols, C, which the programs do not have either, and
# vet, which make lint runs with more checks.
test test-long test-board lab-test: export GOFLAGS := $(GOFLAGS) -pgo=off -vet=off -gcflags=all=-dwarf=false -ldflags=-s
test test-long test-board lab-test: export CGO_ENABLED := 0

.PHONY: test
test: deps-test ## run the tests of the programs (those of the laboratory: make lab-test)
	$(GO) test -p 4 -timeout 60m $(TESTFLAGS) $(ALL)
	@if command -v node >/dev/null; then $(MAKE) --no-print-directory test-pages; else echo "no Node: make test-pages is left out"; fi

# The tests that make test runs in part. The others of their packages are the same with -long.
LONG = TestAbuse$$|TestAbuseCost|TestSessionsOfOthers|TestStorm|TestKill$$|TestKillSessions|TestVectors|TestModel$$|TestWholeDeals|$\
	TestLastTrick|TestLimitedIsPlain|TestVulncheck

.PHONY: test-long
test-long: deps-test ## the tests of which make test runs a part: more requests and repetitions (some three minutes; the pages: make test-board)
	$(GO) test -count=1 -timeout 20m $(TESTFLAGS) -run '$(LONG)' ./test ./cmd/roem ./internal/computation \
		./internal/engine/{belote,tarok}/enginetest -args -long
	$(GO) test -count=1 -timeout 20m $(TESTFLAGS) ./internal/engine/klaverjas/{enginetest,puzzles} -args -long

.PHONY: lab-test
lab-test: deps-test ## all tests of the laboratory, which make test leaves out
	cd lab && $(GO) test -timeout 30m $(TESTFLAGS) ./...

.PHONY: test-board
test-board: deps-test ## all tests of the pages: also every view in both languages and themes, and whole games, which make test leaves out (SWEEPS=1: only those)
	$(GO) test -count=1 -timeout 20m $(if $(SWEEPS),-run "$$(scripts/sweeps.sh)") $(TESTFLAGS) ./test/board -args -long

.PHONY: test-site
test-site: export ROEM_WASM := $(CURDIR)/bin/wasm
test-site: export GOFLAGS := $(GOFLAGS) -pgo=off -vet=off -gcflags=all=-dwarf=false -ldflags=-s
test-site: deps-test worker ## the tests of the pages that do not speak of the server, on the files of make site (make test has those of the site itself)
	$(GO) test -count=1 -timeout 20m $(TESTFLAGS) ./test/board -args -without-server

# The unit tests of the pages, bundled: Node does not run TypeScript.
PAGES_TESTS := bin/test-pages

.PHONY: test-pages
test-pages: ## run the unit tests of the pages: rules, addresses, state (needs Node)
	rm -rf $(PAGES_TESTS)
	$(GO) -C tools tool esbuild $(CURDIR)/internal/web/board/test/*.test.ts --outdir=$(CURDIR)/$(PAGES_TESTS) --out-extension:.js=.mjs \
		--bundle --platform=node --format=esm --tsconfig=$(CURDIR)/internal/web/board/tsconfig.bundle.json --sourcemap --log-level=warning
	node --enable-source-maps --test $(PAGES_TESTS)/*.test.mjs

# The clients, and the programs that their tests start: the server, and a proxy that damages answers.
CLIENT_TESTS := clients/typescript/build

.PHONY: client-typescript
client-typescript: $(TSC)
	rm -rf clients/typescript/dist
	$(TSC) -p clients/typescript

.PHONY: test-clients
test-clients: export ROEM_SERVER := $(CURDIR)/bin/server
test-clients: export ROEM_STAGE := $(CURDIR)/bin/stage
test-clients: bin/server $(TSC) ## run the tests of the clients against a real server: restarts, refusals, cut answers (needs Node and Python)
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/stage ./clients/stage
	rm -rf $(CLIENT_TESTS)
	$(TSC) -p clients/typescript/test
	node --enable-source-maps --test --test-timeout=600000 $(CLIENT_TESTS)/test/*.test.js
	@scripts/need.sh python3 mypy
	cd clients/go && $(GO) test -count=1 $(TESTFLAGS) ./...
	PYTHONPATH=clients/python PYTHONDONTWRITEBYTECODE=1 python3 -W error -m unittest discover -s clients/python/tests
	cd clients/python && mypy --strict --enable-incomplete-feature=Unpack roem
	@scripts/test-client-programs.sh
	@$(MAKE) --no-print-directory test-wasm

# Klaverjas in a page against a real server, in Node and in two browsers. STEP=1 asks all vectors and 1,000 wrong requests.
STEP ?= 40
.PHONY: test-wasm
test-wasm: export ROEM_SERVER := $(CURDIR)/bin/server
test-wasm: export WASM_PACKAGE := $(CURDIR)/bin/wasm
test-wasm: bin/server wasm # run the tests of the solver for pages (STEP=1: all vectors, some minutes)
	@scripts/need.sh node:nodejs chromium-headless-shell firefox-esr
	WASM_STEP=$(STEP) node --test --test-timeout=1200000 clients/wasm/test/package.test.mjs

# Klaverjas in a page: the package @roem/klaverjas.
.PHONY: wasm
wasm: $(TSC) ## build the solver for pages, the package @roem/klaverjas: bin/wasm
	scripts/wasm.sh '$(VERSION)' bin/wasm
	$(TSC) -p clients/wasm

# The example of a card site, which a test starts.
.PHONY: card-site
card-site:
	$(GO) -C tools tool esbuild $(CURDIR)/examples/card-site/site.ts --bundle --platform=node --format=esm \
		--tsconfig=$(CURDIR)/examples/tsconfig.json --outfile=$(CURDIR)/bin/card-site.mjs --log-level=warning

.PHONY: deps-test
deps-test: # install the programs that tests need and that are missing
	@scripts/need.sh $(TEST_PROGRAMS)

# The packages that make race runs, and the tests of the whole service, whose servers are built with the race detector too. RACED=./... runs
# all packages, with all tests of test/, which takes some ten minutes more.
RACED = $$(scripts/raced.sh)
RACED_SERVERS := ^(TestStorm|TestSIGTERM|TestSecondSignal|TestCancel|TestAbuseHungUp|TestOneClientsExcess)$$

.PHONY: race race-packages race-servers
race race-packages race-servers fuzz: export GOFLAGS := $(GOFLAGS) -pgo=off -vet=off -gcflags=all=-dwarf=false -ldflags=-s
fuzz: export CGO_ENABLED := 0

race: deps-test ## run the short tests under the race detector, of the packages that serve and in which something happens at the same time
	@$(MAKE) --no-print-directory -j 2 race-packages race-servers

race-packages:
	CGO_ENABLED=1 $(GO) test -race -short -p 4 -timeout 20m $(TESTFLAGS) $(RACED)

race-servers:
	CGO_ENABLED=1 $(GO) test -race -short -timeout 20m $(TESTFLAGS) -run '$(RACED_SERVERS)' ./test

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (10s)
	@scripts/fuzz.sh $(FUZZTIME)

# How long the clients of NAME=abuse and storm hang up, in each of two configurations: alone, and with Redis.
STORM ?= 10m
# How long NAME=soak measures.
SOAK ?= 10m
# More flags of go test, for example PROOFFLAGS=-race-server, which builds the server with the race detector.
PROOFFLAGS ?=

.PHONY: proof
proof: deps-test ## the long proof of NAME, on a quiet machine; without NAME, lists them
	@STORM=$(STORM) SOAK=$(SOAK) scripts/proof.sh '$(NAME)' $(PROOFFLAGS)

# The file of recorded answers.
ANSWERS ?= answers.jsonl

.PHONY: record
record: deps-test ## write the answers to 10,000 requests to ANSWERS (five minutes)
	@scripts/proof.sh record -record.to $(abspath $(ANSWERS))

.PHONY: compare-record
compare-record: deps-test ## compare the answers to 10,000 requests with those that make record wrote, of another commit for example
	@scripts/proof.sh record -record.as $(abspath $(ANSWERS))

.PHONY: bench
bench: ## run the Go benchmarks (BENCH=regexp)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m ./...

##@ change

.PHONY: generate
generate: $(TSC) ## write the generated code again, the board's too
	$(GO) -C tools run ./generate

.PHONY: pages
pages: # write the generated parts of pages, which follow from the code and from docs/figures.json
	$(GO) run -pgo=off ./internal/pages/write
	$(GO) -C lab run -pgo=off ./figures/write

.PHONY: check
check: check-generated check-contract check-generators ## fail if generated code is out of date, the contract breaks clients of the last release unannounced, or other generators do not read it

.PHONY: check-generated
check-generated:
	@scripts/check-generated.sh

.PHONY: check-contract
check-contract:
	$(GO) -C tools/contract test $(TESTFLAGS) ./...
	$(GO) -C tools/contract run -trimpath . $(CURDIR)

.PHONY: check-generators
check-generators: $(TSC) $(REDOCLY)
	@scripts/check-generators.sh

.PHONY: lint
lint: lint-go lint-openapi lint-board lint-prose lint-alerts ## check the Go code, the contract, the board, the prose and the alert rules; no finding is allowed

.PHONY: lint-go
lint-go: $(GOLANGCI) # check the Go code
	$(GO) mod verify
	$(GO) mod tidy -diff
	$(GOLANGCI) config verify
	$(GOLANGCI) run ./...
	for module in lab clients/go examples/bidding-assistant; do \
		$(GO) -C $$module mod tidy -diff && (cd $$module && $(CURDIR)/$(GOLANGCI) run ./...) || exit 1; \
	done

.PHONY: lint-openapi
lint-openapi: $(REDOCLY) # check the contract
	$(REDOCLY_ENV) npm run --silent --prefix tools/openapi lint

.PHONY: lint-board
lint-board: $(TSC) # check the types, the format, the lengths and the imports of the pages, and the examples and the client
	$(TSC) -p internal/web/board
	$(TSC) -p internal/web/board/tsconfig.test.json
	$(TSC) -p examples
	$(TSC) -p clients/typescript/test --noEmit
	$(TSC) -p clients/wasm --emitDeclarationOnly false --noEmit
	$(PRETTIER) --config .prettierrc.json --check $(FORMATTED)
	node tools/board/lengths.mjs internal/web/board/src
	node tools/board/circles.mjs internal/web/board/src

# Texts that users read.
PROSE = README.md docs/*.md docs/tutorials docs/how-to docs/reference docs/explanation clients/*/README.md examples/README.md

.PHONY: lint-prose
lint-prose: $(VALE) # check the words of the pages for users (tools/prose)
	$(VALE) --config tools/prose/vale.ini --output line --no-global $(PROSE)

.PHONY: lint-alerts
lint-alerts: # check the alert rules, their tests, and the expressions of the dashboard
	@scripts/need.sh promtool:prometheus
	cd deploy/prometheus && promtool check config prometheus.yaml && promtool check rules alerts.yaml && \
		promtool test rules alerts_test.yaml
	@scripts/check-dashboard.sh deploy/grafana/roem.json

$(TSC): tools/board/package.json tools/board/package-lock.json
	@scripts/need.sh node:nodejs npm
	npm ci --prefix tools/board --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

.PHONY: fmt
fmt: $(GOLANGCI) $(TSC) ## format the Go code, the pages and the examples
	$(GOLANGCI) fmt ./...
	$(PRETTIER) --config .prettierrc.json --write $(FORMATTED)

$(GOLANGCI): tools/lint/go.mod tools/lint/go.sum
	@echo "building golangci-lint (once; some minutes)"
	CGO_ENABLED=0 $(GO) build -C tools/lint -trimpath -o $(CURDIR)/$@ \
		github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(VALE): tools/prose/go.mod tools/prose/go.sum
	@scripts/need.sh cc:gcc
	@echo "building vale (once; a minute)"
	CGO_ENABLED=1 CGO_CFLAGS='-O1 -w' $(GO) build -C tools/prose -trimpath -o $(CURDIR)/$@ github.com/errata-ai/vale/v3/cmd/vale

$(REDOCLY): tools/openapi/package.json tools/openapi/package-lock.json
	@scripts/need.sh node:nodejs npm
	npm ci --prefix tools/openapi --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

.PHONY: figures
figures: bin/roem-lab ## measure the figures of generated blocks again: docs/figures.json, and the pages (on a quiet machine; a minute)
	bin/roem-lab figures
	@$(MAKE) --no-print-directory pages

.PHONY: pictures
pictures: deps-test ## write the pictures of docs/pictures again; PAGE=tarok, or PAGE=all: every view of it, in bin/views, to look at
ifdef PAGE
	$(GO) test -count=1 -timeout 20m -run 'TestPicturesOfViews/$(PAGE:all=)' ./test/board -args -pictures-of-views $(CURDIR)/bin/views
else
	$(GO) test -count=1 -run 'TestPictures$$|TestPicturesOfAFirstVisit' ./test/board -args -pictures $(CURDIR)/docs/pictures
endif

.PHONY: pgo
pgo: bin/roem-lab ## profile the search again, and for the server also requests; the compiler uses the profiles (default.pgo)
	bin/roem-lab klaverjas bench -n 600 -seed 20260101 -set uniform,class-uniform -cpuprofile lab/cmd/roem-lab/default.pgo
	cp lab/cmd/roem-lab/default.pgo cmd/roem/default.pgo
	$(GO) test -run '^$$' -bench CachedSolveOverHTTP -benchtime 10s -cpuprofile bin/requests.pgo -o bin/requests.test ./internal/handlers
	$(GO) tool pprof -proto -output cmd/server/default.pgo lab/cmd/roem-lab/default.pgo bin/requests.pgo
	rm bin/requests.test bin/requests.pgo

##@ release

# Where a release is written. PLATFORMS=linux/amd64 builds for that platform only.
DIST      ?= dist
PLATFORMS ?=
# TRIAL=1 makes a release to try, also from a commit without a tag.
TRIAL ?=

.PHONY: release
release: client-typescript worker $(CYCLONEDX) ## build everything of a release into dist/: make release VERSION=v0.1.0, from its tag; TRIAL=1: from any commit (docs/project/releasing.md; some minutes)
	@TRIAL='$(TRIAL)' scripts/release.sh '$(VERSION:v%=%)' '$(DIST)' $(CYCLONEDX) $(PLATFORMS)

.PHONY: test-release
test-release: ## build a release for this platform twice, compare the bytes, and use it from an empty folder in each language
	@scripts/test-release.sh

.PHONY: vulncheck
vulncheck: ## check for known vulnerabilities; fails if there are some, and if their database cannot be reached
	@scripts/vulncheck.sh

# The modules are read from the programs themselves. The licences are those of internal/web/notices.txt.
.PHONY: sbom
sbom: build $(CYCLONEDX) # write what each program consists of, as CycloneDX: bin/*.cdx.json
	for program in server roem; do \
		$(CYCLONEDX) bin -json -std -version '$(VERSION)' -output bin/$$program.cdx.json bin/$$program; \
		$(GO) -C tools/audit run ./sbom $(CURDIR)/bin/$$program.cdx.json; \
	done

$(CYCLONEDX): tools/audit/go.mod tools/audit/go.sum
	$(GO) build -C tools/audit -trimpath -o $(CURDIR)/$@ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	@touch $@

.PHONY: address
address: # write the address of the project wherever it stands: make address ADDRESS=https://host/owner/roem (docs/project/releasing.md)
	@scripts/address.sh '$(ADDRESS)'

.PHONY: pin-images
pin-images: # write the present digests of the base images into the Dockerfile and deploy/ (needs docker)
	@scripts/pin-images.sh
