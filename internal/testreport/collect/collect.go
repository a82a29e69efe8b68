// Package collect gathers what one test report says, under the rules that all
// formats share: bounds, names, paths of the tree, attempts of one test.
package collect

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Bounds on what else one report may say.
const (
	MaxProblems = 1_000
	maxWarnings = 100
)

// Collector gathers what one report says under the rules of the package.
type Collector struct {
	Report string
	Places *Places
	Suite  qa.Suite
	seen   map[uint64]sighting // by c.hash
	seed   maphash.Seed
	last   string // the suite name seen last, kept once in memory
	Repeat repeats
	Failed bool // the command that wrote the report failed
	Room   *Room

	warned                    map[string]bool
	lost                      struct{ warnings, problems int }
	outside, doubled, retried counted
	TextCut                   bool
}

// counted is how often something was met, and the first name of it.
type counted struct {
	n     int
	first string
}

func (c *counted) add(name string) {
	if c.n++; c.n == 1 {
		c.first = name
	}
}

// repeats says what it means that a report has several entries for one test.
type repeats int

const (
	// areTwins: the writer has one entry per test, so these are different
	// tests of one name.
	AreTwins repeats = iota
	// areRetries: an entry after a failed one of the same suite is the next
	// attempt; an entry after a passed one is a twin, for nobody retries those.
	AreRetries
	// areParts: names are unique, so all entries of a suite are one test. As
	// pytest writes it: an attempt that is rerun has no mark, a teardown that
	// fails has an entry of its own. It is bad when any entry is.
	AreParts
	// areAttempts: names are unique and each entry tells its own outcome, as
	// converters of go test write it.
	AreAttempts
)

// sighting says which cases have one identity: the index of the first and of
// the newest one, the scope of the newest, and how many there are.
type sighting struct {
	first, newest, scope, count int32
}

func New(report string, p *Places) *Collector {
	return &Collector{
		Report: report, Places: p, Room: p.Room,
		seen: map[uint64]sighting{}, seed: maphash.MakeSeed(), warned: map[string]bool{},
	}
}

// Add takes one more entry for a test. Entries of one name are joined as
// c.repeat says when they have the same scope (suite element), otherwise the
// later ones get a number.
func (c *Collector) Add(t qa.Case, scope int) error {
	names := len(t.Name)
	if t.Suite == c.last {
		t.Suite = c.last
	} else {
		names += len(t.Suite)
	}
	c.last = t.Suite
	if !c.Room.Take(OfCases, 1) || !c.Room.Take(OfNames, names) || !c.Room.Take(OfLevels, strings.Count(t.Name, "/")) {
		return c.Room.Err
	}
	c.bound(&t)
	index := int32(len(c.Suite.Cases))
	hash := c.hash(&t)
	before, ok := c.sighted(hash, &t)
	if !ok {
		c.seen[hash] = sighting{index, index, int32(scope), 1}
		c.Suite.Cases = append(c.Suite.Cases, t)
		return nil
	}
	if int32(scope) == before.scope && c.again(&c.Suite.Cases[before.newest], t) {
		c.retried.add(t.ID())
		return nil
	}
	c.doubled.add(t.ID())
	name := t.Name
	for taken := true; taken; _, taken = c.sighted(c.hash(&t), &t) {
		before.count++
		t.Name = name + " (" + strconv.Itoa(int(before.count)) + ")"
	}
	before.newest, before.scope = index, int32(scope)
	c.seen[hash] = before
	c.seen[c.hash(&t)] = sighting{index, index, -1, 1}
	c.Suite.Cases = append(c.Suite.Cases, t)
	return nil
}

// hash stands for what makes two entries of a report the same test; an index
// without pointers keeps the garbage collector out of large reports.
func (c *Collector) hash(t *qa.Case) uint64 {
	const odd = 0x9e3779b97f4a7c15
	return maphash.String(c.seed, t.Name) ^ maphash.String(c.seed, t.Suite)*odd ^ maphash.String(c.seed, t.File)*(odd>>1|1)
}

// sighted looks an identity up; the case itself tells a collision.
func (c *Collector) sighted(hash uint64, t *qa.Case) (sighting, bool) {
	s, ok := c.seen[hash]
	if !ok || int(s.first) >= len(c.Suite.Cases) {
		return s, false
	}
	first := &c.Suite.Cases[s.first]
	return s, first.Name == t.Name && first.Suite == t.Suite && first.File == t.File
}

// Keep takes out the cases from the given index on that leaf does not mark.
func (c *Collector) Keep(from, scope int, leaf []bool) {
	kept := c.Suite.Cases[:from]
	for i, t := range c.Suite.Cases[from:] {
		if leaf[i] {
			index := int32(len(kept))
			c.seen[c.hash(&t)] = sighting{index, index, int32(scope), 1}
			kept = append(kept, t)
		}
	}
	clear(c.Suite.Cases[len(kept):])
	c.Suite.Cases = kept
}

