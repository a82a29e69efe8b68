package runtime

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
)

// mirror serves files and counts what was fetched.
type mirror struct {
	*httptest.Server
	files   map[string][]byte
	fetched map[string]int
}

func newMirror(t *testing.T) *mirror {
	m := &mirror{files: map[string][]byte{}, fetched: map[string]int{}}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := m.files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		m.fetched[r.URL.Path]++
		_, _ = w.Write(data)
	}))
	t.Cleanup(m.Close)
	return m
}

// pack makes a gzipped archive of the folders of dir, below top.
func pack(t *testing.T, dir, top string, folders ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewWriter(zipped)
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(dir, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.Name() == "test" || d.Name() == "__pycache__" || d.Name() == "site-packages" {
				return fs.SkipDir
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			link := ""
			if d.Type()&fs.ModeSymlink != 0 {
				if link, err = os.Readlink(path); err != nil {
					return err
				}
			}
			h, err := tar.FileInfoHeader(info, link)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			if h.Name = top + "/" + rel; d.IsDir() {
				h.Name += "/"
			}
			if err := files.WriteHeader(h); err != nil || !info.Mode().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			// A shared library is found beside the program, wherever that is.
			built, beside := []byte(dir+"/lib\x00"), []byte("$ORIGIN/../lib\x00")
			if len(built) >= len(beside) {
				data = bytes.ReplaceAll(data, built, append(beside, make([]byte, len(built)-len(beside))...))
			}
			_, err = files.Write(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// plainEnv gives an environment with only the system's programs and home.
func plainEnv(t *testing.T, more ...string) []string {
	env := []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir()}
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); environ.HandedOn(name) {
			env = append(env, kv)
		}
	}
	return append(env, more...)
}

// TestPythonMirror has uv fetch an interpreter that this machine does not show,
// from a mirror with an archive in the layout of its own builds, check its sum,
// unpack and use it.
func TestPythonMirror(t *testing.T) {
	e2e(t)
	res, err := process.Run(t.Context(), process.Command{Argv: []string{"python3", "-c", "import platform, sys; print(sys.base_prefix, platform.python_version())"}, Dir: "/", Env: os.Environ()})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("ask python3: %v\n%s", err, res.Stderr)
	}
	prefix, version, _ := strings.Cut(strings.TrimSpace(string(res.Stdout)), " ")
	if prefix == "/usr" {
		t.Skip("python3 is the system's, which cannot be packed")
	}
	parts := strings.Split(version, ".")
	const build = "20251120"
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	file := fmt.Sprintf("/%s/cpython-%s%%2B%s-%s-unknown-linux-gnu-install_only_stripped.tar.gz", build, version, build, arch)
	archive := pack(t, prefix, "python", "bin", "lib", "include")
	entry := map[string]any{"name": "cpython", "arch": map[string]any{"family": arch, "variant": nil}, "os": "linux", "libc": "gnu",
		"major": number(t, parts[0]), "minor": number(t, parts[1]), "patch": number(t, parts[2]), "prerelease": "", "variant": nil, "build": build,
		"url": "https://github.com/astral-sh/python-build-standalone/releases/download" + file}
	for sum, want := range map[string]string{sha(archive): "", sha(nil): "hash"} {
		m := newMirror(t)
		entry["sha256"] = sum
		list, err := json.Marshal(map[string]any{fmt.Sprintf("cpython-%s-linux-%s-gnu", version, arch): entry})
		if err != nil {
			t.Fatal(err)
		}
		decoded := strings.ReplaceAll(file, "%2B", "+")
		m.files["/list.json"], m.files[decoded] = list, archive
		root := filepath.Join(t.TempDir(), "repo")
		put(t, root, map[string]string{"requirements.txt": "", ".python-version": version})
		start := time.Now()
		w, err := Open(t.Context(), Options{Root: root, Driver: "image", Cache: emptyCache(t),
			Env: plainEnv(t, "UV_PYTHON_INSTALL_MIRROR="+m.URL, "UV_PYTHON_DOWNLOADS_JSON_URL="+m.URL+"/list.json")})
		if want != "" {
			if err == nil || !strings.Contains(strings.ToLower(err.Error()), want) {
				t.Errorf("another archive than the list says: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes from the mirror, ready after %.1f s: %+v", len(archive), time.Since(start).Seconds(), w.Tools())
		if got := run(t, w, "python", "--version"); got != "Python "+version+"\n" || m.fetched[decoded] != 1 {
			t.Errorf("python is %q, fetched %v", got, m.fetched)
		}
		if got := run(t, w, "python", "-c", "import os, sys; print(os.path.realpath(sys.executable))"); !strings.Contains(got, filepath.Join("toolchains", "python")) {
			t.Errorf("python is at %s", got)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNodeMirror does the same with a copy of the official distribution of
// Node.js, made of npm's package.
func TestNodeMirror(t *testing.T) {
	e2e(t)
	root := filepath.Join(t.TempDir(), "repo")
	put(t, root, map[string]string{"package.json": "{}", ".nvmrc": "18.20.8"})
	first := open(t, Options{Root: root, Driver: "image", Install: "never", Cache: sharedCache(t), Env: plainEnv(t)})
	node := first.Tools()[0]
	if node.Installed {
		t.Skip("the system has this very version")
	}
	name := fmt.Sprintf("node-v%s-%s", node.Version, provision.Platform())
	archive := pack(t, filepath.Dir(node.Bin), name, "bin", "lib")
	for sum, want := range map[string]string{sha(archive): "", sha(nil): "not the one that was pinned"} {
		m := newMirror(t)
		base := "/v" + node.Version + "/"
		m.files["/index.json"] = fmt.Appendf(nil, `[{"version":"v26.0.0"},{"version":"v%s"},{"version":"v16.0.0"}]`, node.Version)
		m.files[base+"SHASUMS256.txt"] = fmt.Appendf(nil, "%s  other.tar.gz\n%s  %s.tar.gz\n", sha([]byte("x")), sum, name)
		m.files[base+name+".tar.gz"] = archive
		start := time.Now()
		w, err := Open(t.Context(), Options{Root: root, Driver: "image", Install: "never", Cache: emptyCache(t), Env: plainEnv(t, "NODEJS_ORG_MIRROR="+m.URL)})
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("another archive than the list says: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes from the mirror, ready after %.1f s: %+v", len(archive), time.Since(start).Seconds(), w.Tools())
		if got := run(t, w, "node", "--version"); got != "v"+node.Version+"\n" || m.fetched[base+name+".tar.gz"] != 1 {
			t.Errorf("node is %q, fetched %v", got, m.fetched)
		}
		if got := run(t, w, "npm", "--version"); !strings.HasPrefix(got, "10.") {
			t.Errorf("npm is %q", got)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	var n int
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
