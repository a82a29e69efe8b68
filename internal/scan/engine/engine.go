// Package engine is what an engine is, what it may see of a change, and what is
// known of rules and programs.
package engine

import (
	"context"
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// Engine is one source of findings.
type Engine struct {
	Name string
	// Perspectives it can speak to; it is left out when none is asked for.
	Perspectives []qa.Perspective
	// Languages it reads; nil is every text file.
	Languages []string
	// Tool is the program it runs, empty for an engine inside this binary.
	Tool string
	// Version are the arguments with which Tool prints its version.
	Version []string
	// PerFile says that a file's findings depend on that file alone. Such an
	// engine is also run on base, and what it finds there is not new.
	PerFile bool
	// LineOnly says that its findings concern their own line only: one on an
	// unchanged line of a changed function stood before.
	LineOnly bool
	// Compares says that it holds head against base itself: what it finds, the change brought.
	Compares bool
	// Shallow says that it finds syntax errors and a few mistakes: it stands in
	// for no engine that is missing.
	Shallow bool
	// YieldsTo names engines with the repository's own rules. When one of
	// them ran for a language, only security findings are kept from this one.
	YieldsTo []string
	// Configs are the configuration files the program reads, to be laid beside
	// the base versions of files.
	Configs []string
	// Alone says that what is found in a file of the pass follows from that file, from
	// how, and from the engine's program; then it is remembered. Nil never is.
	Alone func(*Pass) (how string, ok bool)
	// Run looks at the pass. Hits returned beside an error are kept.
	Run func(context.Context, *Pass) ([]Hit, error)
}

// Hit is a problem as an engine reports it, not yet believed.
type Hit struct {
	Engine string // filled in by the runner when empty
	// Rule is qualified by whose rule it is: "gosec/G204". It is looked up in
	// rules.csv for what the fields below leave open.
	Rule string
	Name string
	URL  string
	Path string // as printed: absolute or relative to the root
	// Lines of zero is the whole file.
	Lines        qa.Range
	Column       int
	Severity     qa.Severity
	Perspectives []qa.Perspective
	Message      string
	Suggestion   string
	CWE          []string
	Evidence     qa.Evidence // empty is corroborated
	// Secrets are texts that must appear nowhere.
	Secrets []string
	// Fix is the change that the engine's program offers as safe; nil where there is none.
	Fix *Fix `json:",omitempty"`
}

// Breaks reports hits that say that a file is no program at all.
func (h Hit) Breaks() bool {
	return slices.Contains([]string{"js/syntax", "py/syntax", "go/compile"}, RuleFor(h).Group)
}

// NoFiles is the reason of an engine that had nothing to look at.
const NoFiles = "no file of its languages changed"
