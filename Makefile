# The targets for development; `make help` lists them.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO       ?= go
FUZZTIME ?= 10s
# More flags for go test, for example TESTFLAGS='-run TestRules -v'.
TESTFLAGS ?=
BENCH     ?= .
# Arguments of `roem-lab klaverjas bench`, which `make bench` runs after the Go benchmarks.
BENCHARGS ?=

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
FORMATTED := src test '../../../examples/**/*.ts' '../../../clients/typescript/{src,test}/!(*.gen).ts'
# No telemetry, and no check for newer versions.
REDOCLY_ENV := REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-23s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: bin/server bin/roem ## build bin/server and bin/roem, and start the server on its default configuration
	bin/server

.PHONY: build
build: bin/server bin/roem bin/roem-lab ## build bin/server, bin/roem and bin/roem-lab

# go build itself determines what has changed.
.PHONY: bin/server bin/roem bin/roem-lab
bin/server bin/roem bin/roem-lab: bin/%:
	$(BUILD) -o $@ ./cmd/$*

# The packages whose tests take longest begin first, so that the others fill the time in which these wait. They also wait for servers, files and
# clocks, so four packages run at a time, whatever the number of processors. The browsers of test/board, which keep the processors busy, begin
# when only few packages are left.
ALL = ./test ./cmd/... ./internal/handlers ./internal/jobs/... $$($(GO) list ./...)

# Without what takes long to compile and finds nothing here: the profile (default.pgo), with which each program compiles all of its packages
# once more (speed is measured by other targets), the data for debuggers, the table of symbols, C, which the programs do not have either, and
# vet, which make lint runs with more checks.
test test-long test-board: export GOFLAGS := $(GOFLAGS) -pgo=off -vet=off -gcflags=all=-dwarf=false -ldflags=-s
test test-long test-board: export CGO_ENABLED := 0

.PHONY: test
test: deps-test ## run all tests
	$(GO) test -p 4 -timeout 60m $(TESTFLAGS) $(ALL)
	@if command -v node >/dev/null; then $(MAKE) --no-print-directory test-pages; else echo "no Node: make test-pages is left out"; fi

# The tests that make test runs in part. The others of their packages are the same with -long.
LONG = TestAbuse$$|TestAbuseCost|TestSessionsOfOthers|TestStorm|TestKill$$|TestKillSessions|TestVectors|TestDatasetKilled|TestDatasetOnSeveral|TestModel$$|TestWholeDeals|$\
	TestLastTrick|TestLimitedIsPlain|TestVulncheck

.PHONY: test-long
test-long: deps-test ## the tests of which make test runs a part: more requests and repetitions (some three minutes; the pages: make test-board)
	$(GO) test -count=1 -timeout 20m $(TESTFLAGS) -run '$(LONG)' ./test ./cmd/roem ./cmd/roem-lab ./internal/computation \
		./internal/engine/{belote,tarok}/enginetest -args -long
	$(GO) test -count=1 -timeout 20m $(TESTFLAGS) ./internal/engine/klaverjas/{enginetest,puzzles} -args -long

.PHONY: test-board
test-board: deps-test ## all tests of the pages: also every view in both languages and themes, and whole games, which make test leaves out (SWEEPS=1: only those)
	$(GO) test -count=1 -timeout 20m $(if $(SWEEPS),-run "$$(scripts/sweeps.sh)") $(TESTFLAGS) ./test/board -args -long

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
client-typescript: $(TSC) ## build the client for TypeScript: clients/typescript/dist
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

.PHONY: card-site
card-site: ## build the example of a card site: bin/card-site.mjs
	$(GO) -C tools tool esbuild $(CURDIR)/examples/card-site/site.ts --bundle --platform=node --format=esm \
		--tsconfig=$(CURDIR)/examples/tsconfig.json --outfile=$(CURDIR)/bin/card-site.mjs --log-level=warning

.PHONY: deps-test
deps-test: ## install the programs that tests need and that are missing
	@scripts/need.sh $(TEST_PROGRAMS)

