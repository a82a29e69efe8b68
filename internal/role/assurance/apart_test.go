package assurance

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestContradicted: a test of the feature survives the proof of a regression
// beside it when one can be had without the other; one that needs the regression
// never does.
func TestContradicted(t *testing.T) {
	t.Parallel()
	const (
		base  = "package p\n\n// strict\n\n// exact\n\n// same\n\n// exact\n"
		two   = "package p\n\n// lenient\n\n// cut\n\n// same\n\n// exact\n"
		three = "package p\n\n// lenient\n\n// cut\n\n// same\n\n// cut\n"
		one   = "package p\n\n// lenient, cut\n\n// exact\n\n// same\n\n// exact\n"
	)
	for name, tc := range map[string]struct {
		head  string
		needs []string // of the captured test: what the source has to say
		kept  bool
	}{
		"the feature":              {two, []string{"lenient"}, true},
		"the regression":           {two, []string{"cut"}, false},
		"the feature and the bug":  {two, []string{"lenient", "cut"}, false},
		"one block has both":       {one, []string{"lenient"}, false},
		"it cannot be taken apart": {three, []string{"lenient"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, before := &stage{dir: t.TempDir(), results: t.TempDir(), runs: map[string]int{}}, &stage{dir: t.TempDir()}
			assert.NilError(t, tree.Write("p.go", []byte(tc.head)))
			assert.NilError(t, before.Write("p.go", []byte(base)))
			says := func(words ...string) func([]string, int) bool {
				return func([]string, int) bool {
					raw, err := os.ReadFile(filepath.Join(tree.dir, "p.go"))
					return err == nil && !slices.ContainsFunc(words, func(w string) bool { return !bytes.Contains(raw, []byte(w)) })
				}
			}
			tree.acts = map[string]func([]string, int) bool{
				"TestProof": func([]string, int) bool { return says("exact")(nil, 0) && !says("cut")(nil, 0) }, "TestNew": says(tc.needs...),
			}
			c := &Chain{
				Target: executor.Target{Dir: ".", Framework: adapter.Detection{Framework: "gotest", Dir: ".", Tools: adapter.Tools{Program: []string{"go"}}, Extent: adapter.Extent{Packages: []string{"./..."}}}},
				Keep:   fixture.Place(t, t.TempDir()),
				Trees: Trees{Head: tree, Base: before, bases: map[string][]byte{}, added: map[string][]byte{}, Read: func(name string) ([]byte, error) {
					if name == "p.go" {
						return []byte(tc.head), nil
					}
					return []byte(neighbours), nil
				}},
			}
			verdict := func(name, class string, kept bool) Verdict {
				v := Verdict{
					Candidate: generator.Candidate{Path: "p_test.go", Source: "p.go", Target: "F"},
					placed:    []byte(neighbours + "\nfunc " + name + "(t *testing.T) {}\n"), ids: []qa.Case{{Suite: "p", Name: name}},
				}
				v.Name, v.Path, v.Target, v.Class, v.Kept = name, "p_test.go", "F", class, kept
				return v
			}
			proof := verdict("TestProof", regression, false)
			proof.Proof = &qa.Proof{Regression: true}
			all := []Verdict{proof, verdict("TestNew", capturing, true)}
			assert.NilError(t, c.contradicted(t.Context(), all))
			assert.Equal(t, all[1].Kept, tc.kept, all[1].Reason)
			if !tc.kept {
				assert.Equal(t, all[1].Gate, "G10")
			}
			left, err := os.ReadFile(filepath.Join(tree.dir, "p.go"))
			assert.NilError(t, err)
			assert.Equal(t, string(left), tc.head, "the source is as it was")
			if tree.runs["TestProof"] == 0 {
				return // there was no version to try
			}
			tests, err := os.ReadFile(filepath.Join(tree.dir, "p_test.go"))
			assert.NilError(t, err)
			assert.Equal(t, string(tests), neighbours)
		})
	}
}

// A difference that nobody relies on drops no test of a feature; one that a finding
// claims does, whatever its test says of it.
func TestMinorDifferencesContradictNothing(t *testing.T) {
	t.Parallel()
	for severity, finding := range map[string]string{"low": "", "medium": "", "": "", "low ": "", "low\x00claimed": "F1"} {
		said, _, _ := strings.Cut(severity, "\x00")
		proof := Verdict{Candidate: generator.Candidate{Test: generator.Test{Finding: finding, Severity: said}, Source: "p.go", Target: "F"}}
		proof.Name, proof.Target, proof.Proof = "TestProof", "F", &qa.Proof{Regression: true}
		feature := Verdict{Candidate: generator.Candidate{Source: "p.go", Target: "F"}}
		feature.Target, feature.Class, feature.Kept = "F", capturing, true
		all := []Verdict{proof, feature}
		c := &Chain{Trees: Trees{Read: func(string) ([]byte, error) { return nil, nil }}}
		assert.NilError(t, c.contradicted(t.Context(), all))
		assert.Equal(t, all[1].Kept, severity == "low", severity)
	}
}

// TestBlocks: taking back every block of a change gives base, and taking back one
// leaves the lines of the others.
func TestBlocks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n"}), 0, 12), func(lines []string) []byte {
			return []byte(strings.Join(lines, ""))
		})
		base, head := text.Draw(t, "base"), text.Draw(t, "head")
		before, after := bytes.SplitAfter(base, []byte("\n")), bytes.SplitAfter(head, []byte("\n"))
		var back [][]byte
		at := 0
		for _, b := range blocks(before, after) {
			back = append(back, after[at:b.headFrom]...)
			back = append(back, before[b.baseFrom:b.baseTo]...)
			at = b.headTo
		}
		back = append(back, after[at:]...)
		if got := bytes.Join(back, nil); !bytes.Equal(got, base) {
			t.Fatalf("got %q, want %q", got, base)
		}
	})
}
