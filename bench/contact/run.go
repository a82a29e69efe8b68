package main

import (
	"context"
	"os"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
)

// passedOn are the variables without which a package manager reaches nothing.
var passedOn = []string{
	"PATH", "HOME", "GOPROXY", "GOSUMDB", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "PIP_INDEX_URL", "PIP_CERT", "UV_DEFAULT_INDEX", "NPM_CONFIG_REGISTRY",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
}

// ask runs the product as somebody would who has never heard of it.
func (b *bench) ask(ctx context.Context, f fact, dir string) (row, error) {
	var env []string
	for _, name := range passedOn {
		if v, set := os.LookupEnv(name); set {
			env = append(env, name+"="+v)
		}
	}
	a, err := repo.Ask(ctx, process.Command{
		Argv: []string{b.program, "run", "--quiet", "--runtime", "host", "--history", "none", "--base", f.base}, Dir: dir, Env: env, Timeout: b.limit,
	})
	if err != nil {
		return row{}, err
	}
	out := row{fact: f, verdict: "none", lines: -1, seconds: a.Seconds, processor: a.Processor.Seconds()}
	out.outcome, out.why = judge(f, a.Report, a.Last)
	if r := a.Report; r != nil {
		out.verdict, out.tally, out.lines = string(r.Result), r.Tests.Head, covered(r)
	}
	return out, nil
}
