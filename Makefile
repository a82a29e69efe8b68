# make test   sets up and passes all tests
# make check  what CI runs: vet, lint, floors, tests
# make build  bin/qa
GO       ?= go
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.5.0

.PHONY: test unit check lint vet build fixtures tools

build:
	$(GO) build -trimpath -o bin/qa ./cmd/qa

test: fixtures tools
	QA_E2E=1 PATH="$(CURDIR)/.cache/bin:$$PATH" $(GO) test -race -shuffle=on -timeout 20m ./...

unit:
	$(GO) test -race -shuffle=on ./...

vet:
	$(GO) vet ./...
