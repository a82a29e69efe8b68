package scan

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/logging"

	"github.com/rs/zerolog"

	"github.com/org/qa-action/internal/qa"
)

// secrets finds credentials with gitleaks' rules (gitleaks.io). The whole file
// is read, for keys span lines, but only those on lines the change wrote are
// new.
var secrets = Engine{
	Name: "secrets", Doc: "credentials, by the rules of gitleaks",
	Perspectives: []qa.Perspective{qa.Security},
	PerFile:      true, LineOnly: true,
	Run: runSecrets,
}

// detector is built once: loading the rules compiles 200 expressions. The
// library keeps its settings in a package variable, so nobody else may load.
var detector = sync.OnceValues(func() (config.Config, error) {
	logging.Logger = zerolog.Nop()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return config.Config{}, fmt.Errorf("load the rules of gitleaks: %w", err)
	}
	return d.Config, nil
})

func runSecrets(ctx context.Context, p *Pass) ([]Hit, error) {
	rules, err := detector()
	if err != nil {
		return nil, err
	}
	var hits []Hit
	for _, f := range p.Files {
		if ctx.Err() != nil {
			return hits, ctx.Err()
		}
		d := detect.NewDetectorContext(ctx, rules)
		for _, found := range d.DetectContext(ctx, detect.Fragment{Raw: string(f.Source), FilePath: f.Path}) {
			if found.Secret == "" || harmless(f, found.RuleID, found.Secret) {
				continue
			}
			h := Hit{
				Rule: "gitleaks/" + found.RuleID, Path: f.Path,
				// The library counts lines from 0 here.
				Lines:      qa.Range{Start: found.StartLine + 1, End: found.EndLine + 1},
				Column:     found.StartColumn,
				Message:    strings.TrimSuffix(found.Description, ".") + ". Whoever reads the repository has it, now and in its history.",
				Suggestion: "Revoke it, read it from the environment or a secret store, and rewrite the commit before it is merged.",
				Secrets:    []string{found.Secret},
			}
			if f.Kind == qa.KindTest || fixture.MatchString(f.Path) {
				// A key that only a test needs is rarely live: worth a look, no alarm.
				h.Severity = qa.Low
			}
			hits = append(hits, h)
		}
	}
	return hits, nil
}

// fixture matches the usual homes of examples and test data.
var fixture = regexp.MustCompile(`(?i)(^|/)(testdata|fixtures?|__fixtures__|examples?|mocks?|__mocks__|tests?|docs?)/`)

// harmless drops what looks like a credential and is none: the rule for any
// assignment of a random-looking text is a guess that tests, documents and
// lock files are full of.
func harmless(f *File, rule, secret string) bool {
	if rule != "generic-api-key" {
		return placeholder.MatchString(secret)
	}
	return f.Kind == qa.KindTest || f.Kind == qa.KindDocs || fixture.MatchString(f.Path) ||
		lockFile(f.Path) || placeholder.MatchString(secret) || identifier.MatchString(secret)
}

var (
	placeholder = regexp.MustCompile(`(?i)example|dummy|placeholder|changeme|your[-_]|xxxx|0123456789|abcdefgh`)
	// identifier is a name in code: words joined by dots, dashes or case.
	identifier = regexp.MustCompile(`^[A-Za-z]+([._/-][A-Za-z]+)*$`)
)

func lockFile(p string) bool {
	base := path.Base(p)
	return strings.HasSuffix(base, ".lock") || strings.HasSuffix(base, ".sum") || strings.HasSuffix(base, "-lock.json") ||
		strings.HasSuffix(base, "-lock.yaml") || strings.HasSuffix(base, "-lock.yml")
}