# The packages outside test/ that make race runs. RACED=./... runs all of them, the laboratory too, which takes some minutes more.
RACED = $$(scripts/raced.sh)

.PHONY: race
race: deps-test ## run the short tests under the race detector, of the packages that serve and in which something happens at the same time
	CGO_ENABLED=1 $(GO) test -race -short -p 4 -timeout 20m $(TESTFLAGS) $(RACED)
	CGO_ENABLED=1 $(GO) test -race -short -timeout 20m $(TESTFLAGS) ./test/...

# The full tests of test/. docs/lab/service.md lists their results.
PROOF = $(GO) test -count=1 -v -timeout 120m ./test

# How long the clients of make abuse and make abuse-storm hang up, in each of two configurations: alone, and with Redis.
STORM ?= 10m
# More flags of the proofs, for example PROOFFLAGS=-race-server, which builds the server with the race detector.
PROOFFLAGS ?=

.PHONY: abuse
abuse: deps-test ## hostile, broken and slow clients, 10,000 mutations a route, 100,000 damaged records and formulas, clients that hang up for STORM (10m) twice (some 35 minutes)
	$(GO) test -count=1 -timeout 120m ./internal/handlers -run TestAllocated -args -full
	$(GO) test -count=1 -timeout 120m ./internal/engine/klaverjas/logic -run TestFewStepsTakeLittle -args -full
	$(PROOF) -run 'TestAbuse|TestJobsOfOthers|TestKeys|TestOneClientsExcess|TestSessionsOfOthers|TestStorm' -args -full -storm.duration $(STORM) $(PROOFFLAGS)

.PHONY: abuse-crowds
abuse-crowds: deps-test ## of make abuse, only the crowds that attack a server on 384 MiB while others send honest requests: the table of docs/lab/service.md
	$(PROOF) -run TestAbuseByCrowds -args -full

.PHONY: abuse-storm
abuse-storm: deps-test ## of make abuse, only the clients that hang up; with the race detector: PROOFFLAGS=-race-server
	$(PROOF) -run TestStorm -args -full -storm.duration $(STORM) $(PROOFFLAGS)

# The file of recorded answers.
ANSWERS ?= answers.jsonl

.PHONY: record
record: deps-test ## write the answers to 10,000 requests to ANSWERS (five minutes)
	$(PROOF) -run 'TestRecord$$' -args -record.to $(abspath $(ANSWERS))

.PHONY: compare-record
compare-record: deps-test ## compare the answers to 10,000 requests with those that make record wrote, of another commit for example
	$(PROOF) -run 'TestRecord$$' -args -record.as $(abspath $(ANSWERS))

.PHONY: test-faults
test-faults: deps-test ## requests while Redis is stopped, silent, slow or contains invalid data (about five minutes, on a quiet machine)
	$(PROOF) -run TestRedisFaults -args -full

.PHONY: bench-cached
bench-cached: ## cached solves a second, in turns with a bare handler that decodes and encodes the same bodies (two minutes, on a quiet machine)
	$(PROOF) -run TestCachedThroughput -args -full

# How long make soak measures.
SOAK ?= 10m

.PHONY: soak
soak: ## every searcher busy and the queue full for SOAK (10m), and cached solves a second (on a quiet machine)
	$(PROOF) -run 'TestLoad|TestMemoryBound|TestCachedThroughput' -args -full -soak.duration $(SOAK)

.PHONY: budget
budget: ## how late the hybrid is within budgets, and batches of a thousand predictions (on a quiet machine; a minute)
	$(PROOF) -run 'TestHybridBudget|TestPredictBatchSpeed' -args -full

.PHONY: storm
storm: deps-test ## 500 jobs on each queue while workers are killed 20 times, and Redis twice (a minute)
	ROEM_STORM_JOBS=500 ROEM_STORM_KILLS=20 $(GO) test -count=1 -v -run TestStorm ./internal/jobs/...

