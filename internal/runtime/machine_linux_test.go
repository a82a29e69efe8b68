package runtime

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/limits"
	"github.com/org/qa-action/internal/runtime/tree"
)

// machine is a workflow runner's machine, everything in it open to everybody:
// only the sandbox protects it.
type machine struct {
	dir, root string
	env       []string
	targets   map[string]any
	connected atomic.Int64
	cache     string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "qa-machine-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	m := &machine{dir: dir, root: filepath.Join(dir, "work", "repo"), cache: filepath.Join(dir, "temp", "qa-cache")}
	put(t, dir, map[string]string{
		"temp/file_commands/output": "", "temp/file_commands/env": "", "temp/file_commands/path": "",
		"temp/file_commands/state": "", "temp/file_commands/summary": "",
		"temp/git-credentials.config": "token " + secret, "temp/event/event.json": `{"token":"` + secret + `"}`,
		"home/.docker/config.json": secret, "home/.ssh/id_ed25519": secret,
		"report/report.json": `{"result":"FAIL"}`, "temp/qa-cache/toolchains/node/bin/node": "#!/bin/sh\n",
		"work/repo/file": "product\n",
	})
	git(t, m.root, "init", "-q", "-b", "main")
	git(t, m.root, "config", "http.extraheader", "AUTHORIZATION: "+secret)
	git(t, m.root, "add", ".")
	git(t, m.root, "-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-q", "-m", "head")
	m.layHostile(t)
	for _, d := range []string{dir, filepath.Join(dir, "temp"), filepath.Join(dir, "report"), filepath.Join(dir, "temp", "file_commands"), m.root} {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	socket, abstract := filepath.Join(dir, "docker.sock"), fmt.Sprintf("qa-canary-%d", os.Getpid())
	m.listen(t, "unix", socket)
	if err := os.Chmod(socket, 0o777); err != nil {
		t.Fatal(err)
	}
	m.listen(t, "unix", "@"+abstract)
	tcp := m.listen(t, "tcp", net.JoinHostPort(outsideAddress(t), "0")).(*net.TCPAddr)
	fc := filepath.Join(dir, "temp", "file_commands")
	m.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "RUNNER_TEMP=" + filepath.Join(dir, "temp"),
		"GITHUB_OUTPUT=" + fc + "/output", "GITHUB_EVENT_PATH=" + filepath.Join(dir, "temp", "event", "event.json"),
		"GITHUB_TOKEN=" + secret, "ACTIONS_RUNTIME_TOKEN=" + secret, "INPUT_MODEL-API-KEY=" + secret, "DOCKER_HOST=unix://" + socket}
	m.targets = map[string]any{"pid": os.Getpid(), "checkout": m.root, "fileCommands": fc,
		"event": filepath.Join(dir, "temp", "event", "event.json"), "credentials": filepath.Join(dir, "temp", "git-credentials.config"),
		"home": filepath.Join(dir, "home"), "runnerTemp": filepath.Join(dir, "temp"), "dockerSocket": socket,
		"report": filepath.Join(dir, "report"), "abstract": abstract, "cache": m.cache, "toolchains": filepath.Join(m.cache, "toolchains"),
		"listener": []any{tcp.IP.String(), tcp.Port}}
	return m
}

// layHostile puts the programs into the checkout: they are the test code.
func (m *machine) layHostile(t *testing.T) {
	t.Helper()
	if err := copyFolder(hostileDir, filepath.Join(m.root, "attacks")); err != nil {
		t.Fatal(err)
	}
	goal := filepath.Join(m.root, "attacks", "hostile.bin")
	if os.Getenv(asUser) != "" {
		if err := copyProgram(filepath.Join(filepath.Dir(hostileDir), "hostile.bin"), goal); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(goal, 0o755); err != nil {
			t.Fatal(err)
		}
		return
	}
	buildHostile(t, goal)
}

func buildHostile(t *testing.T, goal string) {
	t.Helper()
	res, err := process.Run(t.Context(), process.Command{Argv: []string{"go", "build", "-o", goal, "."},
		Dir: filepath.Join(hostileDir, "go"), Env: append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("build the hostile programs: %v\n%s", err, res.Stderr)
	}
}

func outsideAddress(t *testing.T) string {
	t.Helper()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			return ip.IP.String()
		}
	}
	return "127.0.0.1" // a machine without network: the namespace still hides it
}

func (m *machine) listen(t *testing.T, network, address string) net.Addr {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			m.connected.Add(1)
			_ = c.Close()
		}
	}()
	return l.Addr()
}

func (m *machine) options() Options {
	return Options{Root: m.root, Env: m.env, Cache: m.cache, Secrets: []string{secret}, Hide: []string{filepath.Join(m.dir, "report")},
		Limits: limits.Limits{Memory: 900 << 20, Disk: 100 << 20, FileSize: 128 << 20, Processes: 80}}
}

// look remembers everything that no attack may change.
func (m *machine) look(t *testing.T) tree.Digest {
	t.Helper()
	all, err := tree.DigestOf(t.Context(), m.dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(m.root, ".git", "config"))
	if err != nil {
		t.Fatal(err)
	}
	all["git config"] = string(config)
	for path := range all {
		if strings.HasPrefix(path, "temp/qa-cache/packages/") {
			delete(all, path) // the part that is the code's
		}
	}
	return all
}

// copyFolder copies the files of a folder of test programs.
func copyFolder(from, to string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.CopyFS(to, os.DirFS(from)))
}

func copyProgram(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644))
}
