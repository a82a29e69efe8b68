package testreport

import (
	"fmt"
	"hash/maphash"
	"math"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Bounds on what else one report may say.
const (
	maxProblems = 1_000
	maxWarnings = 100
)

// collector gathers what one report says under the rules of the package.
type collector struct {
	report string
	places *places
	suite  qa.Suite
	seen   map[uint64]sighting // by c.hash
	seed   maphash.Seed
	last   string // the suite name seen last, kept once in memory
	repeat repeats
	room   *room

	warned                                map[string]bool
	lostWarnings, lostProblems            int
	outside, doubled, retried             int
	outsideName, doubledName, retriedName string
	textCut                               bool
}

// repeats says what it means that a report has several entries for one test.
type repeats int

const (
	// areTwins: the writer has one entry per test, so these are different
	// tests of one name.
	areTwins repeats = iota
	// areRetries: an entry after a failed one of the same suite is the next
	// attempt; an entry after a passed one is a twin, for nobody retries those.
	areRetries
	// areParts: names are unique, so all entries of a suite are one test. As
	// pytest writes it: an attempt that is rerun has no mark, a teardown that
	// fails has an entry of its own. It is bad when any entry is.
	areParts
	// areAttempts: names are unique and each entry tells its own outcome, as
	// converters of go test write it.
	areAttempts
)

// sighting says which cases have one identity: the index of the first and of
// the newest one, the scope of the newest, and how many there are.
type sighting struct {
	first, newest, scope, count int32
}

func newCollector(report string, p *places) *collector {
	return &collector{
		report: report, places: p, room: p.room,
		seen: map[uint64]sighting{}, seed: maphash.MakeSeed(), warned: map[string]bool{},
	}
}

// add takes one more entry for a test. Entries of one name are joined as
// c.repeat says when they have the same scope (suite element), otherwise the
// later ones get a number.
func (c *collector) add(t qa.Case, scope int) error {
	names := len(t.Name)
	if t.Suite == c.last {
		t.Suite = c.last
	} else {
		names += len(t.Suite)
	}
	c.last = t.Suite
	if !c.room.take(ofCases, 1) || !c.room.take(ofNames, names) || !c.room.take(ofLevels, strings.Count(t.Name, "/")) {
		return c.room.err
	}
	c.bound(&t)
	index := int32(len(c.suite.Cases))
	hash := c.hash(&t)
	before, ok := c.sighted(hash, &t)
	if !ok {
		c.seen[hash] = sighting{index, index, int32(scope), 1}
		c.suite.Cases = append(c.suite.Cases, t)
		return nil
	}
	if int32(scope) == before.scope && c.again(&c.suite.Cases[before.newest], t) {
		if c.retried++; c.retried == 1 {
			c.retriedName = t.ID()
		}
		return nil
	}
	if c.doubled++; c.doubled == 1 {
		c.doubledName = t.ID()
	}
	name := t.Name
	for taken := true; taken; _, taken = c.sighted(c.hash(&t), &t) {
		before.count++
		t.Name = name + " (" + strconv.Itoa(int(before.count)) + ")"
	}
	before.newest, before.scope = index, int32(scope)
	c.seen[hash] = before
	c.seen[c.hash(&t)] = sighting{index, index, -1, 1}
	c.suite.Cases = append(c.suite.Cases, t)
	return nil
}

// hash stands for what makes two entries of a report the same test; an index
// without pointers keeps the garbage collector out of large reports.
func (c *collector) hash(t *qa.Case) uint64 {
	const odd = 0x9e3779b97f4a7c15
	return maphash.String(c.seed, t.Name) ^ maphash.String(c.seed, t.Suite)*odd ^ maphash.String(c.seed, t.File)*(odd>>1|1)
}

// sighted looks an identity up; the case itself tells a collision.
func (c *collector) sighted(hash uint64, t *qa.Case) (sighting, bool) {
	s, ok := c.seen[hash]
	if !ok || int(s.first) >= len(c.suite.Cases) {
		return s, false
	}
	first := &c.suite.Cases[s.first]
	return s, first.Name == t.Name && first.Suite == t.Suite && first.File == t.File
}

// keep takes out the cases from the given index on that leaf does not mark.
func (c *collector) keep(from, scope int, leaf []bool) {
	kept := c.suite.Cases[:from]
	for i, t := range c.suite.Cases[from:] {
		if leaf[i] {
			index := int32(len(kept))
			c.seen[c.hash(&t)] = sighting{index, index, int32(scope), 1}
			kept = append(kept, t)
		}
	}
	clear(c.suite.Cases[len(kept):])
	c.suite.Cases = kept
}

// again joins one more entry into the case of its name; false when it is
// another test.
func (c *collector) again(old *qa.Case, t qa.Case) bool {
	both := [2]qa.Status{old.Status, t.Status}
	has := func(s qa.Status) bool { return both[0] == s || both[1] == s }
	bad, good := has(qa.Failed) || has(qa.Errored), has(qa.Passed) || has(qa.Flaky)
	switch {
	case c.repeat == areTwins, c.repeat == areRetries && (!old.Status.Bad() || t.Status == qa.Skipped):
		return false
	case bad && good && c.repeat != areParts, has(qa.Flaky) && !bad:
		old.Status = qa.Flaky
	case has(qa.Failed):
		old.Status = qa.Failed
	case has(qa.Errored):
		old.Status = qa.Errored
	case has(qa.Skipped):
	case c.repeat == areParts:
		old.Status = qa.Flaky
	}
	old.Attempts = max(old.Attempts, 1) + max(t.Attempts, 1)
	old.Seconds += t.Seconds
	if t.Message != "" && !strings.Contains(old.Message, t.Message) {
		old.Message = clip(joinText(old.Message, t.Message), maxMessage)
	}
	if t.Output != "" && !strings.Contains(old.Output, t.Output) {
		old.Output = clip(joinText(old.Output, t.Output), maxOutput)
	}
	return true
}

// bound cuts what is too long and keeps within the report's total.
func (c *collector) bound(t *qa.Case) {
	t.Message, t.Output = clip(strings.TrimSpace(c.places.shorten(t.Message)), maxMessage), clip(c.places.shorten(t.Output), maxOutput)
	if !(t.Seconds >= 0 && t.Seconds < 1e9) { // also NaN
		t.Seconds = 0
	}
	if t.Line < 0 || t.Line > math.MaxInt32 {
		t.Line = 0
	}
	left := &c.room.text
	if *left -= len(t.Message) + len(t.Output); *left < 0 {
		*left += len(t.Output)
		t.Output, c.textCut = "", true
	}
	if *left < 0 {
		*left += len(t.Message)
		t.Message = clip(t.Message, 80)
	}
}

// place maps a file name of the report into the repository.
func (c *collector) place(name string) string {
	rel, ok := c.places.relative(c.report, name)
	if !ok {
		if c.outside++; c.outside == 1 {
			c.outsideName = name
		}
	}
	return rel
}

func (c *collector) problem(kind, where, message string) {
	if len(c.suite.Problems) >= maxProblems {
		c.lostProblems++
		return
	}
	message = strings.TrimSpace(c.places.shorten(message))
	if message == "" {
		message = "no message"
	}
	c.suite.Problems = append(c.suite.Problems, qa.Problem{Kind: kind, Where: where, Message: clip(message, maxMessage)})
}

func (c *collector) warnf(format string, args ...any) {
	text := c.report + ": " + fmt.Sprintf(format, args...)
	switch {
	case c.warned[text]:
	case len(c.suite.Warnings) >= maxWarnings:
		c.lostWarnings++
	default:
		c.warned[text] = true
		c.suite.Warnings = append(c.suite.Warnings, text)
	}
}

// finish adds what can only be said at the end.
func (c *collector) finish() qa.Suite {
	if c.retried > 0 {
		c.warnf("entries taken together with an earlier one of the same test: %d, for example %q", c.retried, c.retriedName)
	}
	if c.doubled > 0 {
		c.warnf("tests with the name of another one, numbered: %d, for example %q", c.doubled, c.doubledName)
	}
	if c.outside > 0 {
		c.warnf("file names outside the repository, left out: %d, for example %q", c.outside, c.outsideName)
	}
	if c.textCut {
		c.warnf("outputs over %d MiB in total were left out", maxText>>20)
	}
	if c.lostProblems > 0 {
		c.problemsLost()
	}
	if c.lostWarnings > 0 {
		c.suite.Warnings = append(c.suite.Warnings, fmt.Sprintf("%s: %d more warnings", c.report, c.lostWarnings))
	}
	if c.suite.Seconds == 0 {
		for _, t := range c.suite.Cases {
			c.suite.Seconds += t.Seconds
		}
	}
	return c.suite
}

func (c *collector) problemsLost() {
	last := &c.suite.Problems[len(c.suite.Problems)-1]
	last.Message = clip(fmt.Sprintf("%s\n(and %d more problems)", last.Message, c.lostProblems), maxMessage+64)
}

// clip cuts clean text at a rune.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return clean([]byte(text), limit-len(cutMark))
}

func joinText(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// lineIn finds "file:12" in a stack for the base name of file; 0 when absent.
func lineIn(text, file string) int {
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
