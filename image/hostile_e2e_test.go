package image

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// contained are programs of testdata/hostile that a repository's own tests must
// not get away with, though those may use the network and the machine's
// resources. The judgement of the tests beside them must stay what it is. The
// first looks for processes that are not of its run, and would find the daemons
// of others.
var contained = []string{
	"memory_of_parents.py",
	"become_root.py", "change_source.mjs", "checkout_credentials.py", "daemon.mjs", "docker_socket.mjs", "double_fork.py",
	"edit_report.mjs", "env_of_parents.mjs", "env_own.mjs", "event_payload.mjs", "file_commands.mjs", "git_hooks.mjs",
	"hold_pipe.py", "homes.py", "huge_file.py", "inherited_files.py", "io_uring.py", "namespaces.py",
	"print_1gb.mjs", "symlink_out.mjs", "token_file_read.mjs", "workflow_commands.mjs",
	"hard_link.go", "kernel.go", "keyring.go", "pidfd.go", "poison_cache.go", "set_uid_file.go", "sockets.go", "write_anywhere.go",
}

// fatal are programs that end the run of the tests itself, each in its way: no
// verdict of success may come of it.
var fatal = []string{"busy_many.py", "fill_disk.py", "fill_memory.mjs", "fork_bomb.py", "kill_parent.mjs", "lie_exit.py", "signal_flood.go"}

// spec runs every program as a test of its own, which fails on an escape. What
// two of them print or leave open must reach us, not the test.
const spec = `import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import os from "node:os";
import path from "node:path";
const results = path.join(os.tmpdir(), "..", "results");
const targets = { ...%s, results, heartbeat: os.tmpdir() + "/heartbeat" };
for (const file of %s) {
  it(file, function () {
    this.timeout(120000);
    const direct = /^(print_1gb|hold_pipe)/.test(file);
    const name = file.replace(/\.go$/, "");
    const argv = file.endsWith(".py") ? ["python3", "attacks/" + file] : file.endsWith(".go") ? ["attacks/hostile.bin", name] : [process.execPath, "attacks/" + file];
    const r = spawnSync(argv[0], argv.slice(1),
      { encoding: "utf8", timeout: 60000, stdio: direct ? "inherit" : "pipe", env: { ...process.env, TARGETS: JSON.stringify(targets) } });
    if (direct) return;
    console.log(file + ": " + r.stdout);
    assert.doesNotMatch(r.stdout + r.stderr, /ESCAPED/);
    assert.match(r.stdout, /held/);
  });
}
`

// targets is what the programs attack; everybody may know where it is.
func (l layout) targets() map[string]any {
	return map[string]any{"pid": 1, "checkout": l.workspace, "fileCommands": l.commands,
		"event": l.workflow + "/event.json", "credentials": l.temp + "/git-credentials-canary.config",
		"home": l.home, "runnerTemp": l.temp, "dockerSocket": l.socket,
		"report": l.workspace + "/qa-report", "abstract": "qa-canary", "cache": l.temp + "/qa-cache",
		"toolchains": l.temp + "/qa-cache/toolchains", "listener": []any{"127.0.0.1", 9}}
}

