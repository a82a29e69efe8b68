# make test   sets up the sample projects and runs all tests but most whole runs
# make whole  the whole runs and sample projects that make test leaves out
# make check  what CI runs: both, tidy, lint and dead code
# make unit   the tests that need nothing but Go and git
# make slow   the same scripts and sample projects, with those left out for their time
# make deep   these, and the tests that need linters, podman and chromium as well
# make bank   grades the assurance chain
# make eval   runs the product on changes with and without a known defect
# make sound  holds verdicts against the bare test command, in docs/soundness.md
# make contact DIR=clones   runs it on clones of public repositories, in docs/contact.md
# make impact CLONES="DIR…" holds tests: impacted against whole runs, see docs/impacted.md
# make pictures   takes the pictures of docs/pictures (needs chromium and a font with emoji)
# make fuzz FUZZTIME=1m   every fuzz target for that long, side by side
# make demo   bin/qa on a small project with a change that breaks a test
# make site   the documentation as a site, which fails on a dead link
# make build  bin/qa
# make run    bin/qa run on this repository; ARGS="scan --help" is another command
# make programs VERSION=1.2.3   what a release offers for download, in dist/

GO    ?= go
# Only the grammars we read are put into the binary; the tags change its size,
# never what it does. Every target has them, so that tests run what is shipped.
TAGS  := grammar_subset,grammar_subset_javascript,grammar_subset_typescript,grammar_subset_tsx,grammar_subset_python,grammar_subset_rust,grammar_subset_java
CACHE := $(CURDIR)/.cache
BIN   := $(CACHE)/bin
LINT  := $(BIN)/golangci-lint

# The race detector waits a second at the end of every program it watches, and
# the tests start hundreds.
export GORACE := atexit_sleep_ms=0

# Tests start make themselves, and what this one is told is not meant for theirs.
unexport MAKEFLAGS MFLAGS

# Tests make and remove hundreds of thousands of small files, which a disk takes longer
# for than for all the rest: they are kept in memory where there is room for them and
# programs may be started from there. TMPDIR=/tmp is the other way.
SCRATCH = $(or $(TMPDIR),$(shell d=/dev/shm; room=$$(df -Pk $$d 2>/dev/null | awk 'NR==2 {print $$4}'); \
  free=$$(awk '/^MemAvailable/ {print $$2}' /proc/meminfo 2>/dev/null); \
  if [ "$${room:-0}" -gt 8000000 ] && [ "$${free:-0}" -gt 8000000 ] && p=$$(mktemp $$d/qa-XXXXXX 2>/dev/null); then \
    printf '\043!/bin/sh\nexit 0\n' > $$p; chmod +x $$p; if $$p 2>/dev/null; then echo $$d; else echo /tmp; fi; rm -f $$p; \
  else echo /tmp; fi))

ARGS  ?= run

.PHONY: build demo run programs test whole tests slow deep bank eval sound contact impact pictures fuzz unit site check tidy lint dead fixtures clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -tags $(TAGS) -ldflags "-s -w" -o bin/qa ./cmd/qa

demo: build
	bin/qa demo --keep

run: build
	bin/qa $(ARGS)

TARGETS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64

programs:
	rm -rf dist && mkdir dist
	set -e; for target in $(TARGETS); do \
	  os=$${target%/*} arch=$${target#*/} end=; \
	  if [ "$$os" = windows ]; then end=.exe; fi; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -tags $(TAGS) \
	    -ldflags "-s -w -X github.com/org/qa-action/internal/cli.Version=$(VERSION)" \
	    -o "dist/qa_$(VERSION)_$${os}_$${arch}$$end" ./cmd/qa; \
	done
	cd dist && sha256sum qa_* > checksums.txt && $(GO) version -m qa_* > modules.txt

# The tests that the first line of `test` skips, by name.
E2E  = $(shell sed -n 's/^func \(Test[A-Za-z0-9]*\)(t \*testing\.T).*/\1/p' internal/cli/*_e2e_test.go internal/framework/*_e2e_test.go bench/sound/*_e2e_test.go | paste -sd '|' -)

# The tests that leave themselves out where the race detector watches, and the packages
# with tests that do so, or that have less to do there.
CALM = $(shell awk '/^func Test/ {sub(/[^A-Za-z0-9_].*/, "", $$2); name = $$2} /fixture\.WithoutRaceDetector\(t\)/ {print name}' internal/cli/*_test.go internal/framework/*_test.go | sort -u | paste -sd '|' -)
CALMLY = $(addprefix ./,$(filter-out internal/cli internal/framework,$(sort $(patsubst %/,%,$(dir \
  $(shell grep -rlE --include='*_test.go' 'fixture\.(WithoutRaceDetector\([tf]\)|Raced\(\))' internal))))))

# Those of them that `test` plays all the same: each framework that starts quickly on its
# sample project, the scripts that need nothing but git, a pull request from push to push.
FIRST := TestFixturesRun|TestScripts|TestStoryOfAPullRequest|TestTrust|TestDoctorAsksWhatTheTokenMayDo|TestDoctorCallsTheModel

