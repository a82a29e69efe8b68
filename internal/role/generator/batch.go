package generator

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/lineage"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/wording"
)

// batch are the functions that one request asks about: of one file, with tests in one
// place.
type batch []Subject

// grouped puts subjects together, in their order.
func grouped(subjects []Subject) []batch {
	var out []batch
	for _, s := range subjects {
		at := slices.IndexFunc(out, func(b batch) bool { return len(b) < together && b[0].stands(s) })
		if at < 0 {
			out = append(out, batch{s})
			continue
		}
		out[at] = append(out[at], s)
	}
	return out
}

// stands reports whether another function is asked about with the same words around
// it. An integration test has callers of its own.
func (s Subject) stands(o Subject) bool {
	return s.Layer == qa.L1 && o.Layer == s.Layer && o.Focus.Path == s.Focus.Path && o.TestPath == s.TestPath
}

// question is what the prompt shows: what is common, then each function.
type question struct {
	Subject
	All batch
}

func (b batch) question() question {
	q := question{b[0], slices.Clone(b)}
	above, first := map[string]bool{}, 1
	for i, s := range b {
		q.All[i].Above = maps.Clone(above)
		for _, f := range slices.Concat(s.Findings, s.Beneath) {
			above[f.ID] = true
		}
		q.All[i].First = first
		first += len(s.Wrong)
		if i > 0 {
			q.File.Whole = append(slices.Clip(q.File.Whole), s.File.Whole...)
		}
		q.File.Unrun = append(slices.Clip(q.File.Unrun), s.Focus.Uncovered...)
	}
	q.Elsewhere = each.Where(q.Elsewhere, func(f qa.Finding) bool {
		return !slices.ContainsFunc(b, func(s Subject) bool { return s.asks(f.ID) })
	})
	return q
}

// mutants are those that the question tells, in its order.
func (b batch) mutants() (out []mutant.Mutant) {
	for _, s := range b {
		out = append(out, s.Survivors...)
	}
	return out
}

// alike are the ids of mutants by the numbers that the question gave them.
func (b batch) alike(numbers []int) []string {
	all := b.mutants()
	return each.Of(numbers, func(n int) string { return all[n-1].ID })
}

func (b batch) symbols() []string {
	return each.Of(b, func(s Subject) string { return s.Focus.Symbol })
}

// of is the function that a test is for: the one it names, by a part of its name or its
// class where that is one's alone; else that with the finding it shows; else what it names
// of the file beside those that are asked about; else the only one whose name its code has;
// else the riskiest.
func (b batch) of(t Test) Subject {
	if s, ok := each.First(b, func(s Subject) bool { return s.Focus.Symbol == t.Function }); ok {
		return s
	}
	if s, ok := b.only(func(s Subject) bool {
		return t.Function != "" && slices.Contains([]string{last(s.Focus.Symbol), lineage.Constructed(s.Focus.Symbol)}, last(t.Function))
	}); ok {
		return s
	}
	if s, ok := each.First(b, func(s Subject) bool { return s.asks(t.Finding) }); ok {
		return s
	}
	if at, ok := related.Named(b[0].Focus.Path, []byte(b[0].File.Source), t.Function); ok {
		s := b[0]
		s.Focus, s.Findings, s.Beneath = qa.Focus{Path: s.Focus.Path, Symbol: t.Function, Lines: at}, nil, nil
		return s
	}
	if s, ok := b.only(func(s Subject) bool {
		return slices.ContainsFunc(wording.Names(t.Code), func(w string) bool {
			return w == last(s.Focus.Symbol) || w == lineage.Constructed(s.Focus.Symbol)
		})
	}); ok {
		return s
	}
	return b[0]
}

// only is the one of which something is so.
func (b batch) only(is func(Subject) bool) (Subject, bool) {
	all := each.Where(b, is)
	if len(all) != 1 {
		return Subject{}, false
	}
	return all[0], true
}

func last(symbol string) string { return symbol[strings.LastIndexByte(symbol, '.')+1:] }

