// Package shard joins finished sessions of one commit, each of which measured some
// of the targets: counters are added up, never percentages. Start at
// [Whole.Read].
package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
)

// shardFile is results/shard.json: what a merge must know of a run beyond its
// report and its measurements.
type shardFile struct {
	// Config is the digest of the configuration without what tells shards apart.
	Config string `json:"config"`
	// Dir is the directory that the run was about.
	Dir string `json:"dir,omitempty"`
	// Command is the test command that was asked for.
	Command string `json:"test_command,omitempty"`
	baseline.Summary
}

const shardName = "results/shard.json"

// common is the digest of the configuration that shards of one run share.
func common(c config.Config) string {
	c.WorkingDirectory, c.OutputDir, c.History, c.TestCommand, c.Shard = ".", "", "", "", config.Shard{}
	return c.Digest()
}

// Keep writes what a merge needs of a run that is over.
func Keep(s *session.Session, c config.Config, b *baseline.Baseline) error {
	return s.WriteJSON(shardName, shardFile{common(c), c.WorkingDirectory, c.TestCommand, b.Summary()})
}

// shard is one session to be merged, read completely. Its files may come from
// an artifact that somebody else filled: they are bounded and no link is
// followed out of the directory.
type shard struct {
	name     string // the directory as it was named
	meta     session.Meta
	report   qa.Report
	about    shardFile
	measured []baseline.Measurement
	results  map[string]task.Result // kept, by task
	// layers are the counters of the layers that were run on their own.
	layers map[qa.Layer][]*qa.Coverage
}

// Shards are sessions that together are one run.
type Shards []*shard

// Parts are the shards' parts of the baseline.
func (all Shards) Parts() []baseline.Part {
	return each.Of(all, func(s *shard) baseline.Part {
		return baseline.Part{Summary: s.about.Summary, Measured: s.measured, Unneeded: s.report.Tests.Unneeded}
	})
}

// openShard reads a session's directory.
func openShard(dir string, left *allowance) (*shard, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w", dir, err)
	}
	defer func() { _ = root.Close() }() // only read
	s := &shard{name: dir, results: map[string]task.Result{}, layers: map[qa.Layer][]*qa.Coverage{}}
	if err := left.decode(root, "session.json", &s.meta); err != nil {
		return nil, fmt.Errorf("shard %s: %w", dir, err)
	}
	if s.meta.Schema != session.Schema {
		return nil, fmt.Errorf("shard %s: written by another version (schema %d, this one reads %d)", dir, s.meta.Schema, session.Schema)
	}
	if s.meta.State != session.Finished {
		return nil, fmt.Errorf("shard %s: its run is not finished (%s); run it again or go on with qa resume", dir, s.meta.State)
	}
	err = errors.Join(left.decode(root, "report.json", &s.report), left.decode(root, shardName, &s.about), s.readMeasured(root, left), s.readResults(root, left))
	if err == nil {
		err = quality.Verify(&s.report)
	}
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w", dir, err)
	}
	return s, nil
}

func (s *shard) readMeasured(root *os.Root, left *allowance) error {
	names, err := fs.Glob(root.FS(), "results/*/*/measured.json")
	if err != nil {
		return err
	}
	for _, name := range names {
		raw, err := left.take(root, name)
		if err != nil {
			return err
		}
		part := strings.Split(name, "/")[1]
		if layer, of := strings.CutPrefix(part, "run-"); of {
			var c baseline.Counters
			if err := json.Unmarshal(raw, &c); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			s.layers[qa.Layer(layer)] = append(s.layers[qa.Layer(layer)], c.WithLines())
			continue
		}
		m, err := baseline.Decode(raw)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !m.Baseline.Nothing(m.Head != nil) { // others have its tests
			s.measured = append(s.measured, m)
		}
	}
	return nil
}

func (s *shard) readResults(root *os.Root, left *allowance) error {
	names, err := fs.Glob(root.FS(), "resume/*.json")
	if err != nil {
		return err
	}
	for _, name := range names {
		var k struct {
			Task  string      `json:"task"`
			Value task.Result `json:"value"`
		}
		if filepath.Base(name) == past.KeptAs+".json" {
			continue
		}
		if err := left.decode(root, name, &k); err != nil {
			return err
		}
		s.results[k.Task] = k.Value
	}
	return nil
}
