package scout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/wording"
)

// Reading is what a second reader said of a claim.
type Reading struct {
	Fingerprint string `json:"fingerprint"`
	Refuted     bool   `json:"refuted"`
	Reason      string `json:"reason,omitempty"` // hostile
	// Severity is what it holds a claim for that stands; empty where nothing was said.
	Severity qa.Severity `json:"severity,omitempty"`
}

// open is a claim that nothing has shown until now.
type open struct {
	qa.Finding
	// Passing is a test that was to show it and passes before the change and after it,
	// empty where there is none: hostile.
	Passing string
	// Tests are those of the project that call its function: hostile.
	Tests string
}

// unsettled are the open claims among findings, with what tests say against them. Of
// several tests the longest is told: it looks at most.
func unsettled(findings []qa.Finding, tests []qa.GeneratedTest) []open {
	return each.Of(each.Where(findings, qa.Finding.Pending), func(f qa.Finding) open {
		claim := open{Finding: f}
		for _, t := range tests {
			steady := t.Kept || t.Gate == "G7" || t.Gate == "G8" || t.Gate == "G11"
			if t.Finding == f.ID && steady && t.Base == qa.Passed && t.Head == qa.Passed && len(t.Code) > len(claim.Passing) {
				claim.Passing = wording.Excerpt(t.Code, longestTest)
			}
		}
		return claim
	})
}

// Bounds of the bytes of a test that speaks against a claim, and of tests that call what
// it is about.
const (
	longestTest  = 2000
	callingTests = 800
)

// Refute asks a second reader to break the claims that nothing has shown until now: one
// that a test proves needs no opinion. What was written to show one and passes is shown
// with it. An error is of some of the requests; what the others said is returned with it.
func (s Scout) Refute(ctx context.Context, findings []qa.Finding, tests []qa.GeneratedTest) ([]Reading, error) {
	claims := unsettled(findings, tests)
	if len(claims) == 0 || s.Client == nil {
		return nil, nil
	}
	for i, c := range claims {
		if c.Passing == "" && c.Symbol != "" {
			claims[i].Tests = related.CallingTests(s.Code, c.Path, c.Symbol, callingTests)
		}
	}
	in := input{Words: s.Words(ctx)}
	for _, f := range s.Change.Files {
		of := each.Where(claims, func(c open) bool { return c.Path == f.Path })
		if len(of) == 0 {
			continue
		}
		if file, why := s.shown(ctx, f); why == "" {
			file = s.narrowed(file, of)
			in.Files = append(in.Files, each.Where(file.pieces(unseen{}), func(p shownFile) bool {
				return slices.ContainsFunc(of, p.has)
			})...)
		}
	}
	m := model{Refute: llm.Asker[judgement](s.Client), Look: func(names []string) string { return s.Code.Look(ctx, names) }}
	return m.Read(ctx, in, claims)
}

// narrowed is a file as a second reader is shown it: what some claims about it hang on.
func (s Scout) narrowed(file shownFile, claims []open) shownFile {
	if file.Deleted {
		return file
	}
	side, about := related.Narrowed(s.Code, file.Side, each.Of(claims, func(c open) qa.Range { return c.Lines }))
	if !slices.ContainsFunc(claims, func(c open) bool { return c.Symbol == "" }) {
		side.Added = slices.DeleteFunc(slices.Clone(side.Added), func(r qa.Range) bool { return !slices.ContainsFunc(side.Part, r.Overlaps) && side.Part != nil })
	}
	file.Side = side
	file.Context = s.around(side, about)
	return file
}

// has reports whether a claim stands in this piece of a file.
func (f shownFile) has(c open) bool { return f.Path == c.Path && f.holds(c.Lines.Start) }

// Read asks about the claims of every group of files.
func (m model) Read(ctx context.Context, in input, claims []open) ([]Reading, error) {
	parts, err := ofGroups(m.groups(in.Files), func(group []shownFile) ([]Reading, error) { return m.refute(ctx, in, group, claims) })
	return slices.Concat(parts...), err
}

