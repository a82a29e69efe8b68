package image

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// contained are programs of testdata/hostile that a repository's own tests,
// which may use the network and the machine's resources, must still not get
// away with.
var contained = []string{
	"become_root.py", "change_source.mjs", "checkout_credentials.py", "daemon.mjs", "docker_socket.mjs", "double_fork.py",
	"edit_report.mjs", "env_of_parents.mjs", "env_own.mjs", "event_payload.mjs", "file_commands.mjs", "git_hooks.mjs",
	"homes.py", "inherited_files.py", "namespaces.py", "token_file_read.mjs", "workflow_commands.mjs",
}

// spec runs every program as a test of its own, which fails on an escape.
const spec = `import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
const targets = { ...%s, results: process.env.TMPDIR, heartbeat: process.env.TMPDIR + "/heartbeat" };
for (const file of %s) {
  it(file, function () {
    this.timeout(60000);
    const r = spawnSync(file.endsWith(".py") ? "python3" : process.execPath, ["attacks/" + file],
      { encoding: "utf8", timeout: 30000, env: { ...process.env, TARGETS: JSON.stringify(targets) } });
    console.log(r.stdout);
    assert.doesNotMatch(r.stdout + r.stderr, /ESCAPED/);
    assert.match(r.stdout, /held/);
  });
}
`

// targets is what the programs attack, at the places that a workflow runner has
// them; everybody may know these.
func targets() map[string]any {
	return map[string]any{"pid": 1, "checkout": "/github/workspace", "fileCommands": "/github/file_commands",
		"event": "/github/workflow/event.json", "credentials": "/github/runner_temp/git-credentials-canary.config",
		"home": "/github/home", "runnerTemp": "/github/runner_temp", "dockerSocket": "/var/run/docker.sock",
		"report": "/github/workspace/qa-report", "abstract": "qa-canary", "cache": "/github/runner_temp/qa-cache",
		"toolchains": "/github/runner_temp/qa-cache/toolchains", "listener": []any{"127.0.0.1", 9}}
}

// attack adds programs to the tests of the sample project.
func (j *job) attack(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "hostile", name))
		try(t, err)
		j.repo.Write("attacks/"+name, string(data))
	}
	where, err := json.Marshal(targets())
	try(t, err)
	names, err := json.Marshal(programs)
	try(t, err)
	j.repo.Write("test/attack.spec.js", fmt.Sprintf(spec, where, names))
	j.repo.Commit("attack")
}

// TestHostile changes a product so that one test fails, beside tests that
// attack. The verdict must be the one of the failing test, and nothing else may
// have changed: neither the runner's files nor the checkout.
func TestHostile(t *testing.T) {
	j := newJob(t, "mocha", "failing")
	j.attack(t, contained...)
	connected := j.listen(t)
	// Everybody may write there: only the walls protect it.
	try(t, filepath.WalkDir(j.dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o777)
	}))
	before := j.content(t)
	code, log, report := j.run(t)
	if report == nil {
		t.Fatalf("exit code %d, no report\n%s", code, log)
	}
	t.Logf("%s\n%s", report.Manifest.Runtime, strings.Join(report.Manifest.Isolation, "\n"))
	if head := report.Tests.Head; code != 1 || report.Result != qa.Fail || head.Failed != 1 || head.Passed != 6+len(contained) {
		t.Errorf("exit code %d, result %s, %+v; want the failure of the product alone\n%s", code, report.Result, head, log)
		for _, f := range report.Tests.Failing {
			t.Logf("%+v", f)
		}
	}
	if after := j.content(t); after != before {
		t.Errorf("the runner's files were:\n%s\nand are:\n%s", before, after)
	}
	if n := connected.Load(); n > 0 {
		t.Errorf("%d connections to the container engine", n)
	}
	if status := j.status(); status != "" {
		t.Errorf("git status after the run: %q", status)
	}
	if strange := j.strangers(t); strange != nil {
		t.Errorf("not the runner's any more: %v", strange)
	}
	if strings.Contains(log, "::set-output") || strings.Contains(log, "\n::add-mask::a\n") {
		t.Errorf("a command of the code is in the log:\n%s", log)
	}
	if line := spilled(log); line != "" {
		t.Errorf("the secret is in the log: %s", line)
	}
	for _, name := range []string{"output", "summary"} {
		data, err := os.ReadFile(filepath.Join(j.dir, "_temp", "_runner_file_commands", name))
		try(t, err)
		if strings.Contains(string(data), "result=PASS") || strings.Contains(string(data), secret) {
			t.Errorf("the step's %s is not ours alone:\n%s", name, data)
		}
	}
}

// TestHostileKills has a test kill those who run and judge it, with success on
// its lips: that is no pass.
func TestHostileKills(t *testing.T) {
	for _, program := range []string{"kill_parent.mjs", "lie_exit.py"} {
		t.Run(program, func(t *testing.T) {
			j := newJob(t, "mocha", "green")
			j.attack(t, program)
			code, log, report := j.run(t)
			if report == nil || code == 0 || report.Result == qa.Pass {
				t.Errorf("exit code %d, report %v\n%s", code, report != nil, log)
			}
		})
	}
}

// listen is the container engine's socket; it counts who comes.
func (j *job) listen(t *testing.T) *atomic.Int64 {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(j.dir, "docker.sock"))
	try(t, err)
	t.Cleanup(func() { _ = l.Close() })
	var n atomic.Int64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			n.Add(1)
			_ = c.Close()
		}
	}()
	return &n
}

// content is every file of the runner but those that the action writes: its
// cache, outputs and summary.
func (j *job) content(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	try(t, filepath.WalkDir(j.dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "qa-cache":
			return filepath.SkipDir
		case d.Name() == "output", d.Name() == "summary":
			return nil
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&out, "%s: %s\n", strings.TrimPrefix(path, j.dir), data)
		}
		return nil
	}))
	return out.String()
}