// again joins one more entry into the case of its name; false when it is
// another test.
func (c *Collector) again(old *qa.Case, t qa.Case) bool {
	before := *old
	both := [2]qa.Status{old.Status, t.Status}
	has := func(s qa.Status) bool { return both[0] == s || both[1] == s }
	bad, good := has(qa.Failed) || has(qa.Errored), has(qa.Passed) || has(qa.Flaky)
	switch {
	case c.Repeat == AreTwins, c.Repeat == AreRetries && (!old.Status.Bad() || t.Status == qa.Skipped):
		return false
	case bad && good && c.Repeat != AreParts, has(qa.Flaky) && !bad:
		old.Status = qa.Flaky
	case has(qa.Failed):
		old.Status = qa.Failed
	case has(qa.Errored):
		old.Status = qa.Errored
	case has(qa.Skipped):
	case c.Repeat == AreParts:
		old.Status = qa.Flaky
	}
	old.Failures = c.failures(before, t)
	old.Attempts = max(old.Attempts, 1) + max(t.Attempts, 1)
	old.Seconds += t.Seconds
	if t.Message != "" && !strings.Contains(old.Message, t.Message) {
		old.Message = Clip(JoinText(old.Message, t.Message), MaxMessage)
	}
	if t.Output != "" && !strings.Contains(old.Output, t.Output) {
		old.Output = Clip(JoinText(old.Output, t.Output), MaxOutput)
	}
	return true
}

// failures are those of two entries of one test: of its parts all, of attempts those of
// the one that has more.
func (c *Collector) failures(a, b qa.Case) []string {
	switch {
	case c.Repeat == AreParts && a.Status.Bad() && b.Status.Bad():
		return Several(slices.Concat(a.FailedBeside(qa.Case{}), b.FailedBeside(qa.Case{})))
	case len(b.Failures) > len(a.Failures):
		return b.Failures
	}
	return a.Failures
}

// MaxFailures is how many failures of one test are told apart.
const MaxFailures = 200

// Several is failures as a case has them: one without a name is nothing to tell.
func Several(failures []string) []string {
	if len(failures) == 1 && failures[0] == "" {
		return nil
	}
	return failures[:min(len(failures), MaxFailures)]
}

// bound cuts what is too long and keeps within the report's total.
func (c *Collector) bound(t *qa.Case) {
	t.Message, t.Output = Clip(strings.TrimSpace(c.Places.shorten(t.Message)), MaxMessage), Clip(c.Places.shorten(t.Output), MaxOutput)
	if !(t.Seconds >= 0 && t.Seconds < 1e9) { // also NaN
		t.Seconds = 0
	}
	if t.Line < 0 || t.Line > math.MaxInt32 {
		t.Line = 0
	}
	left := &c.Room.Text
	if *left -= len(t.Message) + len(t.Output); *left < 0 {
		*left += len(t.Output)
		t.Output, c.TextCut = "", true
	}
	if *left < 0 {
		*left += len(t.Message)
		t.Message = Clip(t.Message, 80)
	}
}

// Place maps a file name of the report into the repository.
func (c *Collector) Place(name string) string {
	rel, ok := c.Places.Relative(c.Report, name)
	if !ok {
		c.outside.add(name)
	}
	return rel
}

func (c *Collector) Problem(kind, where, message string) {
	if len(c.Suite.Problems) >= MaxProblems {
		c.lost.problems++
		return
	}
	message = cmp.Or(strings.TrimSpace(c.Places.shorten(message)), "no message")
	c.Suite.Problems = append(c.Suite.Problems, qa.Problem{Kind: kind, Where: where, Message: Clip(message, MaxMessage)})
}

func (c *Collector) Warnf(format string, args ...any) {
	text := c.Report + ": " + fmt.Sprintf(format, args...)
	switch {
	case c.warned[text]:
	case len(c.Suite.Warnings) >= maxWarnings:
		c.lost.warnings++
	default:
		c.warned[text] = true
		c.Suite.Warnings = append(c.Suite.Warnings, text)
	}
}

// Finish adds what can only be said at the end.
func (c *Collector) Finish() qa.Suite {
	if c.retried.n > 0 {
		c.Warnf("entries taken together with an earlier one of the same test: %d, for example %q", c.retried.n, c.retried.first)
	}
	if c.doubled.n > 0 {
		c.Warnf("tests with the name of another one, numbered: %d, for example %q", c.doubled.n, c.doubled.first)
	}
	if c.outside.n > 0 {
		c.Warnf("file names outside the repository, left out: %d, for example %q", c.outside.n, c.outside.first)
	}
	if c.TextCut {
		c.Warnf("outputs over %d MiB in total were left out", MaxText>>20)
	}
	if c.lost.problems > 0 {
		c.problemsLost()
	}
	if c.lost.warnings > 0 {
		c.Suite.Warnings = append(c.Suite.Warnings, fmt.Sprintf("%s: %d more warnings", c.Report, c.lost.warnings))
	}
	if c.Suite.Seconds == 0 {
		for _, t := range c.Suite.Cases {
			c.Suite.Seconds += t.Seconds
		}
	}
	return c.Suite
}

func (c *Collector) problemsLost() {
	last := &c.Suite.Problems[len(c.Suite.Problems)-1]
	last.Message = Clip(fmt.Sprintf("%s\n(and %d more problems)", last.Message, c.lost.problems), MaxMessage+64)
}

// Clip cuts clean text at a rune.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return Clean([]byte(text), limit-len(CutMark))
}

func JoinText(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// LineIn finds "file:12" in a stack for the base name of file; 0 when absent.
func LineIn(text, file string) int {
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	if base == "" {
		return 0
	}
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, base+":")
		if !ok {
			return 0
		}
		digits := 0
		for digits < len(after) && digits < 9 && after[digits] >= '0' && after[digits] <= '9' {
			digits++
		}
		if n, err := strconv.Atoi(after[:digits]); err == nil {
			return n
		}
		rest = after
	}
}
