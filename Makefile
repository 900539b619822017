# The targets list themselves: `make` or `make help`.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
export CGO_ENABLED := 0
# The same for program, tests and linter, which then share what was compiled.
# A dependency's tracing pages would have the linker keep every method of every type.
export GOFLAGS := -trimpath -tags=grpcnotrace

DATA ?= ./data
LISTEN ?= 127.0.0.1:8080
WEB_SOURCES := $(shell find web/src web/public web/index.html web/vite.config.ts web/routeFiles.ts web/package-lock.json -type f 2>/dev/null)
GO_SOURCES := $(shell find cmd internal web/embed.go go.mod go.sum -type f 2>/dev/null)

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

.PHONY: run
run: build ## Build what is missing and start the demo on http://localhost:8080
	bin/wcpp demo --listen $(LISTEN) --data $(DATA)

.PHONY: build
build: ## Build bin/wcpp, one static file with the application inside
	+@$(MAKE) --no-print-directory -j2 bin/wcpp

bin/wcpp: $(GO_SOURCES) web/dist/index.html
	go build -ldflags '-s -w' -o $@ ./cmd/wcpp

# In the first build, Go's packages compile while the application is downloaded and bundled.
ifeq ($(wildcard bin/wcpp),)
bin/wcpp: | go-packages
endif

.PHONY: go-packages
go-packages:
	@go build $$(go list -deps ./cmd/wcpp | grep ^wcpp/internal/ | grep -v ^wcpp/internal/app)