// refute asks about the claims of a group of files; of a group that a model's window
// does not hold, about a part at a time.
func (m model) refute(ctx context.Context, in input, group []shownFile, claims []open) (out []Reading, err error) {
	mine := each.Where(claims, func(c open) bool { return slices.ContainsFunc(group, func(f shownFile) bool { return f.has(c) }) })
	if len(mine) == 0 {
		return nil, nil
	}
	prompt, err := render("refute.md", map[string]any{"Files": group, "Claims": mine, "Said": in.Said, "Tested": in.Tested, "Untested": in.Untested})
	if err != nil {
		return nil, err
	}
	parts := narrower(group)
	told, err := llm.Twice(ctx, m.Refute, llm.Request{Job: "scout/refute", System: systemPrompt, Prompt: prompt, Divisible: len(parts) > 0}, m.Look, func(j judgement) []string { return j.Need })
	if errors.Is(err, llm.ErrTooLong) && len(parts) > 0 {
		var errs []error
		for _, part := range parts {
			more, err := m.refute(ctx, in, part, mine)
			out, errs = append(out, more...), append(errs, err)
		}
		return out, errors.Join(errs...)
	}
	if err != nil {
		return nil, err
	}
	for i, c := range mine {
		if v, ok := each.First(told.Verdicts, func(v refutation) bool { return v.Number == i+1 }); ok {
			out = append(out, Reading{Fingerprint: c.Fingerprint, Refuted: v.Refuted, Reason: v.Reason, Severity: qa.Severity(v.Severity)})
		}
	}
	return out, nil
}

// Readings are what second readers said in a run.
type Readings []Reading

// of is what was said of a claim.
func (r Readings) of(f qa.Finding) (Reading, bool) {
	return each.First(r, func(said Reading) bool { return said.Fingerprint == f.Fingerprint })
}

// Weigh enters what was said into the claims of a scan: one that stands is corroborated,
// one that is refuted stays suspected and says why. Of two ratings the lower one counts,
// and what weighs too little by it stays suspected. A model lowers a tier; it never
// deletes a claim that stands on real code.
func (r Readings) Weigh(findings []qa.Finding) {
	for i := range findings {
		f := &findings[i]
		said, ok := r.of(*f)
		switch {
		case !ok || !f.Pending():
		case said.Refuted && said.Reason != "":
			f.Message += " Refuted by a second reader: " + wording.Line(said.Reason, longestNote)
		case !said.Refuted:
			if slices.Contains(qa.Severities(), said.Severity) && f.Severity.AtLeast(said.Severity) && f.Severity != said.Severity {
				f.Severity = said.Severity
				f.Message = strings.TrimRight(f.Message, " .") + ". A second reader rates it " + string(said.Severity) + "."
			}
			if f.Pending() {
				f.Evidence = qa.Corroborated
			}
		}
	}
}

// Tell enters into the model's row of a scan what became of its claims, which have the
// tests that show them. A file of which neither a test nor a reader settled a claim was
// not reviewed.
func (r Readings) Tell(engines []qa.Engine, findings []qa.Finding) {
	refuted, unread := 0, map[string]string{}
	for _, f := range each.Where(findings, qa.Finding.Pending) {
		if _, ok := r.of(f); ok {
			refuted++
		} else {
			unread[f.Path] = "a claim about it was neither shown by a test nor read a second time"
		}
	}
	for i := range engines {
		e := &engines[i]
		switch {
		case e.Name != "model":
		case len(unread) > 0:
			maps.Copy(unread, e.Unseen) // the row of the scan stays as it is
			e.State, e.Reason, e.Unseen, e.Alike = "failed", notAnswered, unread, unseen(unread).alike(e.Alike)
			e.Reviewed = each.Where(e.Reviewed, func(path string) bool { return unread[path] == "" })
		case refuted > 0 && e.State == "ran":
			e.Reason = strings.TrimPrefix(fmt.Sprintf("%s, %d refuted", e.Reason, refuted), ", ")
		}
	}
}
