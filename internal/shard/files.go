package shard

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/rooted"
)

// Limits of what a merge reads; docs/limits.md has them. A decoder may make a
// whole struct of each value, and what is decoded of all shards stays.
const (
	maxShards     = 1000
	maxShardFile  = 256 << 20  // bytes of one file
	maxShardDepth = 64         // nesting
	maxMeasured   = 8_000_000  // values of one file of measurements
	maxAllValues  = 24_000_000 // of all files of all shards
)

// allowance is what a merge may still read.
type allowance struct{ values int }

// take reads a file of a shard as far as there is room for what it consists of.
func (a *allowance) take(root *os.Root, name string) ([]byte, error) {
	bounds := reporter.ReportBounds
	if bounds.Depth = maxShardDepth; filepath.Base(name) == "measured.json" {
		bounds.Values = maxMeasured
	}
	f, _, err := rooted.Open(root, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	raw, err := bounds.ReadAll(f, maxShardFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; a run that finds so much has to be made in smaller shards (input working-directory)", name, err)
	}
	if a.values -= jsonscan.Count(raw); a.values < 0 {
		return nil, fmt.Errorf("%s: more than %d values in all shards together; merge fewer of them at once", name, maxAllValues)
	}
	return raw, nil
}

func (a *allowance) decode(root *os.Root, name string, into any) error {
	raw, err := a.take(root, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// sessionsIn finds the sessions in a directory: itself, or those below it, as
// downloaded artifacts lie there.
func sessionsIn(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.Count(strings.TrimPrefix(path, dir), string(filepath.Separator)) > 3 {
			return fs.SkipDir
		}
		if entry.Name() == "session.json" && entry.Type().IsRegular() {
			if out = append(out, filepath.Dir(path)); len(out) > maxShards {
				return fmt.Errorf("more than %d sessions in %s; merge fewer of them at once", maxShards, dir)
			}
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for sessions: %w", err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no session in %s, expected a directory with session.json or one that holds such directories", dir)
	}
	slices.Sort(out)
	return out, nil
}
