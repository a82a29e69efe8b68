package mode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/targets"
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
	r.copies = copies.None(errors.New("a merge runs nothing"))
	r.recall(ctx)
	r.base = baseline.Over(baseline.Join(r.baselineOptions(), partsOf(shards)))
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
	return session.Digest([]byte(strings.Join(ids, "\n")))
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
	parts := map[string][]baseline.Measurement{}
	names := map[string][]string{}
	for _, s := range shards {
		for _, m := range s.measured {
			name := m.Target.Name
			for i, other := range parts[name] {
				if err := baseline.Distinct(other, m); err != nil {
					problems = append(problems, fmt.Errorf("target %s was measured by two shards: %s and %s; %w", name, names[name][i], s.name, err))
				}
			}
			by[name], parts[name], names[name] = s.name, append(parts[name], m), append(names[name], s.name)
		}
		for _, row := range s.about.Missing {
			by[row.Name] = s.name
		}
	}
	if baseline.Unneeded(partsOf(shards)) != "" || len(shards) == 0 {
		return errors.Join(problems...)
	}
	all, err := targets.Find(framework.Here(), r.Root, r.Config)
	if err != nil {
		return err
	}
	for _, t := range all.Targets {
		if by[t.Name] == "" {
			problems = append(problems, fmt.Errorf("no shard measured target %s (%s in %s)", t.Name, t.Framework.Framework, t.Dir))
		}
	}
	return errors.Join(problems...)
}
