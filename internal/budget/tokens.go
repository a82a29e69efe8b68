package budget

import "sync"

// A scan gets this part of the model budget that is left: tests cost as much
// again.
const scanShare = 2

// Tokens that one request of notes, and one function's tests in a further
// round, are taken to cost.
const (
	noteTokens  = 3000
	roundTokens = 6000
)

// Tokens are those of the model. What they do not suffice for is said to Cut.
type Tokens struct {
	left func() (int, bool)
	cut  func(format string, args ...any)

	mu      sync.Mutex // of what follows
	noNotes bool       // the budget is short
	oneTry  bool       // it is shorter still
}

// NewTokens is a budget of which left tells the rest, false for no limit, and
// that says to cut what it left out.
func NewTokens(left func() (int, bool), cut func(format string, args ...any)) *Tokens {
	return &Tokens{left: left, cut: cut}
}

// ForScan is what a scan may cost; false is no limit.
func (t *Tokens) ForScan() (int, bool) {
	left, ok := t.left()
	return left / scanShare, ok
}

// Shorten notes what a scan had to leave out. The order is fixed: notes, extra
// rounds, low-risk files; what comes earlier goes before anything later does.
func (t *Tokens) Shorten(cuts []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.noNotes, t.oneTry = true, true
	t.cut("model budget: recommendations of the model")
	t.cut("model budget: extra rounds of tests")
	for _, what := range cuts {
		t.cut("model budget: %s", what)
	}
}

// Notes reports whether there is room for words that decide nothing.
func (t *Tokens) Notes() bool {
	return t.room(&t.noNotes, noteTokens, "model budget: recommendations of the model")
}

// Round reports whether there is room for another round of tests.
func (t *Tokens) Round() bool {
	return t.room(&t.oneTry, roundTokens, "model budget: extra rounds of tests")
}

func (t *Tokens) room(short *bool, tokens int, what string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if *short {
		return false
	}
	if left, ok := t.left(); ok && left < tokens {
		t.cut("%s", what)
		return false
	}
	return true
}
