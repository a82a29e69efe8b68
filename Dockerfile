# The image of the action: the program itself, git, and what it needs to run
# tests and engines. docs/image.md says what is in it, how to build and run it.
#
# The base is named by tag; a release build gives it with a digest.
ARG BASE=debian:bookworm-slim

FROM --platform=$BUILDPLATFORM ${BASE} AS build
ARG BUILDARCH
ARG TARGETARCH
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates curl unzip \
 && rm -rf /var/lib/apt/lists/*
COPY image/fetch.sh image/programs.csv /build/
# One Go to compile with, for this machine, and what the image gets, for its own.
RUN sh /build/fetch.sh /build/programs.csv "$BUILDARCH" /build go \
 && sh /build/fetch.sh /build/programs.csv "$TARGETARCH" /out
ENV PATH=/build/bin:$PATH CGO_ENABLED=0 GOARCH=$TARGETARCH GOTOOLCHAIN=local GOFLAGS=-trimpath
# The go command checks what it installs against the checksum database.
COPY internal/scan/engine/tools.csv /build/
RUN --mount=type=cache,target=/root/.cache/go-build --mount=type=cache,target=/root/go/pkg/mod \
    sed -n 's/.*,go install \([^,]*\),.*/\1/p' /build/tools.csv | while read -r program; do \
      go install -ldflags='-s -w' "$program" || exit 1; \
    done \
 && find /root/go/bin -type f -exec mv {} /out/bin/ \;
WORKDIR /src
COPY . .
ARG VERSION=dev
# The tags leave out the grammars of languages that qa does not read.
RUN --mount=type=cache,target=/root/.cache/go-build --mount=type=cache,target=/root/go/pkg/mod \
    go build -tags grammar_subset,grammar_subset_javascript,grammar_subset_typescript,grammar_subset_tsx,grammar_subset_python,grammar_subset_rust,grammar_subset_java \
      -ldflags="-s -w -X github.com/org/qa-action/internal/cli.Version=$VERSION" -o /out/bin/qa ./cmd/qa

FROM ${BASE}
ARG VERSION=dev
LABEL org.opencontainers.image.title="qa-action" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.source="https://github.com/org/qa-action"
# A C compiler is for Go's race detector, and for packages that have no compiled
# form for this platform.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates gcc git libc6-dev make python3 tzdata \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log /usr/share/doc /usr/share/man /usr/share/locale
# The user of the code under test has a name, which programs look up.
RUN echo 'qa:x:65532:65532:code that qa runs:/:/bin/sh' >> /etc/passwd \
 && echo 'qa:x:65532:' >> /etc/group
COPY --from=build /out/ /usr/local/
# Root, as the workflow runner demands of an action; the code of a repository
# never runs as root.
ENTRYPOINT ["/usr/local/bin/qa"]