// candidate puts a test on trial, with the place of what it is to show.
func (b batch) candidate(t Test, all []Test) Candidate {
	c := b.meant(t, all)
	for _, s := range b {
		if f, shown := s.finding(c.Finding); shown && f.Path != "" {
			c.At = &Place{f.Path, f.Lines}
		}
	}
	return c
}

// meant puts a test on trial, beside the others of its reply. Only findings
// that were shown can be meant, by their id or by their rule's name; another name is
// that of a difference which no finding tells. Another id is a slip, and stands for the
// only one on the function. A catching test that names none is for that one, too, unless
// another test names it: then this one was not meant to show it.
func (b batch) meant(t Test, all []Test) Candidate {
	if t.Lane != Catching {
		t.Lane = Hardening
	}
	s := b.of(t)
	c := Candidate{Test: t, Layer: s.Layer, Path: s.TestPath, Source: s.Focus.Path, Target: s.Focus.Symbol}
	if s.TestFile == "" {
		c.Package = s.Package
		c.Imports = append(strict(s.Examples), c.Imports...)
	}
	if slices.ContainsFunc(b, func(s Subject) bool { _, shown := s.finding(t.Finding); return shown }) {
		return c
	}
	c.Finding = ""
	if t.Lane == Catching && called.MatchString(t.Finding) {
		if f, ok := each.First(slices.Concat(s.Findings, s.Beneath), func(f qa.Finding) bool { return strings.HasSuffix(f.Rule.ID, "/"+t.Finding) }); ok {
			c.Finding = f.ID
		} else {
			c.Difference = t.Finding
		}
		return c
	}
	if t.Lane != Catching || len(s.Findings) != 1 {
		return c
	}
	only := s.Findings[0].ID
	if t.Finding != "" || !slices.ContainsFunc(all, func(o Test) bool { return o.Finding == only }) {
		c.Finding = only
	}
	return c
}

// called is what a difference may be called: in reports it stands as it is.
var called = pattern.New(`^[a-z][a-z0-9]*(?:-[a-z0-9]+){1,9}$`)

// strict is the directive with which test files of the project begin, for a new one: a
// linter that asks for it would refuse every test of that file.
func strict(examples []string) []string {
	if len(examples) == 0 {
		return nil
	}
	if found := directive.FindStringSubmatch(examples[0]); found != nil {
		return found[1:]
	}
	return nil
}

// directive stands at the beginning of a file, below comments.
var directive = pattern.New(`^(?:\s*(?://[^\n]*\n|/\*(?s:.*?)\*/))*\s*(['"]use strict['"];?)\r?\n`)

// twins says where else the edit of a function stands, of which tests are asked for once.
func (b batch) twins() string {
	var out strings.Builder
	for _, s := range b {
		if len(s.Twins) > 0 {
			fmt.Fprintf(&out, "\nThe edit of %s stands in %s as well, and is tested here alone.\n",
				llm.Name(s.Focus.Symbol), strings.Join(each.Of(s.Twins[:min(len(s.Twins), shownTwins)], llm.Name), ", "))
		}
	}
	return out.String()
}

// shownTwins is how many functions with the same edit are named.
const shownTwins = 12

// private says through what to reach functions that others cannot call: what only a direct
// call can give them nobody meets.
func (b batch) private() string {
	var out strings.Builder
	for _, s := range b {
		if len(s.Public) > 0 {
			fmt.Fprintf(&out, "\n%s is private. Test it through %s where one of them can give it the input; a difference that only a direct call shows, with an input that none of them gives, is low.\n",
				llm.Name(s.Focus.Symbol), strings.Join(each.Of(s.Public, llm.Name), " or "))
		}
	}
	return out.String()
}

// criticism is what stands beside the question of a later round. It is no part of
// the question, as it has words of test runners, which differ from run to run.
func (b batch) criticism() string {
	var all []string
	for _, s := range b {
		all = append(all, s.Critique...)
	}
	if len(all) == 0 {
		return ""
	}
	return "\nWhat became of the tests of earlier rounds. Write none that would be dropped for the same reason, and none again:\n" +
		llm.Data(strings.Join(all, "\n")) + "\n"
}
