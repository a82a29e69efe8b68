package generator

import (
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Bounds of what one request shows of the rounds before it.
const (
	shownTried  = 6   // tests, the newest
	shownReason = 300 // characters of why one was dropped
)

// critique is what the assurance chain said of the tests of earlier rounds for a
// function. They are only named: the reason says what of a dropped one was wrong, one that
// stays is in the test file that the request shows, and evidence stands apart. Of the
// older ones it has the names.
func (k Known) critique(f qa.Focus) []string {
	of := each.Where(k.Tried, func(t qa.GeneratedTest) bool {
		home, ok := k.home(t.Source, t.Target)
		return ok && home.Path == f.Path && home.Symbol == f.Symbol
	})
	older := of[:max(0, len(of)-shownTried)]
	out := each.Of(of[len(older):], func(t qa.GeneratedTest) string { return verdict(t, k.proves(t), k.instead(t)) })
	if len(older) > 0 {
		names := each.Of(older, func(t qa.GeneratedTest) string { return wording.Line(t.Name, shownReason) })
		out = append(out, fmt.Sprintf("before these, %s: %s", wording.Count(len(older), "test"), wording.Some(names, shownTried)))
	}
	return out
}

// home is the function in focus that a test belongs to: the one it is for, or the riskiest
// of its file for one that is for something beside those.
func (k Known) home(source, target string) (qa.Focus, bool) {
	if f, ok := each.First(k.Strategy.Focus, func(f qa.Focus) bool { return f.Path == source && f.Symbol == target }); ok {
		return f, true
	}
	return each.First(k.Strategy.Focus, func(f qa.Focus) bool { return f.Path == source && f.Like == "" })
}

func verdict(t qa.GeneratedTest, evidence bool, instead string) string {
	reason := wording.Line(t.Reason, shownReason)
	switch {
	case t.Kept:
		return fmt.Sprintf("%s: kept: %s", t.Name, reason)
	case instead != "":
		return fmt.Sprintf("%s: kept apart, as evidence of something else than %s, for %s. What it shows is shown; %s is not.", t.Name, t.Finding, instead, t.Finding)
	case evidence:
		return fmt.Sprintf("%s: kept apart, as evidence: %s. What it shows is shown; write no other test of that.", t.Name, reason)
	}
	return fmt.Sprintf("%s: dropped at %s: %s", t.Name, t.Gate, reason)
}

// tried tells whether a test was on trial in an earlier round as it is: what became
// of it would become of it again.
func (k Known) tried(c Candidate) bool {
	return slices.ContainsFunc(k.Tried, func(t qa.GeneratedTest) bool {
		return t.Path == c.Path && t.Name == c.Name && t.Code == c.Code
	})
}

// proves tells whether a test is evidence of something.
func (k Known) proves(t qa.GeneratedTest) bool {
	return slices.ContainsFunc(k.Proven, func(p Proven) bool { return p.Path == t.Path && p.Test == t.Name })
}

// instead is why a test does not show the finding that it was written for.
func (k Known) instead(t qa.GeneratedTest) string {
	p, _ := each.First(k.Proven, func(p Proven) bool { return p.Path == t.Path && p.Test == t.Name })
	return p.Instead
}

// asked are the findings that no test proves yet, and that one may.
func (k Known) asked() []qa.Finding {
	return slices.DeleteFunc(slices.Clone(k.Findings), func(f qa.Finding) bool {
		return slices.ContainsFunc(k.Proven, func(p Proven) bool { return p.Finding == f.ID }) ||
			slices.ContainsFunc(k.Left, func(b Beyond) bool { return b.Finding == f.Fingerprint })
	})
}
