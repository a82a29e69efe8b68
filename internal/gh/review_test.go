package gh

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/contract"
)

// twoHunks shows lines 1 to 4 and 12 to 14 of a.go's head.
const twoHunks = "@@ -1,2 +1,4 @@\n package a\n+\n+import \"os\"\n var x = 1\n@@ -10,2 +12,3 @@ func f() {\n \tif x == 1 {\n+\t\tx = x\n \t}"

// remark is a comment at lines of a.go that read as said.
func remark(about string, start, end int, seen ...string) qa.ReviewComment {
	return qa.ReviewComment{About: about, Path: "a.go", Body: "about " + about + "\n", Spots: []qa.Spot{{Lines: qa.Range{Start: start, End: end}, Seen: seen}}}
}

func reviewed(t *testing.T) (*contract.Server, func(settled bool, comments ...qa.ReviewComment) string) {
	t.Helper()
	s := contract.New(t)
	s.Patches = map[string]string{"a.go": twoHunks, "large.go": ""}
	c, _ := connect(t, s)
	return s, func(settled bool, comments ...qa.ReviewComment) string {
		t.Helper()
		done, err := (Review{Number: 7, Head: s.Head, Place: here, Settled: settled}).Put(t.Context(), c, comments)
		assert.NilError(t, err)
		return done.String()
	}
}

func TestReview(t *testing.T) {
	t.Parallel()
	s, put := reviewed(t)
	fix := remark("self", 13, 13, "x = x")
	fix.Spots = append([]qa.Spot{{Lines: qa.Range{Start: 12, End: 14}, Seen: []string{"\tif x == 1 {", "\t\tx = x", "\t}"}, Exact: true, Suggestion: "\n```suggestion\n```\n"}}, fix.Spots...)
	elsewhere := []qa.ReviewComment{
		remark("another text", 3, 3, `import "io"`), remark("two hunks", 4, 12, "var x = 1"), remark("between", 7, 7, "x"), remark("nothing seen", 3, 3),
		{About: "no patch", Path: "large.go", Spots: fix.Spots}, {About: "no file", Path: "b.go", Spots: fix.Spots},
	}
	all := append([]qa.ReviewComment{remark("import", 3, 3, `import "os"`), fix}, elsewhere...)
	assert.Equal(t, put(true, all...), "2 new, 6 at no line of the diff")
	assert.Equal(t, s.Reviews, 1)
	assert.Equal(t, fmt.Sprint(s.Remarks[0].Start, s.Remarks[0].Line, s.Remarks[1].Start, s.Remarks[1].Line), "0 3 12 14")
	assert.Assert(t, strings.HasSuffix(s.Remarks[1].Body, "about self\n\n```suggestion\n```\n"), s.Remarks[1].Body)
	assert.Equal(t, put(true, all...), "2 unchanged, 6 at no line of the diff")

	// A word of it changed, and its reason went where nobody had looked.
	said := remark("import", 3, 3, `import "os"`)
	said.Body = "said better\n"
	assert.Equal(t, put(false, said), "1 updated")
	assert.Equal(t, put(true, said), "1 unchanged, 1 gone")
	assert.Equal(t, len(s.Remarks), 1)

	// People answered: it stays, and says so once, and is back when its reason is.
	s.Remarks = append(s.Remarks, contract.Remark{ID: 5000, Author: "alice", Body: "why?", Path: "a.go", Line: 3, ReplyTo: s.Remarks[0].ID})
	assert.Equal(t, put(true), "1 gone")
	assert.Equal(t, put(true), "none")
	assert.Assert(t, strings.Contains(s.Remarks[0].Body, "\n"+over+"said better"), s.Remarks[0].Body)
	assert.Equal(t, put(true, said), "1 updated")
	assert.Assert(t, strings.HasSuffix(s.Remarks[0].Body, "-->\nsaid better\n"), s.Remarks[0].Body)

	// The diff does not show the line any more: the finding is not gone.
	s.Patches["a.go"] = ""
	assert.Equal(t, put(true, said), "1 at no line of the diff")
	assert.Equal(t, len(s.Remarks), 2)
	s.Patches["a.go"] = twoHunks

	// The line moved away below it: what is said of it now stands at its new place.
	s.Remarks = s.Remarks[:1]
	s.Remarks[0].Line = 0
	assert.Equal(t, put(true, said), "1 new, 1 gone")
	assert.Equal(t, fmt.Sprint(len(s.Remarks), s.Remarks[0].Line), "1 3")
}

func TestReviewLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	s, put := reviewed(t)
	elsewhere := Place{Workflow: here.Workflow, Job: here.Job, Key: "b"}
	mark := func(p Place) string { return (Review{Place: p}).mark("import") + "\n" }
	s.Remarks = []contract.Remark{
		{ID: 1, Author: "mallory", Body: mark(here) + "spoofed", Path: "a.go", Line: 3},
		{ID: 2, Author: contract.Bot, Bot: true, Body: mark(elsewhere) + "another job's", Path: "a.go", Line: 3},
		{ID: 3, Author: contract.Bot, Bot: true, Body: "> " + mark(here), Path: "a.go", Line: 3},
		{ID: 4, Author: contract.Bot, Bot: true, Body: here.marker() + "\nno part of a review", Path: "a.go", Line: 3},
	}
	assert.Equal(t, put(true, remark("import", 3, 3, `import "os"`)), "1 new")
	assert.Equal(t, put(true), "1 gone")
	assert.Equal(t, len(s.Remarks), 4)
}

// TestReviewOfTwoRuns: two runs at once leave each comment twice; the next takes the
// younger ones away.
func TestReviewOfTwoRuns(t *testing.T) {
	t.Parallel()
	s, put := reviewed(t)
	s.OnCreate = func(s *contract.Server) {
		s.OnCreate = nil
		s.Remarks = append(s.Remarks, contract.Remark{ID: 1, Author: contract.Bot, Bot: true, Body: (Review{Place: here}).mark("import") + "\nabout import\n", Path: "a.go", Line: 3})
	}
	comment := remark("import", 3, 3, `import "os"`)
	assert.Equal(t, put(true, comment), "1 new")
	assert.Equal(t, len(s.Remarks), 2)
	assert.Equal(t, put(true, comment), "1 unchanged, 1 gone")
	assert.Equal(t, fmt.Sprint(len(s.Remarks), s.Remarks[0].ID), "1 1")
}

func TestReviewIsBounded(t *testing.T) {
	t.Parallel()
	s, put := reviewed(t)
	var all []qa.ReviewComment
	for i := range 50 {
		all = append(all, remark(fmt.Sprint("n", i), 3, 3, `import "os"`))
	}
	assert.Equal(t, put(true, all...), "30 new, 20 left for the next push")
	assert.Equal(t, put(true, all...), "20 new, 30 unchanged")
	assert.Equal(t, s.Reviews, 2)
}

// TestReviewFails: what GitHub says no to costs a message, and a lost reply brings no
// comment twice.
func TestReviewFails(t *testing.T) {
	t.Parallel()
	s, _ := reviewed(t)
	c, _ := connect(t, s)
	comment := remark("import", 3, 3, `import "os"`)
	s.ReadOnly = true
	_, err := (Review{Number: 7, Head: s.Head, Place: here}).Put(t.Context(), c, []qa.ReviewComment{comment})
	assert.Assert(t, errors.Is(err, ErrForbidden), err)
	s.ReadOnly = false
	_, err = (Review{Number: 7, Head: strings.Repeat("d", 40), Place: here}).Put(t.Context(), c, []qa.ReviewComment{comment})
	assert.ErrorContains(t, err, "must be part of the diff")
	assert.Equal(t, len(s.Remarks), 0)
	s.OnRequest = func(s *contract.Server, request string) {
		if strings.HasSuffix(request, "/reviews") { // stored, and the reply lost
			s.OnRequest = nil
			s.Remarks = append(s.Remarks, contract.Remark{ID: 1, Author: contract.Bot, Bot: true, Body: (Review{Place: here}).mark("import") + "\nabout import\n", Path: "a.go", Line: 3})
			s.Refusals = []contract.Refusal{{Status: 502, Message: "bad gateway"}}
		}
	}
	done, err := (Review{Number: 7, Head: s.Head, Place: here}).Put(t.Context(), c, []qa.ReviewComment{comment})
	assert.NilError(t, err)
	assert.Equal(t, done.String()+fmt.Sprint(len(s.Remarks)), "1 unchanged1")
}
