//go:build linux

package runtime

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/container"
)

// podman serves the Docker Engine API for one test, with its own storage and an
// image of one program. It needs podman, runc and busybox-static.
func podman(t *testing.T) *container.Engine {
	t.Helper()
	e2e(t)
	dir := scratch(t)
	t.Cleanup(func() { _ = unix.Unmount(filepath.Join(dir, "root", "overlay"), unix.MNT_DETACH) })
	e := podmanAt(t, "--storage-driver", "vfs", "--root", filepath.Join(dir, "root"), "--runroot", filepath.Join(dir, "run"))
	importBusybox(t, e)
	return e
}

// scratch is a directory that goes with the test, whatever is left in it.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "qa-podman-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rooted.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// podmanAt serves the API with the storage that the arguments name, or with that
// of this machine.
func podmanAt(t *testing.T, storage ...string) *container.Engine {
	t.Helper()
	program, err := process.LookPath("podman")
	if err != nil {
		t.Skip("podman is not installed")
	}
	dir := scratch(t)
	put(t, dir, map[string]string{"containers.conf": "[containers]\ndefault_ulimits = []\n[engine]\ncgroup_manager = \"cgroupfs\"\nruntime = \"runc\"\nevents_logger = \"file\"\n"})
	socket := filepath.Join(dir, "engine.sock")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan process.Result, 1)
	go func() {
		res, _ := process.Run(ctx, process.Command{Dir: dir,
			Argv: slices.Concat([]string{program}, storage, []string{"system", "service", "--time=0", "unix://" + socket}),
			Env:  append(os.Environ(), "CONTAINERS_CONF="+filepath.Join(dir, "containers.conf"))})
		done <- res
	}()
	t.Cleanup(func() {
		cancel()
		res := <-done
		if t.Failed() {
			t.Logf("podman: %.3000s", res.Stderr)
		}
	})
	e := container.NewEngine([]string{"DOCKER_HOST=unix://" + socket})
	for deadline := time.Now().Add(20 * time.Second); !e.Answers(ctx); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("podman does not answer")
		}
	}
	return e
}

const busyboxImage = "localhost/qa-busybox:latest"

// importBusybox makes an image of one program, with an entrypoint that commands
// must not go through.
func importBusybox(t *testing.T, e *container.Engine) {
	t.Helper()
	data, err := os.ReadFile("/bin/busybox")
	if err != nil {
		t.Skip("busybox-static is not installed")
	}
	var archive bytes.Buffer
	files := tar.NewWriter(&archive)
	write := func(h *tar.Header, data []byte) {
		h.Size = int64(len(data))
		if err := files.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	write(&tar.Header{Name: "bin/busybox", Mode: 0o755, Typeflag: tar.TypeReg}, data)
	for _, name := range []string{"sh", "cat", "id", "ls", "sleep", "env", "wget", "ip", "kill", "ps", "touch", "true"} {
		write(&tar.Header{Name: "bin/" + name, Linkname: "busybox", Typeflag: tar.TypeSymlink}, nil)
	}
	write(&tar.Header{Name: "tmp", Mode: 0o1777, Typeflag: tar.TypeDir}, nil)
	write(&tar.Header{Name: "etc/passwd", Mode: 0o644, Typeflag: tar.TypeReg}, []byte("root:x:0:0::/:/bin/sh\n"))
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	importImage(t, e, "localhost/qa-busybox", &archive, `ENTRYPOINT ["true"]`)
}

// importImage makes an image of an archive of its files.
func importImage(t *testing.T, e *container.Engine, name string, archive io.Reader, change string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://engine/v1.41/images/create?fromSrc=-&repo="+name+"&tag=latest&changes="+url.QueryEscape(change), archive)
	if err != nil {
		t.Fatal(err)
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", e.Socket)
	}
	resp, err := (&http.Client{Transport: &http.Transport{DialContext: dial}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		t.Fatalf("import: %s %s", resp.Status, body)
	}
}

func TestContainerDriver(t *testing.T) {
	e := podman(t)
	root, base := repo(t)
	w := open(t, Options{Root: root, Driver: "container", Containers: Containers{Image: busyboxImage}, Secrets: []string{"hunter22"},
		Env: append(os.Environ(), "DOCKER_HOST=unix://"+e.Socket)})
	t.Logf("%q", w.Levels())
	if got := run(t, w, "cat", "file"); got != "head\n" {
		t.Errorf("file = %q", got)
	}
	if got := run(t, w, "id", "-u"); w.box.User != nil && strings.TrimSpace(got) != "65532" {
		t.Errorf("uid = %q", got)
	}
	res, err := w.Run(t.Context(), Command{Argv: []string{"sh", "-c", "echo out hunter22; echo err >&2; touch made; exit 7"}})
	if err != nil || res.ExitCode != 7 || string(res.Stdout) != "out ***\n" || string(res.Stderr) != "err\n" {
		t.Errorf("result = %+v, %v", res, err)
	}
	if _, err := os.Stat(filepath.Join(w.Dir(), "made")); err != nil {
		t.Error(err)
	}
	res, err = w.Run(t.Context(), Command{Argv: []string{"ip", "link"}, Network: NetworkLoopback})
	if err != nil || strings.Contains(string(res.Stdout), "eth0") || !strings.Contains(string(res.Stdout), "lo:") {
		t.Errorf("network of generated tests: %s%s, %v", res.Stdout, res.Stderr, err)
	}
	res, err = w.Run(t.Context(), Command{Argv: []string{"ls", e.Socket, root}, Network: NetworkLoopback})
	if err != nil || res.ExitCode == 0 {
		t.Errorf("socket or checkout visible: %s, %v", res.Stdout, err)
	}
	res, err = w.Run(t.Context(), Command{Argv: []string{"sleep", "60"}, Timeout: 2 * time.Second, Network: NetworkLoopback})
	if err != nil || !res.TimedOut || res.Seconds > 20 {
		t.Errorf("timeout: %+v, %v", res, err)
	}
	var left []any
	if err := e.Call(t.Context(), http.MethodGet, "/containers/json?all=true", nil, &left); err != nil || len(left) > 0 {
		t.Errorf("containers left: %v, %v", left, err)
	}
	res, err = w.Run(t.Context(), Command{Argv: []string{"no-such-program"}, Network: NetworkLoopback})
	if !errors.Is(err, process.ErrNotFound) {
		t.Errorf("missing program: %+v, %v\n%s", res.ExitCode, err, res.Stderr)
	}
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, b, "cat", "file"); got != "base\n" {
		t.Errorf("base file = %q", got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// Without an engine the error names what to do.
func TestContainerWithoutEngine(t *testing.T) {
	root, _ := repo(t)
	for name, o := range map[string]Options{
		"no container engine answers":  {Driver: "container", Containers: Containers{Image: "x"}},
		"needs runtime-image":          {Driver: "container"},
		"needs a job with a container": {Driver: "job-container"},
	} {
		o.Root, o.Cache, o.Env = root, t.TempDir(), []string{"PATH=" + os.Getenv("PATH"), "DOCKER_HOST=unix:///nonexistent.sock"}
		if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
