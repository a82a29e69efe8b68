package executor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/runtime"
)

// listTime is how long a command may take that lists what there is to run.
const listTime = 5 * time.Minute

// part asks, where no tests were selected, for the target's part of the suite: of the
// runner, where it divides suites itself, else by the units that are its own.
func (r *Run) part(ctx context.Context, tree Tree, t Target, how adapter.Adapter, req *adapter.Request) error {
	if len(req.Tests)+len(req.Related) == 0 {
		req.Tests, req.Without = t.Only, t.Without
	}
	if t.Part == nil || len(req.Tests)+len(req.Related) > 0 {
		return nil
	}
	if how.Parts == nil {
		r.Inconclusive = how.Name + " cannot run a part of a suite"
		return nil
	}
	if req.Part = t.Part; how.Parts.List == nil {
		return nil
	}
	argv := how.Parts.List(t.Framework)
	res, err := tree.Run(ctx, runtime.Command{Argv: argv, Dir: t.Framework.Dir, Env: t.Framework.Env, Script: t.script(), Timeout: listTime})
	if ctx.Err() != nil {
		return fmt.Errorf("list what is to be run: %w", context.Cause(ctx))
	}
	all := strings.Fields(string(res.Stdout))
	if err != nil || res.ExitCode != 0 || res.Limit != "" || len(all) == 0 {
		r.Tail, r.Inconclusive = tail(res), fmt.Sprintf("what of the suite is to be run could not be listed with %s (exit code %d)", strings.Join(argv, " "), res.ExitCode)
		return nil
	}
	for _, unit := range t.Part.Units(all) {
		req.Tests = append(req.Tests, adapter.Selected{Suite: unit})
	}
	r.Empty = len(req.Tests) == 0
	return nil
}
