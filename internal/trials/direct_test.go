package trials

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// A proof that calls a private function itself says so, and weighs what it did: whether
// such an input comes is for its reader.
func TestDirectProofs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nfunc Load() { parse(nil) }\n\nfunc parse(x *int) {}\n\nfunc alone() {}\n"), 0o600))
	shown := func(test, target, code string) Proof {
		return Proof{Proof: qa.Proof{Test: test, Path: "a_test.go", Base: qa.Passed, Head: qa.Failed, Regression: true, Code: code}, Source: "a.go", Target: target}
	}
	private := shown("TestP", "parse", "func TestP(t *testing.T) { parse(nil) }")
	for name, c := range map[string]struct {
		proofs []Proof
		says   bool
	}{
		"private":                {[]Proof{private}, true},
		"through what is public": {[]Proof{shown("TestP", "parse", "func TestP(t *testing.T) { Load() }")}, false},
		"one through it":         {[]Proof{private, shown("TestQ", "parse", "func TestQ(t *testing.T) { Load() }")}, false},
		"public":                 {[]Proof{shown("TestL", "Load", "func TestL(t *testing.T) { Load() }")}, false},
		"nothing reaches it":     {[]Proof{shown("TestA", "alone", "func TestA(t *testing.T) { alone() }")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Proofs{All: c.proofs, Code: related.New(checkout.Checkout{Root: root})}
			got := s.Show(s.Show(nil))
			assert.Equal(t, len(got), 1)
			assert.Equal(t, strings.Count(got[0].Message, "Shown by calling parse itself, which is private, and not through Load."), map[bool]int{true: 1}[c.says], got[0].Message)
			assert.Equal(t, got[0].Severity, qa.High)
			assert.Equal(t, got[0].Evidence, qa.Proven)
		})
	}
}
