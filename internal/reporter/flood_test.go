package reporter

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/annotation"
	"github.com/org/qa-action/internal/reporter/markdown"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// torrent are 3,000 failing tests with long names, messages and commands, and
// gates that name them all; reason gives the first line of the message of each.
// Every fiftieth says more: all of them would only cost time.
func torrent(t testing.TB, reason func(i int) string) *qa.Report {
	t.Helper()
	r := situation(t, "failing-new-test.json")
	r.Tests.Failing, r.Tests.Cases, r.Tests.Groups = nil, nil, nil
	var names []string
	for i := range 3000 {
		file := fmt.Sprintf("src/%smodule%02d/part.test.ts", strings.Repeat("deep/", 40), i%40)
		c := qa.Case{Suite: file, File: file, Line: i + 1, Status: qa.Failed, Message: reason(i), Output: "at frame (src/a.ts:1:1)\n",
			Name: fmt.Sprintf("part %d > %s", i, strings.Repeat("returns the same value on every call and then ", 20))}
		if i%50 == 0 {
			c.Message += "\n" + strings.Repeat("details of what went wrong\n", 200)
			c.Output = strings.Repeat(c.Output, 4000)
		}
		r.Tests.Failing = append(r.Tests.Failing, qa.FailingTest{Case: c, Triage: qa.NewFailure, Base: qa.Passed, Head: []bool{false, false, false},
			Reproduce: "npx vitest run " + file + " -t '" + c.Name + "'"})
		names = append(names, c.ID())
	}
	r.Tests.Head, r.Tests.Groups = qa.Tally{Tests: 3000, Failed: 3000}, qa.GroupFailures(r.Tests.Failing)
	measured, reasons := strings.Join(names, ", "), strings.Join(names, "; ")
	r.Reason = "3000 new failing tests: " + measured
	for i := range r.Gates {
		r.Gates[i].Measured, r.Gates[i].Reason = measured, reasons
	}
	r.Gates = append(r.Gates, qa.Gate{Name: "wordy", Rule: strings.Repeat("r", 100_000), Measured: strings.Repeat("m", 100_000), Reason: strings.Repeat("w", 100_000),
		Verdict: qa.Inconclusive, Input: strings.Repeat("i", 100_000)})
	return r
}

func torrents(t testing.TB) map[string]*qa.Report {
	return map[string]*qa.Report{
		"one reason": torrent(t, func(i int) string {
			return fmt.Sprintf("Error: connect ECONNREFUSED 127.0.0.1:%d", 40_000+i)
		}),
		"3,000 reasons": torrent(t, func(i int) string {
			return fmt.Sprintf("AssertionError: expected %d to be %s", i, strings.Repeat("long ", 50))
		}),
	}
}

var (
	markdownLink = regexp.MustCompile(`\]\(([^)]*)\)`)
	tableCell    = regexp.MustCompile(`[^|]+`)
)

// TestTorrent: whatever the number of failures and the length of what they say,
// each output keeps its limit, and so do its parts.
func TestTorrent(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for name, r := range torrents(t) {
		rendered := map[string]string{}
		for member, limit := range map[string]int{"comment": 65_536, "summary": 1 << 20, "markdown": 4 << 20, "html": 4 << 20, "console": 64 << 10, "annotations": 200 << 10} {
			var out bytes.Buffer
			assert.NilError(t, Render(&out, member, r, onHost()))
			assert.Assert(t, out.Len() <= limit, "%s: %s has %d bytes, limit %d", name, member, out.Len(), limit)
			rendered[member] = out.String()
		}
		check := Check(r, onHost())
		assert.Assert(t, len(check.Summary) <= markdown.CheckBudget && len(check.Text) <= markdown.CheckBudget)
		assert.Assert(t, utf8.RuneCountInString(check.Title) <= 255, "check title has %d characters", utf8.RuneCountInString(check.Title))
		rendered["check"] = check.Summary + check.Text
		for _, a := range check.Annotations {
			assert.Assert(t, len(a.Message) <= annotation.MessageLimit && len(a.Raw) <= annotation.RawLimit && utf8.RuneCountInString(a.Title) <= 255)
		}
		for _, member := range []string{"comment", "summary", "markdown", "check"} {
			for l := range strings.Lines(rendered[member]) {
				if strings.HasPrefix(l, "|") {
					for _, cell := range tableCell.FindAllString(l, -1) {
						assert.Assert(t, len(cell) <= 1200, "%s: %s has a cell of %d bytes: %.200s", name, member, len(cell), cell)
					}
				}
				for _, m := range markdownLink.FindAllStringSubmatch(l, -1) {
					assert.Assert(t, len(m[1]) <= 1024, "%s: %s has a link of %d bytes", name, member, len(m[1]))
				}
			}
		}
		for member, text := range rendered {
			assert.Assert(t, member == "annotations" || strings.Contains(text, "FAIL"), "%s: %s lost the verdict", name, member)
			assert.Assert(t, member == "annotations" || regexp.MustCompile(`and (2,9\d\d|3,000) more`).MatchString(text), "%s: %s does not say how much of a gate is cut", name, member)
			if name == "one reason" && member != "annotations" {
				assert.Assert(t, strings.Contains(text, "3,000 tests"), "%s: %s does not count the group", name, member)
			}
		}
		switch name {
		case "one reason":
			assert.Equal(t, strings.Count(fmt.Sprint(check.Annotations), "Test failed:")+strings.Count(fmt.Sprint(check.Annotations), "tests fail"), 1, "one group is one annotation")
			assert.Assert(t, len(rendered["comment"]) < 20_000, "one reason takes %d bytes", len(rendered["comment"]))
			assert.Assert(t, strings.Contains(rendered["comment"], "and 2,995 more"))
		default:
			assert.Assert(t, strings.Contains(rendered["comment"], "of 3,000") || strings.Contains(rendered["comment"], "of 3000"), "the comment does not say how many it shows")
		}
		var junit bytes.Buffer
		assert.NilError(t, Render(&junit, "junit", r, onHost()))
		assert.Equal(t, strings.Count(junit.String(), "<testcase "), 3000, "JUnit is per test")
	}
}