.PHONY: kill
kill: deps-test ## 500 jobs, and sessions of every game, while servers or workers are killed twenty times and Redis restarted; poison; cancelling
	$(PROOF) -run 'TestKill|TestPoison|TestCancel|TestDamageWhileServing|TestFileSizeLimit' -args -full

.PHONY: sigterm
sigterm: ## SIGTERM under load, and a second one
	$(PROOF) -run 'TestSIGTERM|TestSecondSignal' -args -full

# Klaverjas

.PHONY: klaverjas-knowledge
klaverjas-knowledge: ## a million random cards: what each seat knows is true, explained by facts, and never less than before (some minutes)
	$(GO) test -count=1 -v -timeout 60m -run TestRandomPlies ./internal/engine/klaverjas/worlds -args -plies 1000000

.PHONY: klaverjas-engine
klaverjas-engine: ## the rules and the search against the second implementation, with all repetitions, of which make test has a sixteenth, and 2,100 deals solved in every way (some minutes)
	$(GO) test -count=1 -v -timeout 60m ./internal/engine/klaverjas/enginetest -args -full

.PHONY: klaverjas-bench-advice
klaverjas-bench-advice: ## the time of advice, compiled as the server is (on a quiet machine; two minutes)
	GOAMD64=$(GOAMD64) $(GO) test -run '^$$' -pgo=$(CURDIR)/cmd/server/default.pgo -bench Choose -benchtime 30x ./internal/engine/klaverjas/advice
	GOAMD64=$(GOAMD64) $(GO) test -run '^$$' -pgo=$(CURDIR)/cmd/server/default.pgo -bench Advise -benchtime 20x ./internal/service/klaverjas

.PHONY: klaverjas-ablation
klaverjas-ablation: ## measure the effect of each technique of the search, as a Markdown table (about ten minutes)
	@scripts/ablation.sh

.PHONY: klaverjas-hybrid
klaverjas-hybrid: bin/roem-lab ## measure the hybrid of model and search and write docs/lab/klaverjas/hybrid (on a quiet machine; about five minutes)
	@scripts/hybrid.sh

.PHONY: klaverjas-strength
klaverjas-strength: bin/roem-lab ## measure the estimates of hand strength for docs/lab/klaverjas/hand-strength.md (on a quiet machine; about twelve minutes). FIT=1: after a change of the model
	@scripts/strength.sh

.PHONY: klaverjas-verdicts
klaverjas-verdicts: ## how often review judges with 100 worlds as with 1,500: the table of docs/lab/klaverjas/advice.md (about ten minutes; needs jq)
	@scripts/review-verdicts.sh

.PHONY: klaverjas-belief
klaverjas-belief: bin/roem-lab ## measure the beliefs for docs/lab/klaverjas/hidden-cards.md (hands to learn and to measure take most of an hour of a core). TRAIN=1: learn the weights first
	@scripts/belief.sh

.PHONY: klaverjas-bidding
klaverjas-bidding: bin/roem-lab ## measure bid on hands that were bid and played, for docs/lab/klaverjas/bidding.md (GAMES=20000 PLAYER=policy, about five minutes of one core). FIT=1: after a change of the model, the hand model or the policy
	@scripts/bidding.sh

.PHONY: klaverjas-interrupted
klaverjas-interrupted: bin/roem-lab ## learn the weights of the features of interrupted searches, after a change of the model (about four minutes)
	@scripts/interrupted.sh

.PHONY: klaverjas-logical
klaverjas-logical: bin/roem-lab ## compare the logical players with the program of their authors (30,000 hands of each pairing; about a minute)
	bin/roem-lab klaverjas logical -hands 30000

# The number of deals of the matches of pimc players in make klaverjas-matches.
PIMCDEALS ?= 2000

