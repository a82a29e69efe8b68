package engine

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
)

// A program that is older than an argument refuses the first one that it does not know;
// it is run without all of those.
func TestOldProgramsRefuseArguments(t *testing.T) {
	t.Parallel()
	for knows, want := range map[string]string{
		"":            "--format json ./a.js",
		"--one":       "--format json --one ./a.js",
		"--two":       "--format json --two ./a.js",
		"--one --two": "--format json --one --two ./a.js",
	} {
		var p Pass
		p.AbsRoot = t.TempDir()
		p.Files = []*File{{}}
		p.Files[0].Path = "a.js"
		p.Hands.Exec = func(_ context.Context, c process.Command) (process.Result, error) {
			for _, a := range c.Argv {
				if slices.Contains([]string{"--one", "--two"}, a) && !slices.Contains(strings.Fields(knows), a) {
					return process.Result{ExitCode: 2, Stderr: []byte("Invalid option '" + a + "'")}, nil
				}
			}
			return process.Result{ExitCode: 1, Stdout: []byte(strings.Join(c.Argv[1:], " "))}, nil
		}
		hits, err := p.Over(t.Context(), Call{
			Dir: ".", Argv: []string{filepath.Join("bin", "lint"), "--format", "json"},
			Newer: []Newer{{"--one", "'--one'"}, {"--two", "'--two'"}},
			Read: func(res process.Result) ([]Hit, error) {
				return []Hit{{Message: string(res.Stdout)}}, nil
			},
		})
		assert.NilError(t, err)
		assert.Equal(t, len(hits), 1)
		assert.Equal(t, hits[0].Message, want, knows)
	}
}
