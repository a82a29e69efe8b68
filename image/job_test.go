package image

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// runnerUID owns the files of the workflow runner on hosted machines.
const runnerUID = 1001

// secret is in everything that a job must keep from the code it tests.
const secret = "canary-secret-0123456789"

// need gives the image to test and the engine to run it with, or skips.
func need(t *testing.T) (image, engine string) {
	t.Helper()
	image = os.Getenv("QA_IMAGE")
	if os.Getenv("QA_E2E") == "" || image == "" {
		t.Skip("set QA_E2E=1 and QA_IMAGE to the name of a built image; docs/image.md says how")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can lay out the files of another user")
	}
	for _, engine := range []string{"podman", "docker"} {
		if path, err := process.LookPath(engine); err == nil {
			return image, path
		}
	}
	t.Fatal("neither podman nor docker is on PATH")
	return "", ""
}

// toolchain is a file of the cache that an earlier step has brought back.
const toolchain = "_temp/qa-cache/toolchains/node-0.0.1-linux-x64/bin/node"

// job is a workflow runner's machine in the middle of a job: the checkout and
// the runner's directories, and the step's inputs.
type job struct {
	image, engine string
	name          string // of the container
	dir           string
	repo          *fixture.Repo
	inputs        map[string]string
	extra         []string // arguments of the engine
	// program, when set, is run on the machine in place of the image.
	program string
}

// newJob lays out a job for a sample project whose change is its last commit.
// Like a fresh checkout it has no dependencies installed.
func newJob(t *testing.T, project string, change ...string) *job {
	t.Helper()
	image, engine := need(t)
	j := &job{image: image, engine: engine, dir: t.TempDir(), repo: fixture.Sources(t, project), inputs: map[string]string{}}
	j.name = "qa-image-test-" + filepath.Base(filepath.Dir(j.dir))
	j.inputs["base"] = j.repo.Git("rev-parse", "HEAD")
	for _, c := range change {
		j.repo.Apply(c)
	}
	j.repo.Commit("change")
	for path, content := range map[string]string{
		"_temp/_runner_file_commands/output": "", "_temp/_runner_file_commands/env": "", "_temp/_runner_file_commands/path": "",
		"_temp/_runner_file_commands/state": "", "_temp/_runner_file_commands/summary": "",
		"_temp/_github_workflow/event.json":   `{"token":"` + secret + `"}`,
		"_temp/_github_home/.npmrc":           "//registry.example.com/:_authToken=" + secret + "\n",
		"_temp/git-credentials-canary.config": "token " + secret,
		toolchain:                             "#!/bin/sh\n",
	} {
		abs := filepath.Join(j.dir, path)
		try(t, os.MkdirAll(filepath.Dir(abs), 0o755))
		try(t, os.WriteFile(abs, []byte(content), 0o644))
	}
	return j
}

// args is the command line of the workflow runner, in its order. The engine's
// default set of rights is podman's, which is docker's less three.
func (j *job) args() []string {
	temp := filepath.Join(j.dir, "_temp")
	args := []string{j.engine, "run", "--name", j.name, "--workdir", "/github/workspace", "--rm", "--network", "host"}
	if strings.HasSuffix(j.engine, "podman") {
		args = append(args, "--cap-add", "AUDIT_WRITE,MKNOD,NET_RAW")
	}
	args = append(args, j.extra...)
	// Not as arguments: everybody on the machine could read those.
	args = append(args, "--env-file", j.envFile())
	for _, m := range [][2]string{
		{filepath.Join(j.dir, "docker.sock"), "/var/run/docker.sock"},
		{temp, "/github/runner_temp"}, {filepath.Join(temp, "_github_home"), "/github/home"},
		{filepath.Join(temp, "_github_workflow"), "/github/workflow"},
		{filepath.Join(temp, "_runner_file_commands"), "/github/file_commands"}, {j.repo.Dir, "/github/workspace"},
	} {
		if _, err := os.Stat(m[0]); err == nil {
			args = append(args, "-v", m[0]+":"+m[1])
		}
	}
	return append(args, j.image, "run")
}

// envFile is where args expects the environment.
func (j *job) envFile() string { return filepath.Join(j.dir, "env") }

// layout says where the runner's directories are for the program.
type layout struct{ workspace, home, workflow, commands, temp, socket string }

// inImage is what the workflow runner gives a container.
var inImage = layout{"/github/workspace", "/github/home", "/github/workflow", "/github/file_commands", "/github/runner_temp", "/var/run/docker.sock"}

