package scout

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
)

// TestSmallWindow: what a window does not hold is asked about in parts that it holds,
// each line in one of them. What does not fit even so is told, and the rest is there.
func TestSmallWindow(t *testing.T) {
	t.Parallel()
	written := func(path string, from, to int, line func(n int) string) shownFile {
		var source strings.Builder
		for n := from; n <= to; n++ {
			source.WriteString(line(n) + "\n")
		}
		f := shownFile{}
		f.Path, f.Source, f.Added = path, source.String(), []qa.Range{{Start: 1, End: to - from + 1}}
		return f
	}
	short := func(n int) string { return fmt.Sprintf("const line%d = check(%d);", n, n) }
	in := input{Perspectives: []qa.Perspective{qa.Bug}, Files: []shownFile{
		written("one.js", 1000, 1099, short), written("two.js", 2000, 2399, short),
		written("wide.js", 1, 1, func(int) string { return "const all = [" + strings.Repeat("31, ", 3000) + "];" }),
		written("three.js", 3000, 3009, short),
	}}
	in.Files[0].Context = "function check(n)"
	var mu sync.Mutex
	var asked []string
	m := model{Group: 1 << 20, Ask: func(_ context.Context, r llm.Request) (reply, error) {
		if tokens := llm.Tokens(r.System) + llm.Tokens(r.Prompt); tokens > 2500 {
			if wide := strings.Contains(r.Prompt, "wide.js") && !strings.Contains(r.Prompt, "const line"); r.Divisible == wide {
				t.Errorf("divisible %v of %d tokens, with wide.js alone %v", r.Divisible, tokens, wide)
			}
			return reply{}, fmt.Errorf("%w: %d tokens", llm.ErrTooLong, tokens)
		}
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Prompt)
		return reply{}, nil
	}}
	res, err := m.Scan(t.Context(), in)
	assert.ErrorIs(t, err, llm.ErrTooLong)
	assert.DeepEqual(t, res.TooLong, []string{"wide.js"})
	assert.Equal(t, len(res.Unanswered), 0)
	all := strings.Join(asked, "")
	for _, f := range in.Files {
		if f.Path == "wide.js" {
			continue
		}
		for line := range strings.Lines(f.Source) {
			assert.Equal(t, strings.Count(all, line), 1, line)
		}
	}
	assert.Assert(t, len(asked) <= 12, "%d requests", len(asked))
}

// TestNarrowest: where less would not help nobody asks for ever.
func TestNarrowest(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	m := model{Ask: func(context.Context, llm.Request) (reply, error) {
		calls.Add(1)
		return reply{}, llm.ErrTooLong
	}}
	in := input{Perspectives: []qa.Perspective{qa.Bug}}
	f := shownFile{Context: "around"}
	f.Path, f.Source = "a.go", strings.Repeat("x := check(1)\n", 500)
	f.Added = []qa.Range{{Start: 1, End: 500}}
	gone := shownFile{Deleted: true}
	gone.Path, gone.Before = "gone.go", strings.Repeat("x := check(1)\n", 500)
	in.Files = []shownFile{f, gone}
	res, err := m.Scan(t.Context(), in)
	assert.ErrorIs(t, err, llm.ErrTooLong)
	assert.DeepEqual(t, res.TooLong, []string{"a.go", "gone.go"})
	assert.Assert(t, calls.Load() < 30, "%d requests", calls.Load())
}
