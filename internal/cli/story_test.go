package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// story is a pull request over several pushes, each run as the action runs it:
// a new job with a new checkout, and nothing left of the job before but what the
// history keeps.
type story struct {
	*step
	origin *fixture.Repo
	pushes int
	names  map[string]string // of commits
	last   qa.Report
}

// plot are the files of main. A line with FIXME is a finding, and BROKEN makes a
// test fail.
var plot = map[string]string{
	".gitignore": "qa-report\nout\n",
	"lib.rb":     "puts 1\n",
	"run.sh": `mkdir -p out
bad=; grep -q BROKEN lib.rb && bad='<failure message="it is broken"/>'
echo "<testsuite name=\"s\"><testcase name=\"adds\"/><testcase name=\"holds\">$bad</testcase></testsuite>" > out/t.xml
{ echo SF:lib.rb; grep -n puts lib.rb | sed 's/:.*//;s/^/DA:/;s/$/,1/'; echo end_of_record; } > out/c.info
`,
	".github/qa.yml": `test-command: sh run.sh
test-report: out/t.xml
coverage-file: out/c.info
engines:
  - {name: fixme, command: "grep -nH FIXME {files}", errorformat: ["%f:%l:%m"], paths: ["*.rb"], perspective: bug, severity: medium}
`,
}

func newStory(t *testing.T, history string) *story {
	t.Helper()
	s := &story{step: emptyStep(t), origin: fixture.Sources(t, "gotest"), names: map[string]string{}}
	for _, name := range []string{"go.mod", "clock", "cmd", "interval"} {
		s.origin.Remove(name)
	}
	for name, content := range plot {
		s.origin.Write(name, content)
	}
	s.base = s.commit("base")
	s.env["INPUT_RUNTIME"], s.env["INPUT_HISTORY"], s.env["INPUT_MODE"] = "host", history, "discovery"
	s.env["QA_HISTORY_DIR"] = filepath.Join(s.dir, "cache") // as a cache step restores it
	return s
}

// commit commits what is there and remembers the commit by a name.
func (s *story) commit(name string) string {
	sha := s.origin.Commit(name)
	s.names[sha] = name
	return sha
}

// checkout gives the next job its workspace.
func (s *story) checkout(ref string) {
	s.pushes++
	s.workspace = filepath.Join(s.dir, fmt.Sprintf("workspace%d", s.pushes))
	s.env["GITHUB_WORKSPACE"], s.env["GITHUB_REF"], s.env["GITHUB_SHA"] = s.workspace, ref, s.origin.Git("rev-parse", ref)
	s.origin.Git("init", "-q", s.workspace)
	s.git = func(args ...string) string { return s.origin.Git(append([]string{"-C", s.workspace}, args...)...) }
	s.git("remote", "add", "origin", "file://"+s.origin.Dir)
	s.git("fetch", "-q", "--depth=1", "origin", ref)
	s.git("checkout", "-q", "FETCH_HEAD")
	assert.NilError(s.t, os.WriteFile(s.env["GITHUB_OUTPUT"], nil, 0o600))
}

// onMain runs the push of base to the default branch.
func (s *story) onMain(code int) {
	s.t.Helper()
	s.checkout("refs/heads/main")
	s.event("push", func(p map[string]any) {
		p["before"], p["after"], p["ref"] = strings.Repeat("0", 40), s.base, "refs/heads/main"
		p["repository"].(map[string]any)["default_branch"] = "main"
	})
	s.play(code)
}

// push runs the pull request with its branch at what the working copy holds.
func (s *story) push(name string, code int) {
	s.t.Helper()
	before := s.head
	s.prepare(name, before)
	s.play(code)
}

// prepare makes a commit of the working copy the head of the pull request, and
// its test merge the next job's workspace.
func (s *story) prepare(name, before string) {
	s.t.Helper()
	s.head = s.commit(name)
	s.origin.Git("checkout", "-q", "--detach", "main")
	s.origin.Git("merge", "-q", "--no-ff", "-m", "test merge", "feature")
	s.origin.Git("update-ref", "refs/pull/7/merge", "HEAD")
	s.origin.Git("checkout", "-q", "feature")
	s.checkout("refs/pull/7/merge")
	s.server.Mainline = strings.Fields(s.origin.Git("rev-list", "main"))
	s.server.Head, s.server.Base, s.server.MergeBase = s.head, s.base, s.base
	s.event("pull_request", func(p map[string]any) {
		s.pull(p)
		p["before"] = before
	})
}

