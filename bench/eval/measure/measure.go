// Package measure makes numbers of what runs on known changes found. It is
// pure; start at [Sum].
package measure

import (
	"math"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Place is where a defect is, in lines of head.
type Place struct {
	File   string   `yaml:"file"`
	Symbol string   `yaml:"symbol"`
	Lines  qa.Range `yaml:"lines"`
}

// near is how many lines a finding may be beside the defect.
const near = 2

// Holds reports whether a finding is at the place: in its file, and on its
// lines or in its function.
func (p Place) Holds(f qa.Finding) bool {
	if f.Path != p.File {
		return false
	}
	wide := qa.Range{Start: p.Lines.Start - near, End: p.Lines.End + near}
	return f.Lines.Start > 0 && f.Lines.Overlaps(wide) || f.Symbol != "" && f.Symbol == p.Symbol
}

// Outcome is what one run on one case showed.
type Outcome struct {
	Case  string
	Run   string
	Buggy bool
	Change
	// NotRun is why there is no outcome; the other fields are then zero.
	NotRun string
	// Unanswered are questions on whose answers none of these numbers hangs.
	Unanswered string

	Findings
	Tests
	// Mutants of the change, and how many of them the project's own tests and
	// all tests noticed.
	Mutants, Before, After int
	Cost
}

// Change is what is known of a case before it is run.
type Change struct {
	Difficulty string // of its defect; empty where nobody judged it
	Language   string
	// TestsOnly says that the change makes tests weaker and leaves the product as
	// it is: nothing of it can be proven by a test that fails on head.
	TestsOnly bool
	// Lines are those that the change adds and takes away, Size what its diff has
	// in tokens of four characters.
	Lines, Size int
}

// Findings are what a run said of the defect.
type Findings struct {
	Found bool // a posted finding names the defect
	// Seen is a finding that names it, posted or folded.
	Seen   bool
	Proven bool // the defect has a test that fails on head and passes on the fix

	Posted, True             int // findings, and those of them that name the defect
	PostedProven, TrueProven int
}

// Tests are how many generated tests came how far, each count of those before it.
type Tests struct {
	Written, Built, Stable, Gained, Kept int
	Hardening, Hardened                  int  // those that state what the code does, and those of them that were kept
	Capturing                            bool // a test that fails on base and passes on head, or the reverse
	Enshrined                            int  // kept tests that fail on the fix
}

// Cost is what was asked of the model. Micro is the price in millionths of a
// dollar, 0 where none is given.
type Cost struct{ Requests, Tokens, Micro int }

// Share is a count of a total.
type Share struct{ Of, All int }

// z is the 97.5th percentile of the normal distribution.
const z = 1.959963984540054

// Interval is the Wilson score interval of 95 % confidence; 0 to 1 where there
// is nothing to share. (E. B. Wilson, JASA 22, 1927.)
func (s Share) Interval() (low, high float64) {
	if s.All == 0 {
		return 0, 1
	}
	n, p := float64(s.All), float64(s.Of)/float64(s.All)
	middle := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return max(0, (middle-half)/scale), min(1, (middle+half)/scale)
}

// Numbers are the metrics of a set of outcomes. Shares of different things may
// have different totals: nothing that was not run is in any of them.
type Numbers struct {
	Buggy, Clean, NotRun int

	Recall, Seen, Proof        Share // of changes with a defect
	Precision, ProvenPrecision Share // of posted findings
	CleanFindings              Share // posted on clean changes, per change
	PerDiff, PerChange         Share // tokens, of those of the diffs and of changes
	TestShares
	Before, After Share // of mutants
	Cost
}

// TestShares are the shares of [Tests].
type TestShares struct {
	Build, Stable, Gain, Kept Share // of written tests
	Hardened                  Share // of those that state what the code does, kept
	Capturing                 Share // of changes with a defect
	Enshrined                 Share // of tests kept on changes with a defect
}

// Sum adds outcomes up.
func Sum(all []Outcome) Numbers {
	var n Numbers
	for _, o := range all {
		if o.NotRun != "" {
			n.NotRun++
			continue
		}
		if o.Buggy {
			n.Buggy++
			n.Recall.add(o.Found)
			n.Seen.add(o.Seen)
			if !o.TestsOnly {
				n.Proof.add(o.Proven)
			}
			n.Capturing.add(o.Capturing)
			n.Enshrined.plus(o.Enshrined, o.Kept)
		} else {
			n.Clean++
			n.CleanFindings.plus(o.Posted, 1)
		}
		n.Precision.plus(o.True, o.Posted)
		n.Requests += o.Requests
		n.Tokens += o.Tokens
		n.Micro += o.Micro
		n.PerDiff.plus(o.Tokens, o.Size)
		n.PerChange.plus(o.Tokens, 1)
		n.ProvenPrecision.plus(o.TrueProven, o.PostedProven)
		n.Build.plus(o.Built, o.Written)
		n.Stable.plus(o.Stable, o.Written)
		n.Gain.plus(o.Gained, o.Written)
		n.Kept.plus(o.Kept, o.Written)
		n.Hardened.plus(o.Hardened, o.Hardening)
		n.Before.plus(o.Before, o.Mutants)
		n.After.plus(o.After, o.Mutants)
	}
	return n
}

func (s *Share) add(yes bool) {
	s.All++
	if yes {
		s.Of++
	}
}

func (s *Share) plus(of, all int) { s.Of, s.All = s.Of+of, s.All+all }

// Funnel counts how far generated tests came. Evidence counts as built and
// stable, because it was run as often; its gain is what it shows.
func Funnel(tests []qa.GeneratedTest) Tests {
	out := Tests{Written: len(tests)}
	for _, t := range tests {
		gate, _ := strconv.Atoi(strings.TrimPrefix(t.Gate, "G")) // none is 0
		if t.Lane == "hardening" {
			out.Hardening++
		}
		if t.Kept {
			out.Kept++
			if t.Lane == "hardening" {
				out.Hardened++
			}
		}
		if t.Kept || gate == 4 {
			gate = math.MaxInt // past all
		}
		if gate > 2 {
			out.Built++
		}
		if gate > 6 {
			out.Stable++
		}
		if gate > 8 {
			out.Gained++
		}
	}
	return out
}
