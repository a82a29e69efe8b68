package language

import "github.com/org/qa-action/internal/pattern"

// Smell is what makes a test worth less than it looks.
type Smell struct {
	Rule string
	// Call matches what a call in the syntax tree is of: a test that a model wrote
	// must not have it, and Why says what it does.
	Call *pattern.Pattern
	Why  string
	// Line matches the smell in one line. With Review it is a finding in changed
	// tests, and Cure says what to do; without, a model's test must not have it, and
	// it is matched against the code without strings and comments.
	Line         *pattern.Pattern
	Review, Cure string
	// Fix gives a line without the smell, where that is mechanical.
	Fix func(line string) string
	// Comment says that Line is what a comment says.
	Comment bool
	// Unless matches a file in which the smell means something else.
	Unless *pattern.Pattern
}

const (
	slow   = "A fixed sleep makes a test slow when it is too long and flaky when it is too short."
	chance = "the outcome depends on chance or time"
)

// Policy is what a test of a model may not do, beside its smells: expressions as
// they stand in the syntax tree.
type Policy struct {
	Imports *pattern.Pattern
	// Harmless are imports, as path and name, that the pattern above takes for
	// what they are not.
	Harmless *pattern.Pattern
	// Env are expressions that read the environment.
	Env *pattern.Pattern
	// Writes are calls that change files, Reads those that read them; the first
	// argument, or the receiver of a method, says which.
	Writes, Reads, Sleeps *pattern.Pattern
	// Servers are the modules with which a test can talk to a server of its own,
	// Dials the calls of them that reach for one, by their last name.
	Servers []string
	Dials   *pattern.Pattern
	// Skips are expressions that are no calls and keep a test from running.
	Skips *pattern.Pattern
}