// attack adds programs to the tests of the sample project.
func (j *job) attack(t *testing.T, at layout, programs ...string) {
	t.Helper()
	hostile := filepath.Join("..", "testdata", "hostile")
	for _, name := range programs {
		if strings.HasSuffix(name, ".go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(hostile, name))
		try(t, err)
		j.repo.Write("attacks/"+name, string(data))
	}
	program := filepath.Join(j.repo.Dir, "attacks", "hostile.bin")
	res, err := process.Run(t.Context(), process.Command{Argv: []string{"go", "build", "-ldflags=-s -w", "-o", program, "."},
		Dir: filepath.Join(parent(t), "testdata", "hostile", "go"), Env: append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("build the hostile programs: %v\n%s", err, res.Stderr)
	}
	where, err := json.Marshal(at.targets())
	try(t, err)
	names, err := json.Marshal(programs)
	try(t, err)
	j.repo.Write("test/attack.spec.js", fmt.Sprintf(spec, where, names))
	j.repo.Commit("attack")
}

// places are where the whole action is attacked: in its image, and as the same
// program on the machine itself.
func places(t *testing.T, attack func(t *testing.T, newJob func(t *testing.T, change string) (*job, layout))) {
	need(t)
	program := build(t)
	t.Run("image", func(t *testing.T) {
		attack(t, func(t *testing.T, change string) (*job, layout) { return newJob(t, "mocha", change), inImage })
	})
	t.Run("machine", func(t *testing.T) {
		attack(t, func(t *testing.T, change string) (*job, layout) {
			j := newJob(t, "mocha", change)
			j.program = program
			return j, j.onMachine()
		})
	})
}

// TestHostile changes a product so that one test fails, beside tests that
// attack. The verdict must be the one of the failing test, and nothing else may
// have changed: neither the runner's files nor the checkout.
func TestHostile(t *testing.T) {
	places(t, func(t *testing.T, newJob func(*testing.T, string) (*job, layout)) {
		j, at := newJob(t, "failing")
		j.attack(t, at, contained...)
		connected := j.listen(t)
		// Everybody may write there: only the sandbox protects it.
		try(t, filepath.WalkDir(j.dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chmod(path, 0o777)
		}))
		before := j.content(t)
		code, log, report := j.run(t)
		if report == nil {
			t.Fatalf("exit code %d, no report\n%.20000s", code, log)
		}
		t.Logf("%s\n%s", report.Manifest.Runtime, strings.Join(report.Manifest.Isolation, "\n"))
		if head := report.Tests.Head; code != 1 || report.Result != qa.Fail || head.Failed != 1 || head.Passed != 6+len(contained) {
			t.Errorf("exit code %d, result %s, %+v; want the failure of the product alone\n%.20000s", code, report.Result, head, log)
			for _, f := range report.Tests.Failing {
				t.Logf("%+v", f)
			}
		}
		if after := j.content(t); after != before {
			t.Errorf("the runner's files were:\n%s\nand are:\n%s", before, after)
		}
		if _, err := os.Stat(filepath.Join(j.dir, toolchain)); err != nil {
			t.Errorf("a toolchain of the cache: %v", err)
		}
		if n := connected.Load(); n > 0 {
			t.Errorf("%d connections to the container engine", n)
		}
		j.untouched(t, log)
	})
}

// untouched looks at what belongs to the runner after a run.
func (j *job) untouched(t *testing.T, log string) {
	t.Helper()
	if status := j.status(); status != "" {
		t.Errorf("git status after the run: %q", status)
	}
	if strange := j.strangers(t); strange != nil {
		t.Errorf("not the runner's any more: %v", strange)
	}
	// The runner obeys what stands at the beginning of a line, outside of the
	// part in which we have told it to stop.
	if obeyed := regexp.MustCompile(`(?m)^(::set-output.*|::add-mask::a|##\[group\]planted)$`).FindString(stopped.ReplaceAllString(log, "")); obeyed != "" {
		t.Errorf("a command of the code is in the log: %s", obeyed)
	}
	if line := spilled(log); line != "" {
		t.Errorf("the secret is in the log: %s", line)
	}
	for _, name := range []string{"output", "summary", "env", "path", "state"} {
		data, err := os.ReadFile(filepath.Join(j.dir, "_temp", "_runner_file_commands", name))
		try(t, err)
		if strings.Contains(string(data), "result=PASS") || strings.Contains(string(data), secret) {
			t.Errorf("the step's %s is not ours alone:\n%s", name, data)
		}
	}
}

// stopped is a part of the log in which the runner looks for no commands.
var stopped = regexp.MustCompile(`(?s)::stop-commands::([0-9A-Za-z-]+)\n.*?\n::[0-9A-Za-z-]+::\n`)

// TestHostileEnds has a test end those who run and judge it, or use up what they
// need, with success on its lips: that is no pass.
func TestHostileEnds(t *testing.T) {
	places(t, func(t *testing.T, newJob func(*testing.T, string) (*job, layout)) {
		for _, program := range fatal {
			t.Run(program, func(t *testing.T) {
				j, at := newJob(t, "green")
				if j.program != "" && slices.Contains([]string{"busy_many.py", "fill_disk.py", "fill_memory.mjs", "fork_bomb.py"}, program) {
					t.Skip("would take this machine's own; package runtime tries it with a limit of its own")
				}
				// Of 300 processes the code gets 59, and whatever fails, the machine lives.
				j.extra = []string{"--memory", "1500m", "--memory-swap", "1500m", "--pids-limit", "300", "--cpus", "1", "--tmpfs", "/tmp:rw,size=900m,mode=1777"}
				j.attack(t, at, program)
				code, log, report := j.run(t)
				if report == nil || code == 0 || report.Result == qa.Pass || report.Result == qa.Conditional {
					t.Fatalf("exit code %d, report %v\n%.20000s", code, report != nil, log)
				}
				t.Logf("%s: %s: %s", program, report.Result, report.Reason)
				for _, target := range report.Manifest.Targets {
					t.Logf("%s %s", target.State, target.Reason)
				}
				for _, f := range report.Tests.Failing {
					t.Logf("%s: %.200s", f.Case.ID(), f.Case.Message)
				}
				j.untouched(t, log)
			})
		}
	})
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
		case d.Name() == "output", d.Name() == "summary", path == j.envFile(): // that one is the engine's
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
