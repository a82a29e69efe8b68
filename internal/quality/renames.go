package quality

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// Texts gives the lines of a test file on head or base, nil when they are not
// at hand.
type Texts func(head bool, file string) []string

// alike is the share of lines that two bodies must have in common to be one test
// under two names.
const alike = 0.6

// Renames finds tests that are removed and added in name only: they stand
// between the same neighbours of one file, say the same, and one that ran still runs.
// They leave Removed and Added.
func Renames(t *qa.Tests, base, head []qa.Case, text Texts) {
	gone, fresh := each.Set(t.Removed), each.Set(t.Added)
	if len(gone) == 0 || len(fresh) == 0 {
		return
	}
	before, after := byPlace(base), byPlace(head)
	for place, was := range before {
		for _, pair := range aligned(was, after[place], gone, fresh) {
			if pair[1].Status == qa.Skipped && pair[0].Status != qa.Skipped {
				continue // it does not run under that name: it is gone
			}
			if from, to := body(pair[0], false, text), body(pair[1], true, text); from == nil || to == nil || shared(from, to) < alike {
				continue
			}
			t.Renamed = append(t.Renamed, qa.Rename{From: pair[0].ID(), To: pair[1].ID()})
		}
	}
	slices.SortFunc(t.Renamed, func(a, b qa.Rename) int { return strings.Compare(a.From, b.From) })
	for _, r := range t.Renamed {
		delete(gone, r.From)
		delete(fresh, r.To)
	}
	t.Removed = slices.DeleteFunc(t.Removed, func(id string) bool { return !gone[id] })
	t.Added = slices.DeleteFunc(t.Added, func(id string) bool { return !fresh[id] })
}

// byPlace are the tests of each file, in the order of the report.
func byPlace(cases []qa.Case) map[string][]qa.Case {
	out := map[string][]qa.Case{}
	for _, c := range cases {
		out[c.File] = append(out[c.File], c)
	}
	delete(out, "")
	return out
}

// aligned pairs what was removed with what was added between two tests that both
// sides have, where as many went as came.
func aligned(base, head []qa.Case, gone, fresh map[string]bool) [][2]qa.Case {
	var out [][2]qa.Case
	at := map[string]int{} // of tests both sides have, in base
	for i, c := range base {
		at[c.ID()] = i
	}
	from := 0
	var came []qa.Case
	flush := func(to int) {
		went := each.Where(base[min(from, to):to], func(c qa.Case) bool { return gone[c.ID()] })
		if len(went) == len(came) {
			for i := range went {
				out = append(out, [2]qa.Case{went[i], came[i]})
			}
		}
		came, from = nil, to
	}
	for _, c := range head {
		i, both := at[c.ID()]
		switch {
		case fresh[c.ID()]:
			came = append(came, c)
		case both && i >= from:
			flush(i)
		}
	}
	flush(len(base))
	return out
}

// body are the lines of a test after its first, which has the name.
func body(c qa.Case, head bool, text Texts) []string {
	lines := text(head, c.File)
	start := c.Line - 1
	if c.Line <= 0 || c.Line > len(lines) {
		name := c.Name[strings.LastIndexAny(c.Name, " >.")+1:]
		if c.Raw != nil {
			name = c.Raw.Name
		}
		start = slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, c.Name) || name != "" && strings.Contains(l, name) })
	}
	if start < 0 || start >= len(lines) {
		return nil
	}
	depth := indent(lines[start])
	out := []string{}
	for _, l := range lines[start+1:] {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if indent(l) <= depth {
			break
		}
		out = append(out, strings.TrimSpace(l))
	}
	return out
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// shared is the share of lines that two bodies have in common.
func shared(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	left := map[string]int{}
	for _, l := range a {
		left[l]++
	}
	same := 0
	for _, l := range b {
		if left[l] > 0 {
			left[l]--
			same++
		}
	}
	return 2 * float64(same) / float64(len(a)+len(b))
}
