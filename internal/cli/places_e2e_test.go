package cli

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// place is where a whole run takes place: our image, whose commands run beside it,
// in the container of the job, or in one for each of them. Our image stands for the
// other containers too. Nil is this machine, and this process.
type place struct{ engine, image, driver string }

// otherPlaces plays a test in every place but this machine.
func otherPlaces(t *testing.T, play func(t *testing.T, p *place)) {
	t.Helper()
	image := os.Getenv("QA_IMAGE")
	if os.Getenv("QA_E2E") == "" || image == "" {
		t.Skip("set QA_E2E=1 and QA_IMAGE to the name of a built image; docs/image.md says how")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give containers what a job gives them")
	}
	engine, err := process.LookPath("podman")
	if err != nil {
		t.Skip("podman is not installed")
	}
	for _, driver := range []string{"image", "job-container", "container"} {
		t.Run(driver, func(t *testing.T) { play(t, &place{engine: engine, image: image, driver: driver}) })
	}
}

// run starts the image as a workflow runner does, but that every directory has
// the path that it has here.
func (p *place) run(t *testing.T, dir string, env map[string]string, args ...string) (code int, text string) {
	t.Helper()
	own := t.TempDir()
	name := fmt.Sprintf("qa-cli-test-%016x", rand.Uint64()) //nolint:gosec // not a secret; a host's name is short
	env = maps.Clone(env)
	delete(env, "PATH")
	if env["GITHUB_ACTIONS"] == "" {
		asJob(t, env, dir, own)
	}
	mounts := []string{dir, "/opt"} // the second is where attacks reach for
	for _, path := range []string{env["HOME"], env["RUNNER_TEMP"], env["TMPDIR"], filepath.Dir(env["GITHUB_EVENT_PATH"]), filepath.Dir(env["GITHUB_OUTPUT"])} {
		if path != "" && path != "." && !slices.Contains(mounts, path) {
			assert.NilError(t, os.MkdirAll(path, 0o755))
			mounts = append(mounts, path)
		}
	}
	argv := []string{p.engine, "run", "--rm", "--name", name, "--hostname", name, "--network", "host", "--workdir", dir,
		"--cap-add", "AUDIT_WRITE,MKNOD,NET_RAW", "--pids-limit", "600", "--env-file", filepath.Join(own, "env")}
	for _, path := range mounts {
		argv = append(argv, "-v", path+":"+path)
	}
	if p.driver != "image" {
		argv = append(argv, "-v", p.serve(t, own)+":/var/run/docker.sock")
	}
	args = append(slices.Clone(args), "--runtime", p.driver)
	switch p.driver {
	case "job-container":
		env["INPUT_JOB-CONTAINER-ID"] = p.jobContainer(t, dir, mounts)
	case "container":
		args = append(args, "--runtime-image", p.image)
	}
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(env)) {
		assert.Assert(t, !strings.Contains(env[key], "\n"))
		lines = append(lines, key+"="+env[key])
	}
	assert.NilError(t, os.WriteFile(filepath.Join(own, "env"), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	// One stream, as the runner reads it.
	argv = slices.Concat([]string{"sh", "-c", `exec "$@" 2>&1`, "sh"}, argv, []string{p.image}, args)
	res, err := process.Run(t.Context(), process.Command{Argv: argv, Dir: "/", Env: os.Environ(), Timeout: 15 * time.Minute})
	assert.NilError(t, err)
	return res.ExitCode, string(res.Stdout)
}

// asJob adds what a job has that was started by hand.
func asJob(t *testing.T, env map[string]string, workspace, own string) {
	t.Helper()
	maps.Copy(env, map[string]string{"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": workspace, "GITHUB_REPOSITORY": "org/sample",
		"GITHUB_EVENT_NAME": "workflow_dispatch", "GITHUB_EVENT_PATH": filepath.Join(own, "workflow", "event.json")})
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_STATE", "GITHUB_PATH"} {
		env[name] = filepath.Join(own, "commands", strings.ToLower(name))
	}
	for name, text := range map[string]string{env["GITHUB_EVENT_PATH"]: "{}", env["GITHUB_OUTPUT"]: "", env["GITHUB_STEP_SUMMARY"]: ""} {
		assert.NilError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		assert.NilError(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

// serve offers the engine's interface.
func (p *place) serve(t *testing.T, dir string) string {
	t.Helper()
	socket := filepath.Join(dir, "docker.sock")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = process.Run(ctx, process.Command{Argv: []string{p.engine, "system", "service", "--time=0", "unix://" + socket}, Dir: "/", Env: os.Environ()})
	}()
	t.Cleanup(func() { cancel(); <-done })
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if c, err := net.Dial("unix", socket); err == nil {
			_ = c.Close()
			return socket
		}
		assert.Assert(t, time.Now().Before(deadline), "the engine does not answer")
	}
}

// jobContainer is one that the job runs in, with the same directories. An earlier
// step has installed what the project's Python needs: in the container of a job no
// environment is made.
func (p *place) jobContainer(t *testing.T, dir string, mounts []string) string {
	t.Helper()
	argv := []string{p.engine, "run", "--detach", "--rm", "--network", "host", "--pids-limit", "600", "--entrypoint", "sleep"}
	for _, path := range mounts {
		argv = append(argv, "-v", path+":"+path)
	}
	run := func(ctx context.Context, argv ...string) process.Result {
		res, err := process.Run(ctx, process.Command{Argv: argv, Dir: "/", Env: os.Environ(), Timeout: 5 * time.Minute})
		assert.NilError(t, err)
		return res
	}
	res := run(t.Context(), append(argv, p.image, "1800")...)
	assert.Equal(t, res.ExitCode, 0, "%s", res.Stderr)
	id := strings.TrimSpace(string(res.Stdout))
	t.Cleanup(func() { run(context.Background(), p.engine, "rm", "--force", "--time", "0", id) })
	requirements := filepath.Join(dir, "requirements.lock")
	if _, err := os.Stat(requirements); err == nil {
		res = run(t.Context(), p.engine, "exec", id, "uv", "pip", "install", "--system", "--break-system-packages", "--requirement", requirements)
		assert.Equal(t, res.ExitCode, 0, "%s", res.Stderr)
	}
	return id
}

// imports reports whether the Python of the image has a module.
func (p *place) imports(t *testing.T, module string) bool {
	t.Helper()
	res, err := process.Run(t.Context(), process.Command{Argv: []string{p.engine, "run", "--rm", "--entrypoint", "python3", p.image, "-c", "import " + module}, Dir: "/", Env: os.Environ(), Timeout: time.Minute})
	assert.NilError(t, err)
	return res.ExitCode == 0
}

// cache is the runner's temporary directory, with what earlier runs have fetched
// and installed there.
func (*place) cache() string { return filepath.Join(os.TempDir(), "qa-image-cache") }

// project is a sample project: on this machine with its dependencies installed,
// elsewhere without, for those are this machine's.
func (p *place) project(t *testing.T, name string) *fixture.Repo {
	t.Helper()
	if p == nil {
		return fixture.New(t, name)
	}
	return fixture.Sources(t, name)
}

// ran makes sure that a run took place there.
func (p *place) ran(t *testing.T, r *qa.Report) {
	t.Helper()
	if p == nil {
		return
	}
	if driver, _, _ := strings.Cut(r.Manifest.Runtime, " "); strings.TrimRight(driver, ":,") != p.driver {
		t.Errorf("the commands ran in %q, want %s", r.Manifest.Runtime, p.driver)
	}
}
