//go:build linux

package runtime

import (
	"archive/tar"
	"bytes"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/container"
)

const redisJob = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    services:
      cache:
        image: localhost/redis
        ports: ["16379:6379"]
    steps:
      - run: npm test
`

// importRedis makes an image of this machine's redis-server with what it needs.
func importRedis(t *testing.T, e *container.Engine) {
	t.Helper()
	programs := []string{"/usr/bin/redis-server", "/usr/bin/redis-cli", "/bin/sh"}
	var archive bytes.Buffer
	out := tar.NewWriter(&archive)
	seen := map[string]bool{}
	add := func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		data, err := os.ReadFile(name)
		if err != nil {
			t.Skip("redis-server is not installed")
		}
		assert.NilError(t, out.WriteHeader(&tar.Header{Name: strings.TrimPrefix(name, "/"), Mode: 0o755, Typeflag: tar.TypeReg, Size: int64(len(data))}))
		_, err = out.Write(data)
		assert.NilError(t, err)
	}
	library := regexp.MustCompile(`(/\S+) \(0x`)
	for _, program := range programs {
		add(program)
		res, err := process.Run(t.Context(), process.Command{Argv: []string{"ldd", program}, Dir: "/", Env: os.Environ()})
		assert.NilError(t, err)
		for _, m := range library.FindAllStringSubmatch(string(res.Stdout), -1) {
			add(m[1])
		}
	}
	assert.NilError(t, out.WriteHeader(&tar.Header{Name: "data", Mode: 0o1777, Typeflag: tar.TypeDir}))
	assert.NilError(t, out.Close())
	importImage(t, e, "localhost/redis", &archive, `CMD ["redis-server", "--dir", "/data", "--protected-mode", "no"]`)
}

// A database of the workflow is there for each run of the tests, of head and of base,
// without anything of the run before, and gone behind it.
func TestServices(t *testing.T) {
	e := podman(t)
	importRedis(t, e)
	root, base := repo(t)
	o := Options{Root: root, Driver: "host", Env: append(os.Environ(), "DOCKER_HOST=unix://"+e.Socket)}
	o.Workflows = map[string][]byte{".github/workflows/ci.yml": []byte(redisJob)}
	w := open(t, o)
	done := strings.Join(w.Prepared().Done, "\n")
	assert.Assert(t, strings.Contains(done, "started anew for each run of the tests, unless they answer already: localhost/redis (ci.yml:6)"), done)
	count := func(w *Workspace, c Command) (string, int) {
		c.Argv = []string{"redis-cli", "-p", "16379", "incr", "runs"}
		res, err := w.Run(t.Context(), c)
		assert.NilError(t, err)
		return strings.TrimSpace(string(res.Stdout)), res.ExitCode
	}
	said, _ := count(w, Command{Services: true})
	assert.Equal(t, said, "1", w.NoServices())
	b, err := w.At(t.Context(), base)
	assert.NilError(t, err)
	said, _ = count(b, Command{Services: true})
	assert.Equal(t, said, "1", "what head's tests wrote is not there")
	for what, c := range map[string]Command{"other commands": {}, "generated tests": {Services: true, Network: NetworkLoopback}} {
		_, exit := count(w, c)
		assert.Assert(t, exit != 0, "%s reach it", what)
	}
	var left []any
	assert.NilError(t, e.Call(t.Context(), http.MethodGet, "/containers/json?all=true", nil, &left))
	assert.Equal(t, len(left), 0)

	// What an earlier run left when it was killed goes before the first.
	defer open(t, o).services.Start(t.Context())()
	again := open(t, o)
	said, _ = count(again, Command{Services: true})
	assert.Equal(t, said, "1", again.NoServices())
}

// A service that does not start fails nothing by itself, and why is said once.
func TestServicesThatDoNotStart(t *testing.T) {
	e := podman(t)
	root, _ := repo(t)
	o := Options{Root: root, Driver: "host", Env: append(os.Environ(), "DOCKER_HOST=unix://"+e.Socket, "PATH="+os.Getenv("PATH"))}
	o.Workflows = map[string][]byte{".github/workflows/ci.yml": []byte(redisJob)}
	w := open(t, o)
	res, err := w.Run(t.Context(), Command{Argv: []string{"true"}, Services: true})
	assert.NilError(t, err)
	assert.Equal(t, res.ExitCode, 0)
	assert.Assert(t, strings.HasPrefix(w.NoServices(), "localhost/redis: "), "%q", w.NoServices())
}