func (s *story) play(code int) {
	s.t.Helper()
	e := s.run(s.t.Context(), nil, "run")
	assert.Equal(s.t, e.code, code, e.text)
	raw, err := os.ReadFile(filepath.Join(s.workspace, filepath.FromSlash(e.outputs["report-json"])))
	assert.NilError(s.t, err)
	s.last = qa.Report{}
	assert.NilError(s.t, json.Unmarshal(raw, &s.last))
}

var (
	sessions  = regexp.MustCompile(`qa-[a-z0-9-]*-20\d{6}-[0-9a-f]{7}`)
	durations = regexp.MustCompile(`\b[0-9.]+ (s|min)\b`)
	// machine tells of the machine that the test runs on.
	machine = regexp.MustCompile(`(?s)<details>\n<summary>What was looked at.*?</details>\n\n`)
)

// comment is the one comment on the pull request, commits by their names.
func (s *story) comment() string {
	s.t.Helper()
	assert.Equal(s.t, len(s.server.Comments), 1)
	_, text, _ := strings.Cut(s.server.Comments[0].Body, "\n")
	_, text, _ = strings.Cut(text, "\n") // marker and digest
	text = sessions.ReplaceAllString(text, "SESSION")
	for sha, name := range s.names {
		text = strings.ReplaceAll(strings.ReplaceAll(text, sha, name), sha[:7], name)
	}
	return durations.ReplaceAllString(machine.ReplaceAllString(text, ""), "TIME")
}

func (s *story) fingerprint(message string) string {
	s.t.Helper()
	for _, f := range s.last.Findings {
		if strings.Contains(f.Message, message) {
			return f.Fingerprint
		}
	}
	s.t.Fatalf("no finding says %q", message)
	return ""
}

// TestLinesAreThoseOfTheHead has main put lines on top of a file that the pull
// request adds to: what is measured is the test merge, what is linked to and
// annotated is the head.
func TestLinesAreThoseOfTheHead(t *testing.T) {
	t.Parallel()
	s := newStory(t, "none")
	s.origin.Write("lib.rb", strings.Repeat("puts 1\n", 9))
	s.base = s.commit("base2")
	s.origin.Git("checkout", "-q", "-b", "feature")
	s.origin.Write("lib.rb", strings.Repeat("puts 1\n", 9)+"puts 2\n# FIXME ten\n")
	s.commit("work")
	s.origin.Git("checkout", "-q", "main")
	s.origin.Write("lib.rb", "# one\n# two\n# three\n"+strings.Repeat("puts 1\n", 9))
	s.base = s.commit("base3")
	s.origin.Git("checkout", "-q", "feature")
	s.push("head", exitOK)
	assert.Equal(t, len(s.last.Findings), 1)
	assert.Equal(t, s.last.Findings[0].Lines, qa.Range{Start: 11, End: 11})
	assert.DeepEqual(t, s.last.Change.Files[0].Added, []qa.Range{{Start: 10, End: 11}})
	assert.Assert(t, strings.Contains(s.comment(), "R11)"), s.comment())
	assert.Equal(t, fmt.Sprint(s.server.Checks[0].Annotations[0]["start_line"]), "11")
	dir := filepath.Join(s.workspace, "qa-report", s.last.Session)
	sarif, err := os.ReadFile(filepath.Join(dir, "report.sarif"))
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(string(sarif), `"startLine": 14`), "%s", sarif)
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	assert.NilError(t, err)
	assert.Assert(t, !strings.Contains(string(page), "# three") && strings.Contains(string(page), "# FIXME ten"))
}

// TestCancelledIsPublished ends a step while tests run, as a timeout or a person
// does: what is known until then is on the pull request, and said to be partial.
func TestCancelledIsPublished(t *testing.T) {
	t.Parallel()
	s := newStory(t, "directory")
	s.origin.Git("checkout", "-q", "-b", "feature")
	s.origin.Write("lib.rb", "puts 1\n# FIXME one\n")
	s.origin.Write("run.sh", "true\n")
	s.prepare("head", "")
	ctx, cancel := context.WithCancel(t.Context())
	e := s.run(ctx, func(line string) {
		if strings.Contains(line, "wave 2") {
			cancel()
		}
	}, "run")
	assert.Equal(t, e.code, exitCancelled, e.text)
	assert.Assert(t, strings.Contains(s.comment(), "**Partial report:**"), s.comment())
	assert.Assert(t, strings.Contains(s.comment(), "FIXME one"), s.comment())
	assert.Equal(t, s.server.Checks[0].Status+" "+s.server.Checks[0].Conclusion, "completed cancelled")
	assert.Equal(t, e.outputs["result"], "INCONCLUSIVE")
	_, err := os.Stat(filepath.Join(s.env["QA_HISTORY_DIR"], "history.json"))
	assert.Assert(t, os.IsNotExist(err), "a run that was cut short is remembered")
}