web/dist/index.html: $(WEB_SOURCES) go.mod $(wildcard tools/package/*.go) tools/compress.mjs web/node_modules/.installed
	cd web && npx vite build --logLevel warn
	mv web/dist/bundled.json web/bundled.json
	cd tools/package && go run . notices > ../../web/dist/notices.txt || { rm ../../web/dist/index.html; exit 1; }
	node tools/compress.mjs web/dist

web/node_modules/.installed: web/package-lock.json
	cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

tools/openapi/node_modules/.installed: tools/openapi/package-lock.json
	cd tools/openapi && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

e2e/node_modules/.installed: e2e/package-lock.json
	cd e2e && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: dev
dev: build ## Serve on http://localhost:5173/wcpp/ and follow every change of the sources
	tools/dev $(LISTEN) $(DATA)

.PHONY: gen
gen: tools/openapi/node_modules/.installed ## Write the API document, the browser's types and the tables of the docs anew
	@mkdir -p web/dist && touch web/dist/.gitkeep
	go run ./cmd/wcpp openapi > web/src/api/openapi.json
	tools/openapi/node_modules/.bin/openapi-typescript web/src/api/openapi.json -o web/src/api/schema.d.ts
	go test ./internal/app -run 'TestAccessMatrix|TestLabels|TestWhatIsKeptIsKnown|TestDocumentedColumns|TestStoredValues' -update
	go test ./cmd/wcpp -run TestSettingsReference -update
	go test ./internal/rosters -run TestDocumentedTemplate -update

.PHONY: check
check: check-go check-web check-gen check-prose check-vulnerabilities check-unit check-size check-release ## Linters, types, import walls, stale generated files, wording, known vulnerabilities, the unit, the program's size, the same bytes anywhere

.PHONY: check-go
check-go:
	@go tool -modfile=tools/go/go.mod golangci-lint run --show-stats=false ./...

.PHONY: check-web
check-web: web/node_modules/.installed e2e/node_modules/.installed
	cd web && npx biome check . --error-on-warnings && npx tsc --noEmit
	cd e2e && ../web/node_modules/.bin/biome check . --error-on-warnings && npx tsc --noEmit

.PHONY: check-prose
check-prose:
	@node --test --test-reporter=dot tools/prose/ >/dev/null
	@node tools/prose/check.mjs

.PHONY: check-vulnerabilities
check-vulnerabilities:
	@node --test --test-reporter=dot tools/vulnerabilities/ >/dev/null
	@node tools/vulnerabilities/check.mjs

.PHONY: check-unit
check-unit:
	@tools/check-unit ops/debian/wcpp.service /bin/true

# Where a dependency looks methods up by their names, the linker keeps all of them: ten megabytes.
.PHONY: check-size
check-size: bin/wcpp
	@size=$$(wc -c <bin/wcpp); test $$size -lt 60000000 || { echo "bin/wcpp has $$size bytes; it may have 60000000"; exit 1; }

.PHONY: check-gen
check-gen: bin/wcpp tools/openapi/node_modules/.installed
	@dir=$$(mktemp -d); trap "rm -rf $$dir" EXIT; \
	bin/wcpp openapi > $$dir/openapi.json; \
	tools/openapi/node_modules/.bin/openapi-typescript $$dir/openapi.json -o $$dir/schema.d.ts >/dev/null; \
	diff -q $$dir/openapi.json web/src/api/openapi.json && diff -q $$dir/schema.d.ts web/src/api/schema.d.ts \
	  || { echo "The generated API files are stale: run make gen"; exit 1; }

.PHONY: test
test: system build ## Everything: checks, Go on both databases, browser units, the program in Chromium
	@# Two at a time, so that no processor idles: the browser's units use one, and Go's tests wait for disks and clocks.
	+@$(MAKE) --no-print-directory --output-sync=line -j2 test-web check test-go
	+@$(MAKE) --no-print-directory test-e2e
	@echo "make test: all passed"

.PHONY: system
system:
	@tools/install-system

# The linter vets; without their symbols the tests of a package are linked in half the time.
.PHONY: test-go
test-go: bin/wcpp
	TMPDIR=$$(tools/test-tmp) tools/with-postgres go test -vet=off -ldflags='-s -w' -timeout 1h ./...
	cd tools/package && go test ./...

.PHONY: ledger
ledger: web/dist/index.html ## Files of bills and payments in every order, side by side and killed: the same rows
	TMPDIR=$$(tools/test-tmp) tools/with-postgres go test ./internal/bills/ledger -timeout 0 -v \
	  -run 'TestOrderChangesNothing|TestFilesInAnyOrderEndInTheSameRows' -families $${FAMILIES:-2000} -orders $${ORDERS:-24} -seed $${SEED:-0}
	TMPDIR=$$(tools/test-tmp) tools/with-postgres go test ./cmd/wcpp -timeout 0 -v -run TestKilledImport -kills $${KILLS:-40}

.PHONY: test-web
test-web: web/node_modules/.installed
	cd web && npx vitest run

.PHONY: test-e2e
test-e2e: build e2e/node_modules/.installed
	tmp=$$(tools/test-tmp); cd e2e && TMPDIR=$$tmp npx playwright test

.PHONY: test-browsers
test-browsers: build e2e/node_modules/.installed ## A few ways through the program in Chromium, Firefox and WebKitGTK
	@tools/install-system engines
	tmp=$$(tools/test-tmp); cd e2e && TMPDIR=$$tmp npx playwright test --config engines.config.ts

.PHONY: tour
tour: build e2e/node_modules/.installed ## Take the pictures of docs/tour.md anew
	tmp=$$(tools/test-tmp); cd e2e && PICTURES=1 TMPDIR=$$tmp npx playwright test --project=chromium tour.spec.ts

.PHONY: release
release: web/dist/index.html ## Build VERSION=x for Linux, macOS and Windows into dist/, with checksums, notices and packages
	tools/release "$(VERSION)"

.PHONY: check-release
check-release: web/dist/index.html ## Build from two directories: the same bytes
	tools/release check

.PHONY: check-package
check-package: web/dist/index.html ## Install, upgrade and purge the Debian package, run the image, try the alerts; as root
	@tools/install-system packages
	TMPDIR=$$(tools/test-tmp) tools/check-package

.PHONY: container
container: ## Make the image wcpp:VERSION of the released program
	tools/container "$(VERSION)"

.PHONY: load
load: build ## An office's morning on the portal, up to the knee and twice that, on both databases
	WCPP_TEST_POSTGRES= WCPP_PG_FSYNC=on tools/with-postgres go run ./bench -only load

.PHONY: soak
soak: build ## An hour of steady load on each database: memory, descriptors, logs and tables stay
	WCPP_TEST_POSTGRES= WCPP_PG_FSYNC=on tools/with-postgres go run ./bench -only soak -for $${FOR:-1h}

.PHONY: simulate
simulate: web/dist/index.html ## Days of offices and staff under SEED with faults, on both databases; a violation becomes a script
	TMPDIR=$$(tools/test-tmp) tools/with-postgres go run ./simulate -seed $${SEED:-0} -days $${DAYS:-1} -scripts $${SCRIPTS:-10}

.PHONY: simulate-mutants
simulate-mutants: web/dist/index.html ## Prove the simulation: it finds nine faults that patches bring back
	TMPDIR=$$(tools/test-tmp) tools/with-postgres simulate/mutants/check

.PHONY: bench
bench: build ## Measure the portal against the bare databases into docs/measurements.md
	WCPP_TEST_POSTGRES= WCPP_PG_FSYNC=on tools/with-postgres go run ./bench
