# make test   sets up the sample projects and runs all tests
# make check  what CI runs: vet, lint and the tests
# make unit   the tests that need nothing but Go and git
# make build  bin/qa

GO    ?= go
# Only the grammars we read are put into the binary; the tags change its size,
# never what it does.
TAGS  := grammar_subset,grammar_subset_javascript,grammar_subset_typescript,grammar_subset_tsx,grammar_subset_python
CACHE := $(CURDIR)/.cache
BIN   := $(CACHE)/bin
LINT  := $(BIN)/golangci-lint

.PHONY: build test unit check vet lint fixtures clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -tags $(TAGS) -ldflags "-s -w" -o bin/qa ./cmd/qa

test: fixtures
	QA_E2E=1 PATH="$(BIN):$$PATH" $(GO) test -race -shuffle=on -timeout 25m -p 2 ./...

unit:
	$(GO) test -race -shuffle=on ./...

check: vet lint test

vet:
	$(GO) vet ./...

lint: $(LINT)
	$(LINT) run ./...

# Pinned, and built with our own toolchain so that it knows our Go version.
$(LINT):
	GOBIN=$(BIN) GOFLAGS= $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.5.0

fixtures:
	testdata/setup.sh

clean:
	rm -rf bin .cache
