//go:build linux

package runtime

import (
	"context"
	"debug/elf"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/container"
	"github.com/org/qa-action/internal/runtime/limits"
)

// job is a job's container with the runner's directories, open to everybody.
type job struct {
	e              *container.Engine
	id, temp, root string
	base           string
}

func newJob(t *testing.T) *job {
	t.Helper()
	j := &job{e: podman(t)}
	var err error
	if j.temp, err = os.MkdirTemp("", "qa-runner-temp-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rooted.RemoveAll(j.temp) })
	j.root, j.base = repo(t)
	put(t, j.temp, map[string]string{"_runner_file_commands/output": "", "_github_workflow/event.json": secret, "git-credentials.config": secret,
		"qa-cache/toolchains/node/bin/node": "#!/bin/sh\n"})
	put(t, j.root, map[string]string{"node_modules/lib/index.js": "lib\n"})
	buildHostile(t, filepath.Join(j.root, "hostile.bin"))
	git(t, j.root, "add", ".")
	git(t, j.root, "commit", "-q", "-m", "hostile")
	for _, path := range []string{"", "_runner_file_commands", "_runner_file_commands/output", "_github_workflow"} {
		if err := os.Chmod(filepath.Join(j.temp, path), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	body := map[string]any{"Image": busyboxImage, "Cmd": []string{"sleep", "600"}, "Entrypoint": []string{""}, "Env": []string{"PATH=/bin"},
		"HostConfig": map[string]any{"Binds": []string{j.temp + ":/__w/_temp", j.root + ":/__w/repo/repo", filepath.Join(j.temp, "_github_workflow") + ":/github/workflow"},
			"NetworkMode": "host", "PidsLimit": 400}}
	var made struct {
		ID string `json:"Id"`
	}
	if err := j.e.Call(t.Context(), http.MethodPost, "/containers/create", body, &made); err != nil {
		t.Fatal(err)
	}
	j.id = made.ID
	t.Cleanup(func() {
		_ = j.e.Call(context.Background(), http.MethodDelete, "/containers/"+j.id+"?force=true", nil, nil)
	})
	if err := j.e.Call(t.Context(), http.MethodPost, "/containers/"+j.id+"/start", nil, nil); err != nil {
		t.Fatal(err)
	}
	return j
}

func (j *job) options() Options {
	return Options{Root: j.root, Driver: "job-container", Containers: Containers{JobContainer: j.id}, Scratch: j.temp, Cache: filepath.Join(j.temp, "qa-cache"),
		Limits: limits.Limits{Processes: 60},
		Env: append(os.Environ(), "DOCKER_HOST=unix://"+j.e.Socket, "RUNNER_TEMP="+j.temp, "GITHUB_OUTPUT="+filepath.Join(j.temp, "_runner_file_commands", "output"),
			"GITHUB_EVENT_PATH="+filepath.Join(j.temp, "_github_workflow", "event.json"))}
}

// processes lists what runs in the container.
func (j *job) processes(t *testing.T) string {
	t.Helper()
	capture, ps := process.NewCapture(process.Command{}), process.Result{}
	if _, err := j.e.Exec(t.Context(), j.id, map[string]any{"Cmd": []string{"ps"}, "AttachStdout": true}, capture); err != nil {
		t.Fatal(err)
	}
	capture.Fill(&ps)
	return string(ps.Stdout)
}

// static builds a program that runs in any container and is its own helper.
func static(t *testing.T) string {
	t.Helper()
	if self, err := elf.Open("/proc/self/exe"); err == nil {
		defer func() { _ = self.Close() }()
		if self.Section(".interp") == nil {
			return "/proc/self/exe"
		}
	}
	program := filepath.Join(t.TempDir(), "static.test")
	res, err := process.Run(t.Context(), process.Command{Argv: []string{"go", "test", "-c", "-o", program, "."}, Dir: ".",
		Env: append(os.Environ(), "CGO_ENABLED=0")})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("build the helper: %v\n%s", err, res.Stderr)
	}
	return program
}

func TestJobContainerDriver(t *testing.T) {
	j := newJob(t)
	own := container.OwnProgram
	t.Cleanup(func() { container.OwnProgram = own })
	for layers, program := range map[string]string{"with the helper": static(t), "without": "/nonexistent"} {
		t.Run(layers, func(t *testing.T) {
			container.OwnProgram = program
			w := open(t, j.options())
			t.Logf("%s", strings.Join(w.Levels(), "\n"))
			if w.box.Layers.Helper != (layers == "with the helper") {
				t.Fatalf("layers %+v", w.box.Layers)
			}
			res, err := w.Run(t.Context(), Command{Argv: []string{"sh", "-c", "cat file; echo $HOME; id -u; echo r > " + w.Results() + "/r.xml; sleep 300 & exit 3"}})
			if err != nil || res.ExitCode != 3 || !strings.HasPrefix(string(res.Stdout), "head\n/__w/_temp/qa-work-") || !strings.HasSuffix(string(res.Stdout), "65532\n") {
				t.Errorf("result = %+v, %v\n%s%s", res.ExitCode, err, res.Stdout, res.Stderr)
			}
			if data, err := os.ReadFile(filepath.Join(w.Results(), "r.xml")); err != nil || string(data) != "r\n" {
				t.Errorf("report = %q, %v", data, err)
			}
			if ps := j.processes(t); strings.Contains(ps, "sleep 300") {
				t.Errorf("a process lives on:\n%s", ps)
			}
			res, err = w.Run(t.Context(), Command{Argv: []string{"sh", "-c", "sleep 301 & sleep 302"}, Timeout: 2 * time.Second})
			if err != nil || !res.TimedOut || res.Seconds > 20 {
				t.Errorf("timeout: %+v, %v", res, err)
			}
			if ps := j.processes(t); strings.Contains(ps, "sleep 30") {
				t.Errorf("a process lives on:\n%s", ps)
			}
			if got, err := w.LookPath(t.Context(), "cat"); err != nil || !strings.HasSuffix(got, "cat") {
				t.Errorf("cat is %q, %v", got, err)
			}
			if res, err := w.Run(t.Context(), Command{Argv: []string{"no-such-program"}}); !errors.Is(err, process.ErrNotFound) {
				t.Errorf("a program that is not there: %+v, %v", res, err)
			}
			b, err := w.At(t.Context(), j.base)
			if err != nil {
				t.Fatal(err)
			}
			if got := run(t, b, "cat", "file", "node_modules/lib/index.js"); got != "base\nlib\n" {
				t.Errorf("base file and package = %q", got)
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			if w.box.Layers.Helper {
				j.attack(t, w)
			}
		})
	}
	o := j.options()
	o.Scratch = "/var/tmp"
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "does not see") {
		t.Errorf("unseen scratch: %v", err)
	}
}

// attack sees whether the floor holds in a container that is not ours.
func (j *job) attack(t *testing.T, w *Workspace) {
	t.Helper()
	for _, c := range []string{
		"cat /__w/_temp/git-credentials.config", "cat /github/workflow/event.json", "cat /__w/_temp/_github_workflow/event.json",
		"echo result=PASS >> /__w/_temp/_runner_file_commands/output", "touch /__w/_temp/planted", "touch /__w/repo/repo/planted", "cat /__w/repo/repo/file",
		"wget -T 3 -O - http://192.0.2.1/", "cat ../../*/spec", "ls ..",
	} {
		res, err := w.Run(t.Context(), Command{Argv: []string{"sh", "-c", c}, Network: NetworkLoopback, Timeout: 20 * time.Second})
		if said := string(res.Stdout) + string(res.Stderr); err != nil || res.ExitCode == 0 || strings.Contains(said, secret) || res.TimedOut {
			t.Errorf("%s: exit %d, %v\n%s", c, res.ExitCode, err, said)
		}
	}
	targets := `{"PID":1,"Checkout":"/__w/repo/repo","FileCommands":"/__w/_temp/_runner_file_commands","Event":"/github/workflow/event.json",` +
		`"RunnerTemp":"/__w/_temp","Home":"/github/home","Report":"/__w/repo/repo","Cache":"/__w/_temp/qa-cache","Toolchains":"/__w/_temp/qa-cache/toolchains","Listener":["192.0.2.1",443]}`
	for _, name := range []string{"sockets", "fast_open", "keyring", "poison_cache", "hard_link", "pidfd", "kernel", "write_anywhere"} {
		res, err := w.Run(t.Context(), Command{Argv: []string{"./hostile.bin", name}, Env: []string{"TARGETS=" + targets}, Network: NetworkLoopback, Timeout: 20 * time.Second})
		if said := string(res.Stdout) + string(res.Stderr); err != nil || strings.Contains(said, "ESCAPED") || !strings.Contains(said, "held") {
			t.Errorf("%s: exit %d, %v\n%s", name, res.ExitCode, err, said)
		}
	}
	res, err := w.Run(t.Context(), Command{Argv: []string{"sh", "-c", "b() { b | b & }; b; sleep 20"}, Timeout: 30 * time.Second})
	if err != nil || res.Limit != "processes" {
		t.Errorf("fork bomb: %+v, %v", res.Limit, err)
	}
	if data, err := os.ReadFile(filepath.Join(j.temp, "_runner_file_commands", "output")); err != nil || len(data) > 0 {
		t.Errorf("outputs: %q, %v", data, err)
	}
}
