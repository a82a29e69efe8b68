// Package mutation makes the mutants of a change and finds out which of them the
// project's own tests let live: what a suite does not notice today it will not
// notice as a defect tomorrow. Start at [Study.Run].
package mutation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/mutant"
)

// Set is the mutants of a change and what the project's own tests do to them.
type Set struct {
	Mutants []mutant.Mutant `json:"mutants"` // that live on
	Before  qa.Mutation     `json:"before"`
	All     []Judged        `json:"all"`
}

// Judged is a mutant with what became of it, in the words of the
// mutation-testing report schema.
type Judged struct {
	mutant.Mutant
	Status string `json:"status"`
}

// The statuses of the schema that occur here.
const (
	Killed       = "Killed"
	Survived     = "Survived"
	NoCoverage   = "NoCoverage"
	Timeout      = "Timeout"
	CompileError = "CompileError"
	Ignored      = "Ignored" // not even the unchanged code was done in time
)

// Add books a mutant.
func (s *Set) Add(m mutant.Mutant, status string) {
	s.All = append(s.All, Judged{m, status})
	switch status {
	case Timeout:
		s.Before.Timeout++
	case CompileError, Ignored:
		s.Before.Invalid++ // no test had a say
	case Killed:
		s.Before.Killed++
	case NoCoverage:
		s.Mutants, s.Before.NoCover = append(s.Mutants, m), s.Before.NoCover+1
	default:
		s.Mutants, s.Before.Survived = append(s.Mutants, m), s.Before.Survived+1
	}
}

// Join books every mutant of several parts of a suite once: what the tests of one
// part notice is noticed, whatever the others say. Parts that are nil tried none; of
// those alone it is nil.
func Join(parts ...*Set) *Set {
	if parts = slices.DeleteFunc(parts, func(s *Set) bool { return s == nil }); len(parts) == 0 {
		return nil
	}
	rank := []string{Killed, Timeout, Survived, NoCoverage, CompileError}
	var all []Judged
	for _, m := range parts {
		for _, j := range m.All {
			i := slices.IndexFunc(all, func(o Judged) bool { return o.ID == j.ID })
			switch {
			case i < 0:
				all = append(all, j)
			case slices.Index(rank, j.Status) < slices.Index(rank, all[i].Status):
				all[i] = j
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Judged) int { return strings.Compare(a.Path+"\x00", b.Path+"\x00") })
	out := &Set{}
	for _, j := range all {
		out.Add(j.Mutant, j.Status)
	}
	return out
}

// Score joins what the project's tests did with what kept tests kill, by mutant;
// nil when there is nothing to judge by. What a model holds for no wrong version counts as
// living all the same, and is told with what it is held for.
func (s *Set) Score(killed map[string]bool, alike []string) *qa.Mutation {
	if s == nil {
		return nil
	}
	m := s.Before
	total := m.Killed + m.Timeout + m.Survived + m.NoCover
	if total == 0 {
		return nil
	}
	rate := func() *float64 { v := float64(m.Killed+m.Timeout) / float64(total); return &v }
	m.Before = rate()
	for _, judged := range s.All {
		lives := judged.Status == Survived || judged.Status == NoCoverage
		switch {
		case lives && killed[judged.ID]:
			m.Killed++
			if judged.Status == NoCoverage {
				m.NoCover--
			} else {
				m.Survived--
			}
		case lives:
			told := fmt.Sprintf("%s:%d %s: %s becomes %s", judged.Path, judged.Line, judged.Operator, judged.Original, judged.Replacement)
			if slices.Contains(alike, judged.ID) {
				told += qa.Alike
			}
			m.Survivors = append(m.Survivors, told)
		}
	}
	m.After = rate()
	return &m
}
