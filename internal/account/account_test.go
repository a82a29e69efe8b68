package account

import (
	"fmt"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

func set(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

func lines(path string, hits ...uint32) *qa.Coverage {
	f := qa.FileCoverage{Path: path}
	for i, h := range hits {
		f.Lines = append(f.Lines, qa.LineHit{Line: int32(i + 1), Hits: h})
	}
	return &qa.Coverage{Files: []qa.FileCoverage{f}}
}

func TestEveryFileHasOneClass(t *testing.T) {
	t.Parallel()
	second := []qa.Range{{Start: 2, End: 2}}
	for name, c := range map[string]struct {
		file     qa.FileChange
		seen     []Seen
		part     bool // the suite did not run whole
		class    qa.FileClass
		evidence string
		weak     bool
	}{
		"changed line ran": {file: qa.FileChange{Added: second}, seen: []Seen{{Coverage: lines("f", 1, 3)}}, class: qa.Executed, evidence: "1 of 1 changed executable line ran"},
		"by one of two targets": {file: qa.FileChange{Added: second}, seen: []Seen{{Coverage: lines("f", 1, 0)}, {Coverage: lines("f", 0, 1)}},
			class: qa.Executed, evidence: "1 of 1 changed executable line ran"},
		"other lines ran": {file: qa.FileChange{Added: second}, seen: []Seen{{Coverage: lines("f", 1, 0)}}, class: qa.Loaded, evidence: "its code ran, none of the changed lines"},
		"imported":        {seen: []Seen{{Loaded: set("f")}}, class: qa.Loaded, evidence: "the tests import it"},
		"compiled":        {seen: []Seen{{Compiled: set("f"), Coverage: lines("f", 0, 0)}}, class: qa.Compiled, evidence: "the build of the tests reads it"},
		"its own tests":   {seen: []Seen{{Cases: []qa.Case{{File: "f", Status: qa.Failed}}}}, class: qa.RunAsTest, evidence: "1 test of it ran"},
		"its tests are skipped": {seen: []Seen{{Cases: []qa.Case{{File: "f", Status: qa.Skipped}}, Reads: Reads{Opened: set("f"), Followed: set("f")}}},
			class: qa.Read, evidence: "opened while the tests ran"},
		"read": {seen: []Seen{{Reads: Reads{Opened: set("f"), Followed: set("f")}}}, class: qa.Read, evidence: "opened while the tests ran"},
		"opened by the coverage tool": {seen: []Seen{{Coverage: lines("f", 0), Reads: Reads{Opened: set("f"), Followed: set("f")}}},
			class: qa.Read, evidence: "opened while the tests ran, as other programs than the tests may have done", weak: true},
		"linters ran beside": {file: qa.FileChange{Language: "go"}, seen: []Seen{{Reads: Reads{Opened: set("f"), Followed: set("f"), Shared: true}}},
			class: qa.Read, evidence: "opened while the tests ran, as other programs than the tests may have done", weak: true},
		"nobody read it":            {seen: []Seen{{Reads: Reads{Followed: set("f")}}}, class: qa.Inert, evidence: "no test opened it"},
		"nobody read it, in a part": {seen: []Seen{{Reads: Reads{Followed: set("f")}}}, part: true, class: qa.Unseen, evidence: "not opened, and the suite did not run whole"},
		"no access times":           {seen: []Seen{{Reads: Reads{Unknown: "mounted noatime"}}}, class: qa.Unseen, evidence: "mounted noatime"},
		"not followed":              {seen: []Seen{{}}, class: qa.Unseen, evidence: "its opening cannot be seen"},
		"deleted":                   {file: qa.FileChange{Status: qa.Deleted}, class: qa.Inert, evidence: "deleted; the whole suite ran without it"},
		"submodule":                 {file: qa.FileChange{Submodule: true}, class: qa.Unseen, evidence: "a submodule: its files are not followed"},
	} {
		c.file.Path = "f"
		got := Of(qa.Change{Files: []qa.FileChange{c.file}}, c.seen, !c.part, "")
		assert.DeepEqual(t, got, []qa.FileAccount{{Path: "f", Class: c.class, Evidence: c.evidence, Weak: c.weak}})
		_ = name
	}
}

// TestAWalkerIsWeakEvidence: a runner that opens every file of the tree does not
// need them all.
func TestAWalkerIsWeakEvidence(t *testing.T) {
	t.Parallel()
	r := Reads{Opened: map[string]bool{}, Followed: map[string]bool{}}
	for i := range 100 {
		name := fmt.Sprintf("f%d", i)
		r.Followed[name] = true
		r.Opened[name] = i != 0
	}
	delete(r.Opened, "f0")
	c := qa.Change{Files: []qa.FileChange{{Path: "f0"}, {Path: "f1"}}}
	got := Of(c, []Seen{{Reads: r}}, true, "")
	assert.Equal(t, got[0].Class, qa.Inert)
	assert.Assert(t, got[1].Class == qa.Read && got[1].Weak)
}

func TestUnneeded(t *testing.T) {
	t.Parallel()
	got := Of(qa.Change{Files: []qa.FileChange{{Path: "README.md"}}}, nil, false, "no test read it when the whole suite ran on base")
	assert.DeepEqual(t, got, []qa.FileAccount{{Path: "README.md", Class: qa.Inert, Evidence: "no test read it when the whole suite ran on base"}})
}