# Whole runs and sample projects. Some of them wait for time limits, so that on two cores
# four at once keep both at work.
PLAY  = TMPDIR=$(SCRATCH) QA_E2E=1 $(GO) test -tags $(TAGS) -vet=off -shuffle=on -parallel 4
WHOLE = $(PLAY) -run '^($(E2E)|$(CALM)|TestScripts)$$'

define tested
TMPDIR=$(SCRATCH) $(GO) test -tags $(TAGS) -vet=off -race -shuffle=on -p 3 -timeout 20m ./...
TMPDIR=$(SCRATCH) $(GO) test -tags $(TAGS) -vet=off -shuffle=on -timeout 20m $(CALMLY)
$(PLAY) -run '^($(FIRST))$$' -timeout 20m ./internal/cli ./internal/framework
endef

define rest
$(WHOLE) -skip '^($(FIRST))$$' -timeout 60m ./internal/cli ./internal/framework ./bench/sound
endef

test: fixtures
	$(tested)

whole: fixtures
	$(rest)

# One after the other: both keep every core busy.
tests: fixtures
	$(tested)
	$(rest)

slow: fixtures
	QA_DEEP=1 $(WHOLE) -timeout 170m ./internal/cli ./internal/framework
	QA_DEEP=1 $(GO) test -tags $(TAGS) -vet=off -shuffle=on -timeout 20m ./internal/impact

# What needs more than Go, Node, Python and git: the linters of docs/severity.md
# on PATH, podman, chromium.
deep: fixtures slow
	QA_E2E=1 $(GO) test -tags $(TAGS) -timeout 60m ./image ./internal/scan/... ./internal/runtime/... ./internal/process ./internal/session ./internal/formatter ./internal/reporter/...

# Grades the assurance chain on all labelled candidate tests.
bank: fixtures
	QA_E2E=1 QA_BANK=1 $(GO) test -tags $(TAGS) -v -timeout 60m ./internal/role/assurance

# Recorded replies answer; EVAL="-model NAME -model-base-url URL" asks an
# endpoint, EVAL=-check holds the cases to what they say. See docs/evaluation.md.
EVAL ?=

eval: build fixtures
	GOCACHE=$$($(GO) env GOCACHE) $(GO) run -tags $(TAGS) ./bench/eval $(EVAL)

# Verdicts against the bare test command: SOUND="-run REGEXP" takes some cells,
# SOUND=-list names them, SOUND="-repos LIST.csv" runs local clones.
SOUND ?= -write docs/soundness.md

sound: build fixtures
	$(GO) run -tags $(TAGS) ./bench/sound -cache $(CACHE)/sound $(SOUND)

# Clones of public repositories lie in DIR, with nothing installed; facts about them
# in testdata/contact/repositories.csv. CONTACT="-run REGEXP" takes some.
CONTACT ?=

contact: build
	$(GO) run -tags $(TAGS) ./bench/contact -dir "$(DIR)" -write docs/contact.md $(CONTACT)

# Puts faults into clones whose dependencies are installed, on branches of its own.
impact: build
	$(GO) run -tags $(TAGS) ./bench/impact -qa bin/qa $(CLONES)

pictures: build
	$(GO) run -tags $(TAGS) ./bench/pictures

FUZZTIME ?= 10s

fuzz:
	$(GO) run -tags $(TAGS) ./bench/fuzz -tags $(TAGS) -time $(FUZZTIME)

unit:
	$(GO) test -tags $(TAGS) -race -shuffle=on ./...
	$(GO) test -tags $(TAGS) -shuffle=on $(CALMLY)

# The longest first: .ci/run has two of them at once.
check: tests tidy lint dead

# Fails where go.mod or go.sum is not what the code asks for.
tidy:
	$(GO) mod tidy -diff

# Functions that nothing calls, tests included. Exported names that nobody else
# uses are a test of internal/floors.
dead:
	@dead=$$($(GO) tool deadcode -tags $(TAGS) -test ./...) && if [ -n "$$dead" ]; then echo "$$dead"; exit 1; fi

# All that go vet looks at, and more.
lint: $(LINT)
	$(LINT) run --build-tags $(TAGS) ./...

# Pinned, and built with our own toolchain so that it knows our Go version.
$(LINT):
	GOBIN=$(BIN) GOFLAGS= $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.5.0

fixtures:
	testdata/setup.sh

# The documentation as a site, in .cache/site; fails on a dead link. Needs Python 3.11.
SITE ?= build

site:
	test -x $(CACHE)/mkdocs/bin/mkdocs || python3 -m venv $(CACHE)/mkdocs
	$(CACHE)/mkdocs/bin/pip install -q --disable-pip-version-check --require-hashes -r .github/docs-requirements.txt
	$(CACHE)/mkdocs/bin/mkdocs $(SITE) --strict -q -f .github/mkdocs.yml

clean:
	rm -rf bin dist .cache
