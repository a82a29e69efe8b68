package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
)

// passedOn are the variables without which a package manager reaches nothing.
var passedOn = []string{
	"PATH", "HOME", "GOPROXY", "GOSUMDB", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "PIP_INDEX_URL", "PIP_CERT", "UV_DEFAULT_INDEX", "NPM_CONFIG_REGISTRY",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
}

// ask runs the product as somebody would who has never heard of it.
func (b *bench) ask(ctx context.Context, f fact, repo string) (row, error) {
	var env []string
	for _, name := range passedOn {
		if v, set := os.LookupEnv(name); set {
			env = append(env, name+"="+v)
		}
	}
	res, err := process.Run(ctx, process.Command{
		Argv: []string{b.program, "run", "--quiet", "--runtime", "host", "--history", "none", "--base", f.base}, Dir: repo, Env: env, Timeout: b.limit,
	})
	if err != nil {
		return row{}, err
	}
	last := strings.TrimSpace(string(res.Stderr))
	if res.TimedOut {
		last = "no end after " + b.limit.String()
	}
	r, err := read(repo)
	if err != nil {
		return row{}, err
	}
	out := row{fact: f, verdict: "none", lines: -1, seconds: res.Seconds, processor: res.Processor.Seconds()}
	out.outcome, out.why = judge(f, r, last)
	if r != nil {
		out.verdict, out.tally, out.lines = string(r.Result), r.Tests.Head, covered(r)
	}
	return out, nil
}

// read is the report of the run, nil when it left none.
func read(repo string) (*qa.Report, error) {
	names, err := filepath.Glob(filepath.Join(repo, "qa-report", "qa-*", "report.json"))
	if err != nil || len(names) == 0 {
		return nil, err
	}
	raw, err := os.ReadFile(names[0])
	if err != nil {
		return nil, err
	}
	return reporter.Parse(bytes.TrimSpace(raw))
}
