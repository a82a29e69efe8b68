// Package diagnosis says why a program that was to install, build or start something
// failed: the cause in one line, the line of its output that shows it, and what mends
// it. What programs say is data: installers' words stand in tables here, those of
// test frameworks with their adapters. Start at [Of] and [Table.Explain].
package diagnosis

import (
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"

	"github.com/org/qa-action/internal/wording"
)

// Kind is what sort of thing is wrong.
type Kind string

// The kinds that a framework's adapter tells apart.
const (
	Missing Kind = "missing-dependency" // a module, plugin or the runner is not installed
	Version Kind = "wrong-version"      // the language's runtime does not fit
	Config  Kind = "bad-configuration"
	NoTests Kind = "no-tests"
	Build   Kind = "broken-build"
	Lock    Kind = "outdated-lock"
	// Threshold is no failed start: every test ran, and the runner ended with an exit
	// code because of the repository's own coverage threshold.
	Threshold Kind = "coverage-threshold"
)

// The kinds that installing and building add.
const (
	program   Kind = "missing-program"
	compiler  Kind = "missing-compiler"
	directory Kind = "wrong-directory"
	network   Kind = "needs-network"
	refused   Kind = "registry-refused"
	script    Kind = "install-script"
	// Conflict: requirements contradict each other.
	Conflict Kind = "conflicting-requirements"
)

// Diagnosis is what is known of one failure; Proof alone where only the line is known
// that speaks of an error.
type Diagnosis struct {
	Kind  Kind
	Cause string // what is wrong
	Proof string // the line of output that shows it
	Cure  string // what mends it
	Said  string // the command that printed the proof, where it is known
	Run   string // the command that mends it; what is needed for it stands in the cure
}

// maxProof is how much of a program's own words is shown, in characters.
const maxProof = 200

// String is the diagnosis in one line.
func (d Diagnosis) String() string {
	said := d.Said
	if d.Proof != "" && !strings.Contains(d.Cause, d.Proof) {
		said = strings.TrimPrefix(said+": “"+d.Proof+"”", ": ")
	}
	out := d.Cause
	switch {
	case out == "":
		out = said
	case said != "":
		out += " (" + said + ")"
	}
	if d.Cure != "" {
		out = strings.TrimPrefix(out+"; "+d.Cure, "; ")
	}
	return out
}

// Lacking is what is known to be missing before anything was started, with the command
// that installs it; has as in [Of].
func Lacking(cause, command string, has func(program string) bool) Diagnosis {
	return Diagnosis{Kind: Missing, Cause: cause, Run: command}.here(has)
}

// MarshalText keeps what a diagnosis says; its parts are told apart only where it was
// made.
func (d Diagnosis) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what was kept.
func (d *Diagnosis) UnmarshalText(text []byte) error {
	*d = Diagnosis{Cause: string(text)}
	return nil
}

// starts is the program that a command line starts first: behind a change of folder,
// variables and sudo.
func starts(line string) string {
	if _, rest, moved := strings.Cut(line, " && "); moved && strings.HasPrefix(line, "cd ") {
		line = rest
	}
	for word := range strings.FieldsSeq(line) {
		if word != "sudo" && !shell.Assignment.MatchString(word) {
			return word
		}
	}
	return ""
}

// here puts the command that mends a failure into its cure, and says when has does
// not find the program that it starts; nil is nobody to ask.
func (d Diagnosis) here(has func(program string) bool) Diagnosis {
	if d.Kind == compiler && has != nil {
		for _, s := range systems {
			if has(s.program) {
				d.Run = s.command
				break
			}
		}
	}
	if d.Run == "" {
		return d
	}
	d.Cure = strings.TrimPrefix(d.Cure+"; run: "+d.Run, "; ")
	if needs := starts(d.Run); has != nil && !has(needs) {
		d.Cure += " (with " + needs + ", which is not on PATH here)"
	}
	return d
}

// Cause is one classic way to fail. Pattern is matched against what the program
// printed, line by line where it says so with (?m); $1 and $2 in the words are its
// first groups that matched.
type Cause struct {
	Exit      int // 0: any
	Pattern   string
	Kind      Kind
	Says      string // what is wrong
	Cure      string // what mends it
	run       string // the command that does
	Ends      bool   // the proof is the line in which the match ends
	elsewhere bool   // what went wrong stands in another line than the one that matched
}

// A Table is a list of causes, most specific first.
type Table []entry

type entry struct {
	Cause
	pattern *pattern.Pattern
}

// New makes a table of lists of causes.
func New(lists ...[]Cause) Table {
	var t Table
	for _, list := range lists {
		for _, c := range list {
			t = append(t, entry{c, pattern.New(c.Pattern)})
		}
	}
	return t
}

// read is how much of the end of an output is looked at, in bytes.
const read = 1 << 16

// end is what is looked at of an output.
func end(out string) string { return wording.Plain(out[max(0, len(out)-read):]) }

// Explain looks for the first cause that fits the exit code and the outputs; without
// one the diagnosis is empty.
func (t Table) Explain(exit int, outs ...string) Diagnosis {
	outs = each.Of(outs, end)
	for _, e := range t {
		if e.Exit != 0 && e.Exit != exit {
			continue
		}
		for _, out := range outs {
			if m := e.pattern.FindStringSubmatchIndex(out); m != nil {
				return e.found(out, m, outs)
			}
		}
	}
	return Diagnosis{}
}

// found fills in the words of a cause that matched at m.
func (e entry) found(out string, m []int, outs []string) Diagnosis {
	var groups []string
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			groups = append(groups, wording.Line(out[m[i]:m[i+1]], 100))
		}
	}
	fill := func(text string) string {
		for i, name := range []string{"$1", "$2"} {
			value := ""
			if i < len(groups) {
				value = groups[i]
			}
			text = strings.ReplaceAll(text, name, value)
		}
		return strings.TrimRight(wording.Fold(text), ": ")
	}
	d := Diagnosis{Kind: e.Kind, Cause: fill(e.Says), Cure: fill(e.Cure), Run: fill(e.run)}
	switch {
	case e.elsewhere:
		d.Proof = line(outs...)
	case m[0] != m[1]: // an exit code alone proves itself
		at := m[0]
		if e.Ends {
			at = m[1] - 1
		}
		text, _, _ := strings.Cut(out[strings.LastIndexByte(out[:at], '\n')+1:], "\n")
		d.Proof = shown(bare(text))
	}
	return d
}

// Of explains why a command that installs, builds or sets up failed. has says which
// programs are there to mend it, nil that nobody knows. Where no cause is known, the
// line that speaks of the error is all there is.
func Of(exit int, stderr, stdout []byte, has func(program string) bool) Diagnosis {
	d := installers().Explain(exit, string(stderr), string(stdout))
	if d.Kind == "" {
		d.Proof = Line(stderr, stdout)
	}
	return d.here(has)
}

// ThresholdMissed is what runners of several languages say of the repository's own
// coverage threshold.
var ThresholdMissed = Cause{Pattern: `does not meet .*threshold|coverage threshold for .* not met|Required test coverage of .* not reached|Coverage failure: total of`, Kind: Threshold, Says: "the tests passed; the repository's own coverage threshold was not reached"}
