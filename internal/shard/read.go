package shard

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/targets"
	"github.com/org/qa-action/internal/task"
)

// Whole is the run that shards are parts of.
type Whole struct {
	checkout.Checkout
	Config  *config.Config
	Version string
	Kind    task.Kind
}

// Identity tells shards from others, wherever they lie and in whatever order they
// were named.
func (all Shards) Identity() string {
	ids := each.Of(all, func(s *shard) string { return s.meta.ID + " " + s.meta.Created + " " + s.meta.Key.Config })
	slices.Sort(ids)
	return session.Digest([]byte(strings.Join(ids, "\n")))
}

// Read reads the sessions and holds them against each other and the whole.
func (w Whole) Read(dirs []string, expect int) (Shards, error) {
	var (
		shards   Shards
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
	problems = append(problems, each.Of(shards, w.fits)...)
	problems = append(problems, w.covers(shards), complete(shards))
	return shards, errors.Join(problems...)
}

// fits holds a shard against the run it is to be a part of.
func (w Whole) fits(s *shard) error {
	var problems []error
	differs := func(what, has, want string) {
		if has != want {
			problems = append(problems, fmt.Errorf("shard %s is of another %s: %s, the merge is of %s", s.name, what, cmp.Or(has, "unknown"), cmp.Or(want, "unknown")))
		}
	}
	differs("commit", s.meta.Key.Head, w.Commit())
	differs("base", s.report.Change.Base, w.Change.Base)
	differs("configuration", s.about.Config, common(*w.Config))
	differs("mode", s.meta.Mode, string(w.Kind.Mode))
	differs("depth", s.meta.Depth, string(w.Kind.Depth))
	differs("version of qa", s.report.Manifest.Version, w.Version)
	return errors.Join(problems...)
}

// complete makes sure that of suites that were run in parts every part is there, once,
// and that all were divided in the same way.
func complete(shards Shards) error {
	var problems []error
	first := map[string]*shard{}
	parts := map[string]map[int]string{}
	for _, s := range shards {
		dir, split := s.about.Dir, s.about.Split
		if parts[dir] == nil {
			first[dir], parts[dir] = s, map[int]string{}
		}
		of := first[dir].about.Split
		switch other, twice := parts[dir][split.Index]; {
		case split.Of != of.Of:
			problems = append(problems, fmt.Errorf("shard %s is part %d of %d, shard %s part %d of %d", s.name, split.Index, split.Of, first[dir].name, of.Index, of.Of))
		case split.By != of.By:
			problems = append(problems, fmt.Errorf("shards %s and %s divided the tests by other times, so a test may be in both or in none; run all shards again", first[dir].name, s.name))
		case !split.Whole() && s.about.Command != first[dir].about.Command:
			problems = append(problems, fmt.Errorf("shards %s and %s ran other test commands, so they are no parts of one suite: %q and %q", first[dir].name, s.name, first[dir].about.Command, s.about.Command))
		case twice && !split.Whole():
			problems = append(problems, fmt.Errorf("shards %s and %s are both part %d of %d", other, s.name, split.Index, split.Of))
		}
		parts[dir][split.Index] = s.name
	}
	for _, dir := range slices.Sorted(maps.Keys(parts)) {
		for i := range first[dir].about.Split.Of {
			if _, there := parts[dir][i+1]; !there && !first[dir].about.Split.Whole() {
				problems = append(problems, fmt.Errorf("part %d of %d is missing", i+1, first[dir].about.Split.Of))
			}
		}
	}
	return errors.Join(problems...)
}

// covers makes sure that every target was measured, by one shard or in distinct
// parts.
func (w Whole) covers(shards Shards) error {
	problems := conflicts(shards)
	by := map[string]string{}
	parts := map[string][]baseline.Measurement{}
	names := map[string][]string{}
	for _, s := range shards {
		for _, m := range s.measured {
			name := m.Target.Name
			for i, other := range parts[name] {
				if err := distinct(other, m, !s.about.Split.Whole()); err != nil {
					problems = append(problems, fmt.Errorf("target %s was measured by two shards: %s and %s; %w", name, names[name][i], s.name, err))
				}
			}
			by[name], parts[name], names[name] = s.name, append(parts[name], m), append(names[name], s.name)
		}
		for _, row := range s.about.Missing {
			by[row.Name] = s.name
		}
	}
	for _, s := range shards {
		for _, m := range s.measured {
			if name := m.Target.Name; by[name] == s.name && !s.about.Split.Whole() {
				if err := idle(parts[name], s.about.Split.Of); err != nil {
					problems = append(problems, fmt.Errorf("target %s: %w", name, err))
				}
			}
		}
	}
	if baseline.Unneeded(shards.Parts()) != "" || len(shards) == 0 {
		return errors.Join(problems...)
	}
	all, err := targets.Find(project.Here(), w.Root, w.Config)
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
