package trials

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// direct says of a proven finding that its tests call a private function themselves, and
// what would reach it from outside: whoever reads it can tell whether such an input ever
// comes. It decides nothing, for nobody can tell by the text what callers give, and a
// regression of a private function is one.
func (s Proofs) direct(findings []qa.Finding) {
	for i := range findings {
		f := &findings[i]
		if f.Evidence != qa.Proven || f.Proof == nil || !f.Proof.Regression {
			continue
		}
		private, through := "", []string(nil)
		for _, p := range s.of(*f) {
			private, through = p.Target, s.aside(p)
			if through == nil {
				break
			}
		}
		said := fmt.Sprintf(" Shown by calling %s itself, which is private, and not through %s.", private, strings.Join(through, " or "))
		if through != nil && !strings.Contains(f.Message, said) {
			f.Message += said
		}
	}
}

// of are the proofs of a regression that a finding is shown with.
func (s Proofs) of(f qa.Finding) []Proof {
	return each.Where(s.All, func(p Proof) bool {
		shows := func(o qa.Proof) bool { return o.Path == p.Path && o.Test == p.Test }
		return p.Regression && (shows(*f.Proof) || slices.ContainsFunc(f.Also, shows))
	})
}

// aside are the public functions that reach what a test calls itself although it is
// private; none where it goes through one of them.
func (s Proofs) aside(p Proof) []string {
	calls := func(symbol string) bool {
		return regexp.MustCompile(`\b` + regexp.QuoteMeta(symbol[strings.LastIndexByte(symbol, '.')+1:]) + `\s*\(`).MatchString(p.Code)
	}
	if !calls(p.Target) {
		return nil
	}
	through := related.Public(s.Code.Graph(), p.Source, p.Target)
	if slices.ContainsFunc(through, calls) {
		return nil
	}
	return through
}
