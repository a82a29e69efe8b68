package entered

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

// Trace reads what the processes of a run noted.
var Trace = &adapter.Trace{Files: "trace/entered-*.json", Read: func(root string, _ adapter.Detection, answers [][]byte) adapter.Loads {
	return adapter.Loads{Executed: read(root, answers)}
}}

// most bounds the names and numbers that are read; a run that notes more is not known.
const most = 2_000_000

// note is one line of a process. All names of files are absolute.
type note struct {
	// Units are all test files, in the line that ends a run; Unknown says why it tells nothing.
	Units   []string
	Unknown string
	// Apart are files that jest loads for itself, in that line: seen are those in Before.
	Apart []string
	// Of one test file: the places where bodies of outermost functions begin that it
	// entered, the files that it reads, or loads uncounted, and why not all is known of it.
	Unit    string
	Entered map[string][]int
	Reads   []string // of a line without a unit: by all of them
	Lost    string
	// Before are files that a process loaded outside of any test file.
	Before []string
}

// read puts together what processes noted; nil where that is not the whole of one run.
func read(root string, answers [][]byte) *qa.Execution {
	r := reader{root: root, names: map[string]string{}, said: map[string]bool{}, out: &qa.Execution{Read: map[string][]string{}, Files: map[string]map[string][]int{}}}
	for _, data := range answers {
		for line := range bytes.Lines(data) {
			var n note
			if json.Unmarshal(line, &n) != nil || n.Unknown != "" || len(n.Units) > 0 && len(r.out.Units) > 0 {
				return nil
			}
			if r.add(n); r.size > most || r.twice {
				return nil
			}
		}
	}
	e := r.out
	e.Units, e.Before = each.Sorted(e.Units), each.Sorted(e.Before)
	if slices.ContainsFunc(r.apart, func(file string) bool { return !slices.Contains(e.Before, file) }) {
		return nil
	}
	for _, u := range e.Units { // of the others nothing was said, or they ran twice
		if !r.said[u] {
			e.Always = append(e.Always, u)
		}
	}
	e.Always = each.Sorted(e.Always)
	for file, units := range e.Read {
		e.Read[file] = each.Sorted(units)
	}
	if len(e.Always) >= len(e.Units) { // or nobody said which there are
		return nil
	}
	return e
}

type reader struct {
	root  string
	names map[string]string // of the project, by absolute name; empty is none
	said  map[string]bool
	size  int
	twice bool // a test file ran again
	apart []string
	out   *qa.Execution
}

// own is a file of the project by its name in it; empty is one from elsewhere.
func (r *reader) own(name string) string {
	rel, known := r.names[name]
	if !known {
		if at, in := adapter.BelowRoot(r.root, name); in && !adapter.InPackages(at) {
			rel = at
		}
		r.names[name] = rel
	}
	return rel
}

func (r *reader) all(names []string) []string {
	r.size += len(names)
	return slices.DeleteFunc(each.Of(names, r.own), func(name string) bool { return name == "" })
}

func (r *reader) add(n note) {
	e := r.out
	e.Units = append(e.Units, r.all(n.Units)...)
	e.Before = append(e.Before, r.all(n.Before)...)
	r.apart = append(r.apart, r.all(n.Apart)...)
	unit := r.own(n.Unit)
	if n.Unit != "" && unit == "" {
		return
	}
	for _, file := range r.all(n.Reads) {
		e.Read[file] = append(e.Read[file], unit)
	}
	if unit == "" {
		return
	}
	r.twice = r.twice || r.said[unit]
	if r.said[unit] = true; n.Lost != "" {
		e.Always = append(e.Always, unit)
	}
	for name, places := range n.Entered {
		r.size += 1 + len(places)
		if file := r.own(name); file != "" {
			if e.Files[file] == nil {
				e.Files[file] = map[string][]int{}
			}
			e.Files[file][unit] = each.Sorted(places)
		}
	}
}
