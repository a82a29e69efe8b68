package mode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/role/executor"
)

// Merge joins finished sessions of one commit into a new one, as if one run had
// measured all of their targets: counters are added up, never percentages, and
// everything that follows from them is worked out again. d describes the whole
// run, in a checkout of that commit; dirs are sessions, or directories that
// hold some. expect is how many there must be, 0 for no expectation.
//
// The error lists everything that keeps the shards apart or is missing; then
// nothing was written.
func Merge(ctx context.Context, d Deps, dirs []string, expect int) (*Result, error) {
	// One that was killed is gone on with, so that its commit is not entered into
	// the history twice.
	d.Model, d.Resume, d.ResumeID = nil, true, ""
	r := newRun(d)
	shards, err := r.shards(dirs, expect)
	if err != nil {
		return nil, err
	}
	r.joins = " joined from " + identity(shards)
	if err := r.open(); err != nil {
		return r.unopened(err)
	}
	r.bequeath(ctx)
	r.place = newPlace(r)
	r.place.once.Do(func() { r.place.err = errors.New("a merge runs nothing") })
	r.recall(ctx)
	r.base = joinMeasured(r, shards)
	err = r.replay(ctx, shards)
	partial := err != nil || slices.ContainsFunc(shards, func(s *shard) bool { return s.report.Partial })
	report := r.assemble(partial)
	report.Manifest.Seconds = 0
	for _, s := range shards {
		report.Manifest.Seconds += s.report.Manifest.Seconds
	}
	err = outOfMemory(ctx, report, err)
	r.enter(ctx, report)
	files, writeErr := r.write(report)
	return r.end(report, files, errors.Join(err, writeErr), nil)
}

// identity tells shards from others, wherever they lie and in whatever order they
// were named.
func identity(shards []*shard) string {
	var ids []string
	for _, s := range shards {
		ids = append(ids, s.meta.ID+" "+s.meta.Created+" "+s.meta.Key.Config)
	}
	slices.Sort(ids)
	return digestOf([]byte(strings.Join(ids, "\n")))
}

// shards reads the sessions and holds them against each other and the whole.
func (r *run) shards(dirs []string, expect int) ([]*shard, error) {
	var (
		shards   []*shard
		problems []error
		seen     []string
		left     = allowance{maxAllValues}
	)
	for _, dir := range dirs {
		found, err := sessionsIn(dir)
		problems = append(problems, err)
		for _, name := range found {
			if real, err := filepath.EvalSymlinks(name); err == nil {
				name = real
			}
			if slices.Contains(seen, name) {
				continue
			}
			seen = append(seen, name)
			s, err := openShard(name, &left)
			problems = append(problems, err)
			if s != nil {
				shards = append(shards, s)
			}
		}
	}
	if expect > 0 && len(seen) != expect {
		problems = append(problems, fmt.Errorf("%d shards expected, %d found: %s", expect, len(seen), cmp.Or(strings.Join(seen, ", "), "none")))
	}
	for _, s := range shards {
		problems = append(problems, r.fits(s))
	}
	problems = append(problems, r.covers(shards))
	return shards, errors.Join(problems...)
}

// fits holds a shard against the run it is to be a part of.
func (r *run) fits(s *shard) error {
	var problems []error
	differs := func(what, has, want string) {
		if has != want {
			problems = append(problems, fmt.Errorf("shard %s is of another %s: %s, the merge is of %s", s.name, what, cmp.Or(has, "unknown"), cmp.Or(want, "unknown")))
		}
	}
	differs("commit", s.meta.Key.Head, r.Change.Head+treeDigest(r.Root, r.Change))
	differs("base", s.report.Change.Base, r.Change.Base)
	differs("configuration", s.about.Config, common(*r.Config))
	differs("mode", s.meta.Mode, string(r.mode))
	differs("depth", s.meta.Depth, string(r.depth))
	differs("version of qa", s.report.Manifest.Version, r.Version)
	return errors.Join(problems...)
}

// covers makes sure that every target was measured, by one shard or in distinct
// parts.
func (r *run) covers(shards []*shard) error {
	problems := writtenApart(shards)
	by := map[string]string{}
	parts := map[string][]measurement{}
	names := map[string][]string{}
	for _, s := range shards {
		for _, m := range s.measured {
			name := m.Target.Name
			for i, other := range parts[name] {
				if err := apart(other, m); err != nil {
					problems = append(problems, fmt.Errorf("target %s was measured by two shards: %s and %s; %w", name, names[name][i], s.name, err))
				}
			}
			by[name], parts[name], names[name] = s.name, append(parts[name], m), append(names[name], s.name)
		}
		for _, row := range s.about.Missing {
			by[row.Name] = s.name
		}
	}
	all := &baseline{also: map[string]string{}}
	if joinedUnneeded(shards) != "" || len(shards) == 0 {
		return errors.Join(problems...)
	}
	if err := all.detect(framework.Here(), r.Root, r.Config); err != nil {
		return err
	}
	for _, t := range all.targets {
		if by[t.Name] == "" {
			problems = append(problems, fmt.Errorf("no shard measured target %s (%s in %s)", t.Name, t.Framework.Framework, t.Dir))
		}
	}
	return errors.Join(problems...)
}

// joinMeasured is the baseline that one run of all targets would have had.
func joinMeasured(r *run, shards []*shard) *baseline {
	b := &baseline{done: make(chan struct{}), also: map[string]string{}}
	close(b.done)
	parts := map[string][]executor.Baseline{}
	for _, s := range shards {
		if b.driver == "" {
			b.driver, b.levels = s.about.Driver, s.about.Levels
		}
		maps.Copy(b.also, s.about.Also)
		b.command = cmp.Or(b.command, s.about.Command)
		b.checks = append(b.checks, s.about.Checks...)
		for _, m := range s.measured {
			parts[m.Target.Name] = append(parts[m.Target.Name], m.restore())
		}
	}
	for _, name := range sortedKeys(parts) {
		run := joinParts(parts[name])
		r.past.SetAside(run.Tests.Failing)
		b.runs, b.targets = append(b.runs, run), append(b.targets, run.Target)
	}
	b.settle(r, "")
	for _, s := range shards {
		b.rows = append(b.rows, s.about.Missing...)
	}
	if len(b.runs) > 0 {
		return b
	}
	if b.unneeded = joinedUnneeded(shards); b.unneeded != "" {
		b.reason = "no test was needed"
	}
	return b
}

// joinedUnneeded says on what evidence none of the shards ran a test; empty when
// one of them did, or should have.
func joinedUnneeded(shards []*shard) string {
	why := ""
	for _, s := range shards {
		if s.report.Tests.Unneeded == "" {
			return ""
		}
		why = s.report.Tests.Unneeded
	}
	return why
}