.PHONY: klaverjas-matches
klaverjas-matches: bin/roem-lab ## the tables of docs/lab/klaverjas/matches.md: duplicate matches between all players (some three hours of one core, for those that search)
	bin/roem-lab klaverjas matches
	bin/roem-lab klaverjas matches -players pimc:20 -against policy,simple,logical,random,open -deals $(PIMCDEALS)
	bin/roem-lab klaverjas matches -players belief:20 -against pimc:20,policy,simple,logical,random,open -deals $(PIMCDEALS)
	bin/roem-lab klaverjas matches -players policy -against open,simple,logical:rules,logical,random
	bin/roem-lab klaverjas matches -players playout:40 -against belief:20,pimc:20,policy,simple,logical,random,open -deals $(PIMCDEALS)
	bin/roem-lab klaverjas matches -players mixture:40 -against playout:40,belief:20,pimc:20,policy,simple,logical,random,open -deals $(PIMCDEALS)

.PHONY: klaverjas-levels
klaverjas-levels: bin/roem-lab ## the tables of docs/lab/klaverjas/levels.md: each level against the one below (some ten minutes of one core)
	bin/roem-lab klaverjas levels -seed 29
	bin/roem-lab klaverjas levels -seed 29 -seat club -searched 6000

# Belote

# The numbers of deals of the matches of two, three and four suits in make belote-play.
BELOTEDEALS ?= 2000 2000 2000

.PHONY: belote
belote: bin/roem-lab ## the paper's experiment on Belote Découverte (docs/lab/belote/), and how long 1,000 deals take (on a quiet machine; some minutes)
	bin/roem-lab belote compare -seed 1 -n 31 -out docs/lab/belote
	bin/roem-lab belote speed -seed 1 -n 1000

.PHONY: belote-play
belote-play: bin/roem bin/roem-lab ## the tables of docs/lab/belote/README.md about play with cards face down (hours of one core for four suits; BELOTEDEALS sets the deals)
	bin/roem-lab belote hidden -seed 1 -n 400 -left 14
	DEALS="$(BELOTEDEALS)" scripts/belote-matches.sh

.PHONY: belote-paper
belote-paper: bin/roem-lab ## where the deal of the paper on Belote Découverte lies among 300 drawn ones, and 31 with a high limit (half an hour)
	bin/roem-lab belote paper -seed 1 -n 300
	bin/roem-lab belote paper -seed 1 -n 31 -limit 400000000

.PHONY: belote-engine
belote-engine: ## the search of Belote Découverte against the plain table of all positions, and the contract on 1,000 deals of four suits (some minutes, 1 GB)
	$(GO) test -count=1 -v -timeout 60m ./internal/engine/belote/enginetest -args -full

# Gin Rummy

.PHONY: gin-rummy
gin-rummy: bin/roem-lab ## Gin Rummy: the estimates of docs/lab/gin-rummy/README.md honestly and with the leak, the probes, and GIN_PAIRS (1000) pairs of games of each player (some hours at 10000). TRAIN=1: learn the weights first
	@GIN_PAIRS=$(GIN_PAIRS) scripts/gin-rummy.sh

# tarok

.PHONY: tarok
tarok: bin/roem-lab ## Table 2 of the paper on tarok and what its searches lose (docs/lab/tarok/), and how long 200 endings of each size take (on a quiet machine; some minutes)
	bin/roem-lab tarok table2 -seed 1 -n 200 -out docs/lab/tarok
	bin/roem-lab tarok table2 -seed 1 -n 200 -selection learned -out docs/lab/tarok
	bin/roem-lab tarok loss -seed 1 -n 3000 -out docs/lab/tarok
	bin/roem-lab tarok endings -seed 1 -n 200 -cards 10

TAROK_DEALS ?= 2000

.PHONY: tarok-program
tarok-program: bin/roem ## the matches of the program of tarok in docs/lab/tarok/README.md, TAROK_DEALS (2000) deals at three tables each (half an hour), and the time for a card
	for b in random heuristic quick-plain; do bin/roem tarok match -a quick -b $$b -seating one -deals $(TAROK_DEALS) -seed 101 || exit 1; done
	$(GO) test -run '^$$' -bench BenchmarkCard ./internal/engine/tarok/advice

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (10s)
	@scripts/fuzz.sh $(FUZZTIME)

