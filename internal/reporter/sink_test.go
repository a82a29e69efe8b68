package reporter

import (
	"bytes"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/annotation"
)

func TestLinks(t *testing.T) {
	t.Parallel()
	l := Links{Server: "https://github.com", Repository: "o/n", SHA: "9f2c41d7a0", Number: 5}
	assert.Equal(t, l.Diff("a.go", qa.Range{Start: 10, End: 14}),
		"https://github.com/o/n/pull/5/files#diff-ffc4fd9bc24722ba464194a85b255d4b50945f3e68a120122e11f6cdae4a8c19R10-R14")
	assert.Equal(t, l.Blob("a b/ü(1).go", qa.Range{Start: 3, End: 3}), "https://github.com/o/n/blob/9f2c41d7a0/a%20b/%C3%BC%281%29.go#L3")
	l.Number = 0
	assert.Equal(t, l.Diff("a.go", qa.Range{Start: 1, End: 2}), "https://github.com/o/n/blob/9f2c41d7a0/a.go#L1-L2")
	assert.Equal(t, Links{}.Diff("a.go", qa.Range{}), "")
	assert.Equal(t, l.Commit("not hex"), "")
}

func TestPatchTouchesKeptTestsOnly(t *testing.T) {
	t.Parallel()
	diff := func(old, path string) string {
		mode := ""
		if old == "/dev/null" {
			mode = "new file mode 100644\n"
		}
		return "diff --git a/" + path + " b/" + path + "\n" + mode + "--- " + old + "\n+++ b/" + path + "\n@@ -0,0 +1,1 @@\n+x\n"
	}
	kept := []qa.GeneratedTest{{Path: "a.test.ts", Kept: true}, {Path: "b.test.ts"}}
	for name, c := range map[string]struct{ patch, want string }{
		"nothing kept": {"", ""},
		"kept test":    {diff("/dev/null", "a.test.ts"), ""},
		"dropped test": {diff("/dev/null", "b.test.ts"), "no file of a kept test"},
		"product file": {diff("/dev/null", "a.test.ts") + diff("a/cart.ts", "cart.ts"), "no file of a kept test"},
		"outside":      {diff("/dev/null", "../a.test.ts"), "no file of a kept test"},
		"deletion":     {"diff --git a/a.test.ts b/a.test.ts\ndeleted file mode 100644\n--- a/a.test.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "deletes"},
		"rename":       {"diff --git a/cart.ts b/a.test.ts\nsimilarity index 100%\nrename from cart.ts\nrename to a.test.ts\n", "renames"},
		"broken diff":  {"diff --git a/a.test.ts b/a.test.ts\n--- a/a.test.ts\n+++ b/a.test.ts\n@@ nonsense @@\n", "not a unified diff"},
		"no diff":      {"hello\n", "names no file"},
	} {
		var out bytes.Buffer
		err := Render(&out, "patch", &qa.Report{Patch: c.patch, Generated: kept}, Options{})
		if c.want == "" {
			assert.NilError(t, err, name)
			assert.Equal(t, out.String(), c.patch, name)
			continue
		}
		assert.ErrorContains(t, err, c.want, name)
		assert.Equal(t, out.Len(), 0, name)
	}
}

func TestOutputs(t *testing.T) {
	t.Parallel()
	out, err := Outputs(situation(t, "findings-mix.json"), onHost())
	assert.NilError(t, err)
	for key, want := range map[string]string{
		"result": "FAIL", "quality-score": "88", "findings": "5", "findings-critical": "1", "findings-high": "1",
		"coverage": "0.9100", "patch-coverage": "0.9500", "pass-rate": "1.0000", "tests-run": "212",
		"report-json": "qa-report/qa-add-discounts-20261120-9f2c41d/report.json",
	} {
		assert.Equal(t, out[key], want, key)
	}
	for _, key := range []string{"sarif-path", "junit-path", "cobertura-path"} {
		assert.Equal(t, out[key], "", "a file that was not written has no path")
	}
	unknown, err := Outputs(situation(t, "inconclusive-zero-tests.json"), Options{})
	assert.NilError(t, err)
	for _, key := range []string{"coverage", "patch-coverage", "pass-rate", "quality-score"} {
		assert.Equal(t, unknown[key], "", "unknown is empty, not 0")
	}
	for _, dir := range []string{"/etc", "../x", "a/../../b", "a\nb"} {
		_, err := Outputs(&qa.Report{}, Options{Dir: dir})
		assert.ErrorContains(t, err, "not a path inside the workspace", dir)
	}
	almost, err := Outputs(&qa.Report{Coverage: qa.CoverageReport{Patch: &qa.PatchCoverage{Lines: qa.Count{Covered: 99999, Total: 100000}}}}, Options{})
	assert.NilError(t, err)
	assert.Equal(t, almost["patch-coverage"], "0.9999")
}

// TestAnnotationsOrder: lines of the change first, then by loudness; suspected,
// dismissed and known findings make none.
func TestAnnotationsOrder(t *testing.T) {
	t.Parallel()
	r := situation(t, "findings-mix.json")
	var got []string
	for _, a := range annotation.Of(r, Options{}) {
		got = append(got, string(a.Level)+" "+a.Path+":"+a.Lines.String())
	}
	assert.DeepEqual(t, got, []string{"failure src/discount.ts:17", "failure src/cart.ts:41-43", "warning src/cart.ts:44", "warning src/discount.ts:4-24", "notice src/discount.ts:19-20"})

	r = situation(t, "failing-new-test.json")
	r.Change.Files = nil
	r.Findings = []qa.Finding{{Path: "a.go", Lines: qa.Range{Start: 3, End: 3}, Severity: qa.Low, Evidence: qa.Proven, Status: qa.StatusNew}}
	r.Change.Files = []qa.FileChange{{Path: "a.go", Added: []qa.Range{{Start: 3, End: 3}}}}
	all := annotation.Of(r, Options{})
	assert.Equal(t, len(all), 2)
	assert.Equal(t, all[0].Path, "a.go")
	assert.Equal(t, all[1].Level, qa.LevelFailure)
}

// TestAnnotationLimits: never more than ten per level, and the cut is told.
func TestAnnotationLimits(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	assert.NilError(t, Render(&out, "annotations", flood(t), Options{}))
	for _, word := range []string{"::error ", "::warning ", "::notice "} {
		assert.Assert(t, strings.Count(out.String(), word) <= annotation.PerLevel, word)
	}
	assert.Assert(t, strings.Contains(out.String(), "30 of 3400 annotations shown") || strings.Contains(out.String(), "29 of 3400 annotations shown"), out.String())
	for _, a := range annotation.Of(situation(t, "hostile-text.json"), Options{}) {
		assert.Assert(t, len(a.Message) <= annotation.MessageLimit && len([]rune(a.Title)) <= 255 && len(a.Raw) <= annotation.RawLimit)
	}
}

func TestCheckConclusion(t *testing.T) {
	t.Parallel()
	for v, want := range map[qa.Verdict]string{qa.Pass: "success", qa.Conditional: "neutral", qa.Fail: "failure", qa.Inconclusive: "failure", "": "failure", "odd": "failure"} {
		assert.Equal(t, Check(&qa.Report{Result: v}, Options{}).Conclusion, want, v)
	}
}

// TestQuietRunIsShort: a green run without findings opens with a few lines and
// folds the rest.
func TestQuietRunIsShort(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	assert.NilError(t, Render(&out, "comment", situation(t, "clean-green.json"), onHost()))
	open, depth := 0, 0
	for l := range strings.Lines(out.String()) {
		depth += strings.Count(l, "<details>")
		if depth == 0 && strings.TrimSpace(l) != "" {
			open++
		}
		depth -= strings.Count(l, "</details>")
	}
	assert.Assert(t, open <= 4, "%d lines in the open:\n%s", open, out.String())
}
