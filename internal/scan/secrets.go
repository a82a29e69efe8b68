package scan

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

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

// detector is read once, for that compiles 200 expressions and a search tree of
// their words.
var detector = sync.OnceValues(readCredentialRules)

func runSecrets(ctx context.Context, p *Pass) ([]Hit, error) {
	if _, err := detector(); err != nil {
		return nil, err
	}
	each(ctx, p.Files, func(f *File) { _, _ = f.credentials() })
	var hits []Hit
	var errs []error
	for _, f := range p.Files {
		if ctx.Err() != nil {
			return hits, ctx.Err()
		}
		found, err := f.credentials()
		if err != nil {
			errs = append(errs, err)
		}
		for _, found := range found {
			h := Hit{
				Rule: "gitleaks/" + found.rule.ID, Path: f.Path,
				Lines:      qa.Range{Start: found.startLine, End: found.endLine},
				Column:     found.column,
				Message:    strings.TrimSuffix(found.rule.Description, ".") + ". Whoever reads the repository has it, now and in its history.",
				Suggestion: "Revoke it, read it from the environment or a secret store, and rewrite the commit before it is merged.",
				Secrets:    []string{found.secret},
			}
			if f.Kind == qa.KindTest || fixture.MatchString(f.Path) {
				// A key that only a test needs is rarely live: worth a look, no alarm.
				h.Severity = qa.Low
			}
			hits = append(hits, h)
		}
	}
	return hits, errors.Join(errs...)
}

// detectIn finds the credentials in a file. Settling asks for them too, to hide
// them in what other engines quote; so they are looked for once.
func detectIn(f *File) (out []credential, err error) {
	all, err := detector()
	if err != nil {
		return nil, err
	}
	// This runs on goroutines of its own, where nobody else would catch it.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("look for credentials in %s: crashed: %v", f.Path, r)
		}
	}()
	for _, found := range all.find(f.Path, string(f.Source)) {
		if found.secret != "" && !harmless(f, found.rule.ID, found.secret) {
			out = append(out, found)
		}
	}
	return out, nil
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
