package engine

import (
	"fmt"
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/credential"
)

// Credentials are what must not be shown of the file. They are looked for once.
func (f *File) Credentials() ([]credential.Credential, error) { return f.credentials() }

// detectIn finds the credentials in a file. Settling asks for them too, to hide
// them in what other engines quote; so they are looked for once.
func detectIn(f *File) (out []credential.Credential, err error) {
	all, err := credential.Detector()
	if err != nil {
		return nil, err
	}
	// This runs on goroutines of its own, where nobody else would catch it.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("look for credentials in %s: crashed: %v", f.Path, r)
		}
	}()
	for _, found := range all.Find(f.Path, string(f.Source)) {
		if found.Secret != "" && !harmless(f, found.Rule.ID, found.Secret) {
			out = append(out, found)
		}
	}
	return out, nil
}

// Example reports whether the file stands where examples and test data do.
func (f *File) Example() bool { return fixture.MatchString(f.Path) }

// fixture matches the usual homes of examples and test data.
var fixture = pattern.New(`(?i)(^|/)(testdata|fixtures?|__fixtures__|examples?|mocks?|__mocks__|tests?|docs?)/`)

// harmless drops what looks like a credential and is none: the rule for any
// assignment of a random-looking text is a guess that tests, documents and
// lock files are full of.
func harmless(f *File, rule, secret string) bool {
	if rule != "generic-api-key" {
		return placeholder.MatchString(secret)
	}
	return f.Kind == qa.KindTest || f.Kind == qa.KindDocs || f.Example() ||
		lockFile(f.Path) || placeholder.MatchString(secret) || identifier.MatchString(secret)
}

var (
	placeholder = pattern.New(`(?i)example|dummy|placeholder|changeme|your[-_]|xxxx|0123456789|abcdefgh`)
	// identifier is a name in code: words joined by dots, dashes or case.
	identifier = pattern.New(`^[A-Za-z]+([._/-][A-Za-z]+)*$`)
)

func lockFile(p string) bool {
	base := path.Base(p)
	return strings.HasSuffix(base, ".lock") || strings.HasSuffix(base, ".sum") || strings.HasSuffix(base, "-lock.json") ||
		strings.HasSuffix(base, "-lock.yaml") || strings.HasSuffix(base, "-lock.yml")
}
