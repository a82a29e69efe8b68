package assurance

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/policy"
)

// policy is G0 and G1; it gives the test file with the candidate in it.
func (c *Chain) policy(v *Verdict) (placed []byte, name string, ok bool) {
	adapter, err := framework.For(c.Target.Framework.Framework)
	if err != nil || !filepath.IsLocal(v.Path) || !adapter.IsTest(v.Path) && !inline(v.Path) {
		return nil, "", v.drop("G0", "%s is not a test file of %s", v.Path, c.Target.Framework.Framework)
	}
	now, err := c.current(v.Path)
	if err != nil {
		return nil, "", v.drop("G0", "%v", err)
	}
	placed, err = edit.Place(now, v.Path, v.Candidate.New())
	if err != nil {
		return nil, "", v.drop("G0", "%v", err)
	}
	violations, err := policy.Check(v.Path, now, placed, c.importable(v))
	if err != nil {
		return nil, "", v.drop("G0", "%v", err)
	}
	if len(violations) > 0 {
		return nil, "", v.drop("G0", "%s: %s", violations[0].Rule, violations[0].Message)
	}
	if f := forbidden(adapter, v.Path, v.Code); f != nil {
		return nil, "", v.drop("G0", "%s: %s", f.Rule, f.Why)
	}
	before := names(v.Path, now)
	added := fresh(v.Path, placed, before)
	if len(added) != 1 {
		return nil, "", v.drop("G0", "expected exactly one new test, found %d", len(added))
	}
	name = added[0]
	hash, err := edit.Hash(v.Path, placed, name)
	if err != nil {
		return nil, "", v.drop("G1", "%v", err)
	}
	for _, other := range before {
		if same, err := edit.Hash(v.Path, placed, other); err == nil && same == hash {
			return nil, "", v.drop("G1", "does the same as %q", other)
		}
	}
	if other, taken := c.hashes[hash]; taken {
		return nil, "", v.drop("G1", "does the same as %q", other)
	}
	v.Name = name
	return placed, name, true
}

// inline reports a source file that its own tests stand in.
func inline(path string) bool { return language.Of(path).HasInline(path) }

// importable are the import paths that need no other reason: what the project's
// tests use, and, for a test of several modules or of code that serves or asks
// over the network, what it takes to start a server of its own. The sandbox around
// the run let it reach no other.
func (c *Chain) importable(v *Verdict) []string {
	serves := v.Layer == qa.L2 || v.Layer == qa.L3
	if !serves && v.Candidate.Source != "" {
		src, err := c.Read(v.Candidate.Source)
		serves = err == nil && policy.Serves(v.Candidate.Source, src)
	}
	if !serves {
		return c.Known
	}
	return slices.Concat(c.Known, policy.Servers(v.Path))
}

// controlled marks tests that bring a clock or a chance of their own.
var controlled = pattern.New(`useFakeTimers|setSystemTime|freeze_time|freezegun|time_machine|FakeTimers|mock\.timers|synctest`)

// forbidden is the first smell that a line of the code gives away: those that the
// syntax tree shows better are found by [policy.Check].
func forbidden(adapter adapter.Adapter, path, code string) *language.Smell {
	in := language.Of(path)
	bare, comments := splitComments(in, code)
	for _, s := range slices.Concat(adapter.Forbidden, in.Smells) {
		if s.Line == nil || s.Review != "" || s.Rule == "clock" && controlled.MatchString(bare) {
			continue
		}
		text := bare
		if s.Comment {
			text = comments
		}
		if s.Line.MatchString(text) {
			return &s
		}
	}
	return nil
}

// splitComments splits code into what runs, with strings emptied, and its comments.
func splitComments(in *language.Language, code string) (bare, comments string) {
	var said []string
	bare = in.Text.Opaque.ReplaceAllStringFunc(code, func(m string) string {
		if strings.HasPrefix(m, in.Text.Comment) || strings.HasPrefix(m, "/*") {
			said = append(said, m)
			return ""
		}
		return `""`
	})
	return bare, strings.Join(said, "\n")
}

func names(path string, src []byte) []string {
	if src == nil {
		return nil
	}
	tests, _ := edit.Tests(path, src) // what cannot be read has none
	return each.Of(tests, func(t edit.Test) string { return t.Name })
}

// fresh are the tests of a file that are not among the names of others.
func fresh(path string, src []byte, others []string) []string {
	return slices.DeleteFunc(names(path, src), func(n string) bool { return slices.Contains(others, n) })
}
