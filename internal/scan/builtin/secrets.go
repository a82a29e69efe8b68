// Package builtin has the engines that need no program: credentials, complexity,
// what coverage leaves out, and tests that check nothing.
package builtin

import (
	"context"
	"errors"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// Secrets finds credentials with gitleaks' rules (gitleaks.io). The whole file
// is read, for keys span lines, but only those on lines the change wrote are
// new.
var Secrets = engine.Engine{
	Name:         "secrets",
	Perspectives: []qa.Perspective{qa.Security},
	PerFile:      true, LineOnly: true,
	Run: runSecrets,
}

func runSecrets(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	engine.Each(ctx, p.Files, func(f *engine.File) { _, _ = f.Credentials() })
	var hits []engine.Hit
	var errs []error
	for _, f := range p.Files {
		if ctx.Err() != nil {
			return hits, ctx.Err()
		}
		found, err := f.Credentials()
		if err != nil {
			errs = append(errs, err)
		}
		for _, found := range found {
			h := engine.Hit{
				Rule: "gitleaks/" + found.Rule.ID, Path: f.Path,
				Lines:      qa.Range{Start: found.StartLine, End: found.EndLine},
				Column:     found.Column,
				Message:    strings.TrimSuffix(found.Rule.Description, ".") + ". Whoever reads the repository has it, now and in its history.",
				Suggestion: "Revoke it, read it from the environment or a secret store, and rewrite the commit before it is merged.",
				Secrets:    []string{found.Secret},
			}
			if f.Kind == qa.KindTest || f.Example() {
				// A key that only a test needs is rarely live: worth a look, no alarm.
				h.Severity = qa.Low
			}
			hits = append(hits, h)
		}
	}
	return hits, errors.Join(errs...)
}
