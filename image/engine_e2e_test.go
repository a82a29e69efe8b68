package image

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// TestOtherContainers runs the whole action with the engine's socket, its
// commands in the job's container, and in containers of an image of the user's
// choice. Our own image stands for both: it has Node.js. One test of the change
// fails, and base must have been run beside it to tell that it is new.
func TestOtherContainers(t *testing.T) {
	image, _ := need(t)
	for want, set := range map[string]func(t *testing.T, j *job){
		"job-container": func(t *testing.T, j *job) { j.inputs["job-container-id"] = j.container(t) },
		"container":     func(_ *testing.T, j *job) { j.inputs["runtime"], j.inputs["runtime-image"] = "container", image },
	} {
		t.Run(want, func(t *testing.T) {
			j := newJob(t, "mocha", "failing")
			j.serve(t)
			j.extra = []string{"--hostname", j.name} // what a container on a network of its own is called
			set(t, j)
			code, log, report := j.run(t)
			if report == nil {
				t.Fatalf("exit code %d, no report\n%s", code, log)
			}
			t.Logf("%s\n%s", report.Manifest.Runtime, strings.Join(report.Manifest.Isolation, "\n"))
			if driver, _, _ := strings.Cut(report.Manifest.Runtime, " "); strings.TrimRight(driver, ":,") != want {
				t.Errorf("driver %q", report.Manifest.Runtime)
			}
			got := numbersOf(report)
			if diff := cmp.Diff([]string{"new test/router.spec.js > Router > knows methods it has not"}, got.Failing); diff != "" || code != 1 {
				t.Errorf("exit code %d, failing tests (-want +got):\n%s\n%s", code, diff, log)
			}
			if got.Head.Passed != 6 || got.Result != qa.Fail || report.Tests.Base == nil || report.Tests.Base.Failed > 0 || report.Tests.Base.Passed == 0 {
				t.Errorf("%s, head %+v, base %+v", got.Result, got.Head, report.Tests.Base)
			}
			if strange := j.strangers(t); strange != nil {
				t.Errorf("not the runner's any more: %v", strange)
			}
			if line := spilled(log); line != "" {
				t.Errorf("the secret is in the log: %s", line)
			}
		})
	}
}

// serve offers the engine's interface on the socket that the action gets.
func (j *job) serve(t *testing.T) {
	t.Helper()
	if !strings.HasSuffix(j.engine, "podman") {
		try(t, os.Symlink("/var/run/docker.sock", filepath.Join(j.dir, "docker.sock")))
		return
	}
	socket := filepath.Join(j.dir, "docker.sock")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = process.Run(ctx, process.Command{Argv: []string{j.engine, "system", "service", "--time=0", "unix://" + socket}, Dir: "/", Env: os.Environ()})
	}()
	t.Cleanup(func() { cancel(); <-done })
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if c, err := net.Dial("unix", socket); err == nil {
			_ = c.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the engine does not answer")
		}
	}
}

// container is the one that the job runs in, with the runner's directories where
// the runner puts them.
func (j *job) container(t *testing.T) (id string) {
	t.Helper()
	temp := filepath.Join(j.dir, "_temp")
	argv := []string{j.engine, "run", "--detach", "--rm", "--network", "host", "--pids-limit", "400", "--entrypoint", "sleep",
		"-v", j.repo.Dir + ":/__w/sample/sample", "-v", temp + ":/__w/_temp",
		"-v", filepath.Join(temp, "_github_home") + ":/github/home", "-v", filepath.Join(temp, "_github_workflow") + ":/github/workflow",
		j.image, "900"}
	res, err := engine(t, t.Context(), argv...)
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("start the job's container: exit %d, %v\n%s", res.ExitCode, err, res.Stderr)
	}
	id = strings.TrimSpace(string(res.Stdout))
	t.Cleanup(func() { _, _ = engine(t, context.Background(), j.engine, "rm", "--force", id) })
	return id
}
