package adapter

import (
	"testing"
	"time"
)

// A test in TypeScript that ran as what a build wrote of it has run, if that was
// written after it.
func TestCompiledTests(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	for _, c := range []struct {
		built, source string
		age           time.Duration
		want          bool
	}{
		{"dist-node/test/parse.test.js", "src/test/parse.test.ts", 0, true},
		{"dist/test/parse.test.js", "test/parse.test.ts", time.Second, true},
		{"dist/esm/parse.test.mjs", "src/parse.test.mts", 0, true},
		{"packages/a/dist/x.test.js", "packages/a/src/x.test.tsx", 0, true},
		{"packages/a/dist/x.test.js", "packages/b/src/x.test.ts", 0, false},
		{"dist/test/parse.test.js", "src/test/parse.test.ts", -time.Second, false},
		{"dist/test/parse.test.js", "src/test/other.test.ts", 0, false},
		{"dist/other/parse.test.js", "src/test/parse.test.ts", 0, false},
		{"a/b/c/test/parse.test.js", "src/test/parse.test.ts", 0, false},
		{"dist/test/parse.test.js", "src/test/parse.test.py", 0, false},
		{"parse.test.js", "parse.test.ts", 0, false},
		{"build/xparse.test.js", "src/parse.test.ts", 0, false},
	} {
		built := []Artifact{{Path: c.built, Modified: now.Add(c.age)}}
		if got := CompiledOf(built, c.source, now); got != c.want {
			t.Errorf("%s of %s, %v later: %v", c.built, c.source, c.age, got)
		}
	}
	if CompiledOf([]Artifact{{Path: "dist/a.test.js"}}, "src/a.test.ts", now) {
		t.Error("a file that is not there any more was made of the source")
	}
}