// onMachine is what it gives a program on the machine itself.
func (j *job) onMachine() layout {
	temp := filepath.Join(j.dir, "_temp")
	return layout{j.repo.Dir, filepath.Join(temp, "_github_home"), filepath.Join(temp, "_github_workflow"),
		filepath.Join(temp, "_runner_file_commands"), temp, filepath.Join(j.dir, "docker.sock")}
}

// env is the environment of the step.
func (j *job) env(at layout) []string {
	env := []string{
		"HOME=" + at.home, "GITHUB_ACTIONS=true", "CI=true", "GITHUB_WORKSPACE=" + at.workspace,
		"GITHUB_REPOSITORY=org/sample", "GITHUB_EVENT_NAME=workflow_dispatch", "GITHUB_EVENT_PATH=" + at.workflow + "/event.json",
		"GITHUB_OUTPUT=" + at.commands + "/output", "GITHUB_ENV=" + at.commands + "/env", "GITHUB_PATH=" + at.commands + "/path",
		"GITHUB_STATE=" + at.commands + "/state", "GITHUB_STEP_SUMMARY=" + at.commands + "/summary",
		"RUNNER_TEMP=" + at.temp, "RUNNER_OS=Linux", "RUNNER_ENVIRONMENT=github-hosted",
		"RUNNER_TOOL_CACHE=/opt/hostedtoolcache", "pythonLocation=/opt/hostedtoolcache/Python/3.9.0/x64",
		"ACTIONS_RUNTIME_TOKEN=" + secret, "INPUT_GITHUB-TOKEN=" + secret,
	}
	for _, name := range slices.Sorted(maps.Keys(j.inputs)) {
		env = append(env, "INPUT_"+strings.ToUpper(name)+"="+j.inputs[name])
	}
	return env
}

// run runs the action and gives the exit code, what it printed and its report,
// which is nil when there is none.
func (j *job) run(t *testing.T) (code int, log string, report *qa.Report) {
	t.Helper()
	try(t, filepath.WalkDir(j.repo.Dir, chown))
	try(t, filepath.WalkDir(j.dir, chown))
	try(t, os.WriteFile(j.envFile(), []byte(strings.Join(j.env(inImage), "\n")+"\n"), 0o600))
	start := time.Now()
	c := process.Command{Argv: j.args(), Dir: "/", Env: os.Environ(), Timeout: 15 * time.Minute}
	if j.program != "" {
		c.Argv, c.Dir = []string{j.program, "run"}, j.repo.Dir
		c.Env = append(j.env(j.onMachine()), "PATH="+os.Getenv("PATH"), "DOCKER_HOST=unix://"+j.onMachine().socket)
		for _, name := range []string{"SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "GOPROXY", "npm_config_registry", "TMPDIR"} {
			if value, ok := os.LookupEnv(name); ok {
				c.Env = append(c.Env, name+"="+value)
			}
		}
	}
	res, err := process.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	log = string(res.Stdout) + string(res.Stderr)
	t.Logf("exit code %d after %.1f s", res.ExitCode, time.Since(start).Seconds())
	return res.ExitCode, log, j.report(t)
}

func engine(t *testing.T, ctx context.Context, argv ...string) (process.Result, error) {
	t.Helper()
	return process.Run(ctx, process.Command{Argv: argv, Dir: "/", Env: os.Environ(), Timeout: 15 * time.Minute})
}

func chown(path string, _ fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	return os.Lchown(path, runnerUID, runnerUID)
}

// report reads the newest report below the workspace's report directory.
func (j *job) report(t *testing.T) *qa.Report {
	t.Helper()
	return newest(t, j.repo.Dir)
}

func newest(t *testing.T, repo string) *qa.Report {
	t.Helper()
	var path string
	var when time.Time
	_ = filepath.WalkDir(filepath.Join(repo, "qa-report"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "report.json" {
			if info, err := d.Info(); err == nil && info.ModTime().After(when) {
				path, when = p, info.ModTime()
			}
		}
		return nil
	})
	if path == "" {
		return nil
	}
	data, err := os.ReadFile(path)
	try(t, err)
	var r qa.Report
	try(t, json.Unmarshal(data, &r))
	return &r
}

// spilled gives a line of the log with the secret in it. The runner does not
// show the lines that tell it what to mask.
func spilled(log string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, secret) && !strings.HasPrefix(line, "::add-mask::") {
			return line
		}
	}
	return ""
}

// strangers lists what does not belong to the runner's user.
func (j *job) strangers(t *testing.T) []string {
	t.Helper()
	var out []string
	try(t, filepath.WalkDir(j.repo.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && (st.Uid != runnerUID || st.Gid != runnerUID) {
			out = append(out, strings.TrimPrefix(path, j.repo.Dir))
		}
		return nil
	}))
	return out
}

func try(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