.PHONY: bench
bench: bin/roem-lab ## run the Go benchmarks (BENCH=regexp), then roem-lab klaverjas bench (BENCHARGS)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m ./...
	bin/roem-lab klaverjas bench $(BENCHARGS)

.PHONY: pgo
pgo: bin/roem-lab ## profile the search again, and for the server also requests; the compiler uses the profiles (default.pgo)
	bin/roem-lab klaverjas bench -n 600 -seed 20260101 -set uniform,class-uniform -cpuprofile cmd/roem-lab/default.pgo
	cp cmd/roem-lab/default.pgo cmd/roem/default.pgo
	$(GO) test -run '^$$' -bench CachedSolveOverHTTP -benchtime 10s -cpuprofile bin/requests.pgo -o bin/requests.test ./internal/handlers
	$(GO) tool pprof -proto -output cmd/server/default.pgo cmd/roem-lab/default.pgo bin/requests.pgo
	rm bin/requests.test bin/requests.pgo

.PHONY: readme
readme: ## write the answers of the tutorial again
	$(GO) test -count=1 -run TestReadme ./internal/handlers -update

# What the tests of the service measure for roem-lab figures.
MEASURED := bin/measured.json

.PHONY: figures
figures: bin/roem-lab ## measure the figures of the documentation again: docs/figures.json, and the pages and the contract, which state them (on a quiet machine; five minutes)
	$(PROOF) -run TestCachedThroughput -args -full -results $(CURDIR)/$(MEASURED)
	bin/roem-lab figures -measure -results $(MEASURED)
	@$(MAKE) --no-print-directory pages
	@$(MAKE) --no-print-directory generate

.PHONY: board-speed
board-speed: deps-test ## how long the board takes from loading until the first value (on a quiet machine)
	$(GO) test -count=1 -v -run TestFirstValue ./test/board -args -speed

.PHONY: pictures
pictures: deps-test ## write the pictures of the board again (docs/pictures)
	$(GO) test -count=1 -run 'TestPictures$$|TestPicturesOfAFirstVisit' ./test/board -args -pictures $(CURDIR)/docs/pictures

# PAGE is one of open, hidden, belote, gin_rummy, tarok, jobs, puzzles and plain.
.PHONY: pictures-of-views
pictures-of-views: deps-test ## a picture of every view of the pages (of PAGE), as people see it on phones and screens, and sheets of them (bin/views)
	$(GO) test -count=1 -timeout 20m -run 'TestPicturesOfViews/$(PAGE)' ./test/board -args -pictures-of-views $(CURDIR)/bin/views

.PHONY: lint
lint: lint-go lint-openapi lint-board lint-prose lint-alerts ## check the Go code, the contract, the board, the prose and the alert rules; no finding is allowed

.PHONY: lint-go
lint-go: $(GOLANGCI) ## check the Go code
	$(GO) mod verify
	$(GO) mod tidy -diff
	$(GOLANGCI) config verify
	$(GOLANGCI) run ./...
	for module in clients/go examples/bidding-assistant; do \
		$(GO) -C $$module mod tidy -diff && (cd $$module && $(CURDIR)/$(GOLANGCI) run ./...) || exit 1; \
	done

.PHONY: lint-openapi
lint-openapi: $(REDOCLY) ## check the contract
	$(REDOCLY_ENV) npm run --silent --prefix tools/openapi lint

.PHONY: lint-board
lint-board: $(TSC) ## check the types and the format of the pages, the examples and the client
	$(TSC) -p internal/web/board
	$(TSC) -p internal/web/board/tsconfig.test.json
	$(TSC) -p examples
	$(TSC) -p clients/typescript/test --noEmit
	$(PRETTIER) --config .prettierrc.json --check $(FORMATTED)

