package baseline

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/session"
)

// concurrently runs suites of several targets at a time, where the configuration asks for
// it, and gives those of which nothing needs a second look, by the number of their
// target. Every other one runs again, alone: what it says may be its neighbours' doing.
// All do where one of them wrote files of the project.
func (m measurer) concurrently(ctx context.Context, sides executor.Sides, head *runtime.Workspace) map[int]*executor.Baseline {
	out := map[int]*executor.Baseline{}
	if m.Config.TargetConcurrency < 2 || len(m.b.Targets) < 2 {
		return out
	}
	m.Progress = &lines{to: m.Progress}
	if m.Live != nil {
		m.Live = &lines{to: m.Live}
	}
	shared := sides
	shared.Head = &watchedOnce{Workspace: head}
	var mu sync.Mutex
	var base *watchedOnce
	if sides.Base != nil {
		shared.Base = func(ctx context.Context) (executor.Tree, error) {
			tree, err := sides.Base(ctx)
			ws, ok := tree.(*runtime.Workspace)
			if err != nil || !ok {
				return tree, err
			}
			mu.Lock()
			defer mu.Unlock()
			if base == nil {
				base = &watchedOnce{Workspace: ws}
			}
			return base, nil
		}
	}
	watched := m.Copies.Watch(slices.ContainsFunc(m.b.Targets, executor.Target.Unnamed))
	var group errgroup.Group
	group.SetLimit(m.Config.TargetConcurrency)
	for _, i := range longestFirst(m.b.Targets, m.Past.Seconds) {
		t := m.b.Targets[i]
		if m.kept(t) != nil {
			continue
		}
		group.Go(func() error {
			run, err := m.target(ctx, shared, t, fmt.Sprintf("%s-%d-", session.Segment(t.Name), i))
			if err != nil {
				return nil //nolint:nilerr // it runs again, alone
			}
			mu.Lock()
			defer mu.Unlock()
			out[i] = &run
			return nil
		})
	}
	_ = group.Wait() // none gives an error
	others := watched()
	for _, run := range out {
		run.Head.Seen.Shared = others
	}
	if len(m.Copies.Restore(ctx).Head) > 0 {
		clear(out) // what one wrote, its neighbours may have run with
	}
	return out
}

// longestFirst are the numbers of the targets, those first whose tests took longest in
// earlier runs, so that none of them begins when all others are done. What nobody has
// timed may take longer than any other. A test file counts for the innermost target
// that it lies below.
func longestFirst(all []executor.Target, seconds map[string]float64) []int {
	took, order := make([]float64, len(all)), make([]int, len(all))
	for unit, s := range seconds {
		in := -1
		for i, t := range all {
			if qa.Below(unit, t.Dir) && (in < 0 || len(t.Dir) > len(all[in].Dir)) {
				in = i
			}
		}
		if in >= 0 {
			took[in] += s
		}
	}
	for i := range all {
		order[i] = i
		if took[i] == 0 {
			took[i] = math.Inf(1)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(took[b], took[a]) })
	return order
}

// watchedOnce is a copy in which several suites run at a time. Its files are marked
// before the first of them, and what any of them opens, all have opened.
type watchedOnce struct {
	*runtime.Workspace
	mu     sync.Mutex
	marked bool
	err    error
}

// MarkReads marks the files for the first suite; for a later one those of the packages
// alone that it may take from elsewhere.
func (w *watchedOnce) MarkReads(ctx context.Context, extra ...string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.marked {
		if w.err == nil {
			return w.MarkMore(extra...)
		}
		return w.err
	}
	w.marked = true
	w.err = w.Workspace.MarkReads(ctx, extra...)
	return w.err
}

// lines lets several suites write, a line at a time.
type lines struct {
	mu sync.Mutex
	to io.Writer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(p)
}
