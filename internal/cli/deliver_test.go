package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/publish"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/contract"
)

const patchOfOneTest = `diff --git a/price/price_test.go b/price/price_test.go
--- a/price/price_test.go
+++ b/price/price_test.go
@@ -1,3 +1,5 @@
 package price

 func TestOld() {}
+
+func TestNew() {}
diff --git a/price/tax_test.go b/price/tax_test.go
new file mode 100644
--- /dev/null
+++ b/price/tax_test.go
@@ -0,0 +1,1 @@
+package price
`

// handing is a finished run that kept two tests, on a pull request.
type handing struct {
	setup  *setup
	server *contract.Server
	result *mode.Result
	log    bytes.Buffer
}

func newHanding(t *testing.T, way string) *handing {
	t.Helper()
	h := &handing{server: contract.New(t)}
	h.server.Git.Put("feature", h.server.Head, map[string]string{"price/price_test.go": "package price\n\nfunc TestOld() {}\n"})
	client, err := gh.New(gh.Options{URL: h.server.URL, Token: contract.Token, Owner: "octo-org", Repo: "shop", Spacing: 1})
	assert.NilError(t, err)
	dir := t.TempDir()
	h.setup = &setup{root: dir, config: &config.Config{Publishing: config.Publishing{Deliver: way}, Subject: config.Subject{WorkingDirectory: "."}}, actions: &actions{Publisher: publish.Publisher{
		Log: &h.log, Client: client, Event: gh.Event{Owner: "octo-org", Repo: "shop", ServerURL: "https://github.com", Pull: &gh.Pull{Number: 7}}}}}
	r := &qa.Report{Schema: qa.ReportSchema, Session: "s", Result: qa.Pass, Patch: patchOfOneTest, Change: qa.Change{Head: h.server.Head, Number: 7}, Generated: []qa.GeneratedTest{
		{Name: "TestNew", Path: "price/price_test.go", Layer: qa.L1, Lane: "hardening", Kept: true},
		{Name: "TestTax", Path: "price/tax_test.go", Layer: qa.L1, Lane: "hardening", Kept: true},
		{Name: "TestShowsDefect", Path: "price/defect_test.go", Layer: qa.L1, Lane: "catching", Reason: "shows a finding"},
	}}
	h.result = &mode.Result{Report: r, Dir: filepath.Join(dir, "session"), Files: []string{"json", "junit"}}
	assert.NilError(t, os.MkdirAll(h.result.Dir, 0o755))
	return h
}

// deliver hands over and gives what the report on disk says of it.
func (h *handing) deliver(t *testing.T) *qa.Delivery {
	t.Helper()
	h.setup.deliver(t.Context(), &Env{Stderr: &h.log}, output.At(filepath.Dir(h.result.Dir)), h.result)
	raw, err := os.ReadFile(filepath.Join(h.result.Dir, "report.json"))
	assert.NilError(t, err)
	var r qa.Report
	assert.NilError(t, json.Unmarshal(raw, &r))
	assert.Assert(t, r.Manifest.Delivery != nil)
	assert.DeepEqual(t, r.Manifest.Delivery, h.result.Report.Manifest.Delivery)
	return r.Manifest.Delivery
}

func TestDeliver(t *testing.T) {
	t.Parallel()
	for way, branch := range map[string]string{"commit": "feature", "pull-request": "qa/tests-7"} {
		h := newHanding(t, way)
		d := h.deliver(t)
		assert.Equal(t, d.Reason, "")
		assert.Equal(t, d.Tests, 2)
		assert.Equal(t, d.Files, 2)
		assert.Equal(t, h.server.Git.Refs["refs/heads/"+branch], d.Commit)
		assert.Equal(t, string(h.server.Git.File("refs/heads/"+branch, "price/price_test.go")), "package price\n\nfunc TestOld() {}\n\nfunc TestNew() {}\n")
		assert.Equal(t, string(h.server.Git.File("refs/heads/"+branch, "price/tax_test.go")), "package price\n")
		assert.Equal(t, string(h.server.Git.File("refs/heads/"+branch, "price/defect_test.go")), "")
		assert.Assert(t, strings.Contains(h.log.String(), "qa: deliver: 2 tests in 2 files, commit "+d.Commit[:7]), h.log.String())
		if way == "pull-request" {
			body := h.server.Proposals[0].Body
			assert.Assert(t, strings.HasPrefix(body, "2 tests for #7, proven on "), body)
			assert.Assert(t, strings.Contains(body, "TestNew") && strings.Contains(body, "TestTax") && !strings.Contains(body, "TestShowsDefect"), body)
		}
	}
}

