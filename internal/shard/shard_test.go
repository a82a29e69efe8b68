package shard

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// array is a document of exactly n values.
func array(n int) string {
	return "[" + strings.Repeat("0,", n-1) + "0]"
}

// TestShardsAreBounded: each file, and all of them together, before a decoder
// sees them.
func TestShardsAreBounded(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"report.json": array(reporter.ReportBounds.Values), "more.json": array(reporter.ReportBounds.Values + 1),
		"measured.json": array(maxMeasured), "x/measured.json": array(maxMeasured + 1),
		"deep.json": strings.Repeat("[", maxShardDepth) + strings.Repeat("]", maxShardDepth), "deeper.json": strings.Repeat("[", maxShardDepth+1),
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		assert.NilError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	assert.NilError(t, os.Truncate(touch(t, dir, "large.json"), maxShardFile+1))
	root, err := os.OpenRoot(dir)
	assert.NilError(t, err)
	defer func() { assert.NilError(t, root.Close()) }()
	for name, want := range map[string]string{
		"report.json": "", "measured.json": "", "deep.json": "",
		"more.json":       "more.json: more than 500000 values; a run that finds so much",
		"x/measured.json": "measured.json: more than 8000000 values",
		"deeper.json":     "deeper.json: more than 64 levels of nesting",
		"large.json":      "large.json: more than 268435456 bytes",
	} {
		raw, err := (&allowance{maxAllValues}).take(root, name)
		if want == "" {
			assert.NilError(t, err)
			continue
		}
		assert.ErrorContains(t, err, want)
		assert.Equal(t, len(raw), 0)
	}
	left := &allowance{2 * jsonscan.Count([]byte(array(reporter.ReportBounds.Values)))}
	for range 2 {
		_, err := left.take(root, "report.json")
		assert.NilError(t, err)
	}
	_, err = left.take(root, "report.json")
	assert.ErrorContains(t, err, "values in all shards together; merge fewer of them at once")
}

func touch(t *testing.T, dir, name string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	assert.NilError(t, os.WriteFile(name, nil, 0o600))
	return name
}

func TestSessionsAreCounted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for n := range maxShards + 1 {
		at := filepath.Join(dir, fmt.Sprint("s", n))
		assert.NilError(t, os.Mkdir(at, 0o755))
		touch(t, at, "session.json")
		if n == maxShards-1 {
			found, err := sessionsIn(dir)
			assert.NilError(t, err)
			assert.Equal(t, len(found), maxShards)
		}
	}
	_, err := sessionsIn(dir)
	assert.ErrorContains(t, err, "more than 1000 sessions")
}