# Texts that users read.
PROSE = *.md docs/*.md docs/tutorials docs/how-to docs/reference docs/explanation docs/project docs/lab clients/*/README.md examples/README.md tools/release/archive.md api/src \
	internal/web/board/src/*/*words-en.ts

.PHONY: lint-prose
lint-prose: $(VALE) ## check the words of the documents, the contract and the pages (tools/prose)
	$(VALE) --config tools/prose/vale.ini --output line --no-global $(PROSE)

.PHONY: lint-alerts
lint-alerts: ## check the alert rules, their tests, and the expressions of the dashboard
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

.PHONY: generate
generate: $(TSC) ## write the generated code again, the board's too
	$(GO) test -count=1 -run 'TestRulesPages$$' ./internal/web -args -write-pages
	$(GO) generate ./...
	tools/board/node_modules/.bin/openapi-ts -f tools/board/openapi-ts.config.mjs >/dev/null
	@$(MAKE) --no-print-directory pages

.PHONY: pages
pages: ## write the parts of docs/ that follow from the code and from docs/figures.json: operations, errors, configuration keys, metrics, figures
	$(GO) test -count=1 -run 'Pages?$$' ./internal/config ./internal/metrics -args -write-pages
	$(GO) test -count=1 -run 'TestOperationsPage|TestErrorsPages' ./internal/handlers -args -write-pages
	$(GO) test -count=1 -run 'TestFigures$$|TestEmbedded$$' ./internal/lab/figures -args -write-pages

.PHONY: check-generated
check-generated: ## fail if the committed generated code is not what make generate writes
	@scripts/check-generated.sh

.PHONY: check-contract
check-contract: ## fail if the contract breaks clients of the last release in a way that CHANGELOG.md does not announce
	$(GO) -C tools/contract test $(TESTFLAGS) ./...
	$(GO) -C tools/contract run -trimpath . $(CURDIR)

# The modules are read from the programs themselves. The licences are those of internal/web/notices.txt.
.PHONY: sbom
sbom: build $(CYCLONEDX) ## write what each program consists of, as CycloneDX: bin/*.cdx.json
	for program in server roem roem-lab; do \
		$(CYCLONEDX) bin -json -std -version '$(VERSION)' -output bin/$$program.cdx.json bin/$$program; \
		$(GO) -C tools/audit run ./sbom $(CURDIR)/bin/$$program.cdx.json; \
	done

$(CYCLONEDX): tools/audit/go.mod tools/audit/go.sum
	$(GO) build -C tools/audit -trimpath -o $(CURDIR)/$@ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	@touch $@

# Where a release is written. PLATFORMS=linux/amd64 builds for that platform only.
DIST      ?= dist
PLATFORMS ?=
# TRIAL=1 makes a release to try, also from a commit without a tag.
TRIAL ?=

.PHONY: release
release: client-typescript $(CYCLONEDX) ## build everything of a release into dist/: make release VERSION=v0.1.0, from its tag; TRIAL=1: from any commit (docs/project/releasing.md; some minutes)
	@TRIAL='$(TRIAL)' scripts/release.sh '$(VERSION:v%=%)' '$(DIST)' $(CYCLONEDX) $(PLATFORMS)

.PHONY: address
address: ## write the address of the project wherever it stands: make address ADDRESS=https://host/owner/roem (docs/project/releasing.md)
	@scripts/address.sh '$(ADDRESS)'

.PHONY: test-release
test-release: ## build a release for this platform twice, compare the bytes, and use it from an empty folder in each language
	@scripts/test-release.sh

.PHONY: vulncheck
vulncheck: ## check for known vulnerabilities; fails if there are some, and if their database cannot be reached
	@scripts/vulncheck.sh

.PHONY: pin-images
pin-images: ## write the present digests of the base images into the Dockerfile and deploy/ (needs docker)
	@scripts/pin-images.sh

.PHONY: clean
clean: ## remove everything that make has built or downloaded
	rm -rf bin $(TOOLS) tools/openapi/node_modules tools/board/node_modules clients/typescript/dist $(CLIENT_TESTS)
