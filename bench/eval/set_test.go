package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

var set = filepath.Join("..", "..", "testdata", "eval")

// TestSetIsWhatTheNumbersAssume: half of the changes are clean, and the
// defects are spread over the languages and kinds as documented.
func TestSetIsWhatTheNumbersAssume(t *testing.T) {
	t.Parallel()
	cases, err := readCases(set, "")
	assert.NilError(t, err)
	defects, kinds := map[string]int{}, map[string]bool{}
	clean := 0
	for _, c := range cases {
		assert.Assert(t, c.Title != "" && c.Body != "", "%s has no title or body", c.ID)
		for _, name := range []string{filepath.Join(c.dir, "change.patch"), filepath.Join(set, "lib", c.Library), filepath.Join(set, "project", c.Framework)} {
			_, err := os.Stat(name)
			assert.NilError(t, err)
		}
		if c.Truth == nil {
			clean++
			continue
		}
		defects[c.Framework]++
		assert.Assert(t, !kinds[c.Truth.Kind], "two defects are of the kind %s", c.Truth.Kind)
		kinds[c.Truth.Kind] = true
	}
	assert.DeepEqual(t, defects, map[string]int{"vitest": 3, "jest": 2, "mocha": 3, "pytest": 6, "gotest": 6})
	assert.Equal(t, clean, 20)
}

func TestCasesThatAreNone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"library: a\nframework: junit\n":                                     "unknown framework",
		"framework: jest\ncolour: red\n":                                     "colour",
		"framework: jest\ntruth: {cause: '('}\n":                             "cause",
		"framework: jest\ntruth: {file: a, cause: x}\n":                      "needs file, lines and oracle",
		"framework: jest\ntruth: {file: a, lines: {start: 1}, cause: 'x'}\n": "needs file, lines and oracle",
	} {
		dir := t.TempDir()
		assert.NilError(t, os.WriteFile(filepath.Join(dir, "case.yaml"), []byte(name), 0o600))
		_, err := readCase(dir)
		assert.ErrorContains(t, err, want)
	}
}

// TestMissingRepliesAreAnError: numbers of a part are never those of the set.
func TestMissingRepliesAreAnError(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := run(t.Context(), []string{"-set", set, "-runs", "nobody", "-only", "^quota-", "-work", t.TempDir()}, &out)
	assert.ErrorContains(t, err, "2 of 2 runs have no outcome")
	assert.Equal(t, strings.Count(out.String(), "NOT RUN: no recorded replies"), 2)
}
