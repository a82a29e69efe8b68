// Package task has the tasks of a run: the table of each mode and depth, what a
// task gives, and what all of them found out so far. Start at [Kind.Table].
package task

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
)

// The roles.
const (
	Scout      = "scout"
	Strategist = "strategist"
	Generator  = "generator"
	Executor   = "executor"
	Analyst    = "analyst"
)

// Strategy is the id of the task that decides what to test.
const Strategy = "QASTRAT-001"

// Score is the id of the task that everything is before.
const Score = "QAANA-001"

// Row is one task of the table before it is bound to its work.
type Row struct {
	ID    string
	Title string
	Role  string
	Layer qa.Layer
	// Needs are tasks that must have completed; After are tasks that must be
	// over, whatever became of them.
	Needs []string
	After []string
	// Regression marks the second scan.
	Regression bool
	// Round is the generator-critic round, 0 for the first try.
	Round int
}

// Kind is which tasks a run has. EndToEnd adds layer L3 where the depth allows
// it.
type Kind struct {
	Mode     config.Mode
	Depth    config.Depth
	EndToEnd bool
}

// Table is the task table of a mode at a depth. Layers that the strategist
// does not select stay in the table and are skipped with that reason.
func (k Kind) Table() []Row {
	switch k.Mode {
	case config.Discovery:
		t := []Row{scoutRow(), strategistRow("SCOUT-001")}
		t = append(t, pair(qa.L1, "QAGEN-001", "QARUN-001", []string{Strategy}, nil)...)
		return append(t, analystRow(t))
	case config.Testing:
		t := append([]Row{strategistRow()}, layered(k.Depth, k.EndToEnd)...)
		return append(t, analystRow(t))
	}
	t := []Row{scoutRow(), strategistRow("SCOUT-001")}
	t = append(t, layered(full(k.Depth), k.EndToEnd)...)
	a := analystRow(t)
	return append(t, a, Row{ID: "SCOUT-002", Title: "Scan again for regressions", Role: Scout, After: []string{a.ID}, Regression: true})
}

// full mode always has both layers side by side unless the depth is targeted.
func full(depth config.Depth) config.Depth {
	if depth == config.Standard {
		return "parallel"
	}
	return depth
}

func scoutRow() Row { return Row{ID: "SCOUT-001", Title: "Scan for issues", Role: Scout} }

func strategistRow(after ...string) Row {
	return Row{ID: Strategy, Title: "Decide what to test", Role: Strategist, After: after}
}

// analystRow runs after everything, whatever became of it.
func analystRow(t []Row) Row {
	return Row{ID: Score, Title: "Score and report", Role: Analyst, After: each.Of(t, func(row Row) string { return row.ID })}
}

// layered is the testing part. Standard runs L2 after L1; comprehensive and
// full mode run both side by side, then L3.
func layered(depth config.Depth, e2e bool) []Row {
	plan := []string{Strategy}
	l1 := pair(qa.L1, "QAGEN-L1-001", "QARUN-L1-001", plan, nil)
	if depth == config.Targeted {
		return l1
	}
	var behind []string
	if depth == config.Standard {
		behind = []string{"QARUN-L1-001"}
	}
	t := append(l1, pair(qa.L2, "QAGEN-L2-001", "QARUN-L2-001", plan, behind)...)
	if e2e {
		t = append(t, pair(qa.L3, "QAGEN-L3-001", "QARUN-L3-001", plan, []string{"QARUN-L1-001", "QARUN-L2-001"})...)
	}
	return t
}

// pair is a generator and the executor behind it. The executor runs whatever
// became of the generator: the repository's own tests need no generated ones.
func pair(l qa.Layer, gen, run string, needs, after []string) []Row {
	return []Row{
		{ID: gen, Title: fmt.Sprintf("Write %s tests", l.Name()), Role: Generator, Layer: l, Needs: needs, After: after},
		{ID: run, Title: fmt.Sprintf("Run %s tests", l.Name()), Role: Executor, Layer: l, Needs: needs, After: []string{gen}},
	}
}

// Fix names the n-th generator-critic round of a layer.
func Fix(l qa.Layer, n int) (gen, run string) {
	return fmt.Sprintf("QAGEN-%s-fix-%d", l, n), fmt.Sprintf("QARUN-%s-gc-%d", l, n)
}

// Waves is the table with the wave of each task.
func (k Kind) Waves() ([]Row, map[string]int, error) {
	rows := k.Table()
	waves, err := pipeline.Waves(each.Of(rows, func(r Row) pipeline.Task[struct{}] {
		return pipeline.Task[struct{}]{ID: r.ID, Needs: r.Needs, After: r.After, Run: func(context.Context) (struct{}, error) { return struct{}{}, nil }}
	}))
	if err != nil {
		return nil, nil, err
	}
	out := map[string]int{}
	for n, ids := range waves {
		for _, id := range ids {
			out[id] = n + 1
		}
	}
	return rows, out, nil
}