// TestDeliverRefusals: one line in log and manifest, and no request that writes.
func TestDeliverRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(h *handing)
		want   string
	}{
		"nothing kept": {func(h *handing) {
			h.result.Report.Patch, h.result.Report.Generated = "", nil
		}, "no generated test was kept"},
		"partial":          {func(h *handing) { h.result.Report.Partial = true }, "the run is not complete"},
		"dirty":            {func(h *handing) { h.result.Report.Change.Dirty = true }, "uncommitted edits"},
		"no runner":        {func(h *handing) { h.setup.actions = nil }, "needs a workflow run of a pull request"},
		"a push":           {func(h *handing) { h.setup.actions.Event.Pull = nil }, "needs a workflow run of a pull request"},
		"no token":         {func(h *handing) { h.setup.actions.Client = nil }, "needs the input github-token"},
		"a fork":           {func(h *handing) { h.server.HeadRepo = "eve/shop" }, `of the fork "eve/shop"`},
		"a read token":     {func(h *handing) { h.server.ReadOnly = true }, "it needs the permission contents: write"},
		"a newer push":     {func(h *handing) { h.server.Head = strings.Repeat("d", 40) }, "the pull request has a newer head"},
		"a guarded branch": {func(h *handing) { h.server.Git.Guarded = map[string]bool{"feature": true} }, `branch "feature" is protected`},
		"a file that base changed": {func(h *handing) {
			h.server.Git.Put("feature", h.server.Head, map[string]string{"price/price_test.go": "package price\n\nfunc TestOther() {}\n"})
		}, "bring the branch up to date with its base"},
		"a file that is there already": {func(h *handing) {
			h.server.Git.Put("feature", h.server.Head, map[string]string{"price/tax_test.go": "package price // mine\n"})
		}, "price/price_test.go on the branch is not what"},
		"product source": {func(h *handing) {
			h.result.Report.Patch = strings.ReplaceAll(patchOfOneTest, "price_test.go", "price.go")
		}, `touches "price/price.go", which is no file of a kept test`},
		"product source that is said to be a test": {func(h *handing) {
			h.result.Report.Patch = strings.ReplaceAll(patchOfOneTest, "price_test.go", "price.go")
			h.result.Report.Generated[0].Path = "price/price.go"
		}, "price/price.go is a source file, and only test files are handed over"},
		"a workflow": {func(h *handing) {
			h.result.Report.Patch = strings.ReplaceAll(patchOfOneTest, "price/price_test.go", ".github/workflows/ci.yml")
			h.result.Report.Generated[0].Path = ".github/workflows/ci.yml"
		}, "only test files are handed over"},
		"a failing test": {func(h *handing) {
			h.result.Report.Patch = strings.ReplaceAll(patchOfOneTest, "tax_test.go", "defect_test.go")
		}, `touches "price/defect_test.go", which is no file of a kept test`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHanding(t, "commit")
			c.change(h)
			d := h.deliver(t)
			assert.Assert(t, strings.Contains(d.Reason, c.want), d.Reason)
			assert.Equal(t, d.Commit+d.URL, "")
			assert.Equal(t, strings.Count(h.log.String(), "\n"), 1, h.log.String())
			assert.Equal(t, len(h.server.Log("PATCH")), 0)
			assert.Equal(t, h.result.Report.Result, qa.Pass)
		})
	}
}

func TestPatchAloneIsTheDefault(t *testing.T) {
	t.Parallel()
	h := newHanding(t, "patch")
	h.setup.deliver(t.Context(), &Env{Stderr: &h.log}, output.At(filepath.Dir(h.result.Dir)), h.result)
	assert.Assert(t, h.result.Report.Manifest.Delivery == nil)
	assert.Equal(t, len(h.server.Requests), 0)
}
