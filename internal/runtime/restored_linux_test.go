package runtime

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/dirhash"
)

// goModule puts a module into the module cache below home, and returns its lines of go.sum.
func goModule(t *testing.T, home, text string) string {
	t.Helper()
	const mod = "module example.com/dep\n\ngo 1.21\n"
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{"go.mod": mod, "dep.go": text} {
		w, err := z.Create("example.com/dep@v1.0.0/" + name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, home, map[string]string{"go/pkg/mod/cache/download/example.com/dep/@v/v1.0.0.zip": b.String(), "go/pkg/mod/cache/download/example.com/dep/@v/v1.0.0.mod": mod})
	sum, err := dirhash.HashZip(filepath.Join(home, "go/pkg/mod/cache/download/example.com/dep/@v/v1.0.0.zip"), dirhash.Hash1)
	if err != nil {
		t.Fatal(err)
	}
	modSum, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(mod)), nil })
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("example.com/dep v1.0.0 %s\nexample.com/dep v1.0.0/go.mod %s\n", sum, modSum)
}

// Modules that a job restored serve where base's sums vouch for them, without a network;
// what only the change vouches for serves nobody.
func TestModulesThatTheJobRestored(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	home := t.TempDir()
	sums := goModule(t, home, "package dep\n\nfunc Name() string { return \"right\" }\n")
	put(t, root, map[string]string{"go.mod": "module example.com/a\n\ngo 1.21\n\nrequire example.com/dep v1.0.0\n", "go.sum": sums,
		"main.go": "package main\n\nimport \"example.com/dep\"\n\nfunc main() { println(dep.Name()) }\n"})
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "base")
	base := git(t, root, "rev-parse", "HEAD")
	env := append(os.Environ(), "HOME="+home, "GOPATH=", "GOMODCACHE=", "GOPROXY=off", "GOFLAGS=", "GONOSUMDB=*")
	none := func(context.Context, *Workspace) []GoTest { return nil } // nothing is compiled
	o := Options{Root: root, Cache: emptyCache(t), Install: "never", Env: env, Preparation: Preparation{Base: base, GoTests: none}}
	list := []string{"go", "list", "-deps", "./..."}
	w := open(t, o)
	if !w.caches.guarded() {
		t.Skip("the code could write to what outlives the run")
	}
	run(t, w, list...)
	o.Base, o.Cache = "", emptyCache(t)
	if res, err := open(t, o).Run(t.Context(), Command{Argv: list}); err != nil || res.ExitCode == 0 {
		t.Errorf("nobody vouches for it: exit code %d, %v", res.ExitCode, err)
	}
	// The change makes its own sum fit what an earlier step wrote.
	evil := goModule(t, home, "package dep\n\nfunc Name() string { return \"evil\" }\n")
	put(t, root, map[string]string{"go.sum": evil})
	git(t, root, "commit", "-q", "-a", "-m", "head")
	o.Base, o.Cache = base, emptyCache(t)
	if res, err := open(t, o).Run(t.Context(), Command{Argv: list}); err != nil || res.ExitCode == 0 {
		t.Errorf("the change vouches for it: exit code %d, %v", res.ExitCode, err)
	}
	if left, err := filepath.Glob(filepath.Join(o.Cache, "layers/go-mod/cache/download/example.com/dep/@v/*.zip")); err != nil || len(left) > 0 {
		t.Errorf("%q is for later runs, %v", left, err)
	}
}

// Packages that a job restored serve by their digest, without a network.
func TestPackagesThatTheJobRestored(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	home := t.TempDir()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	archive := tar.NewWriter(packed)
	for name, text := range map[string]string{"package/package.json": `{"name":"dep","version":"1.0.0"}`, "package/index.js": "module.exports = 1\n"} {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(archive, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(b.Bytes())
	digest := hex.EncodeToString(sum[:])
	content := filepath.Join(".npm/_cacache/content-v2/sha512", digest[:2], digest[2:4], digest[4:])
	put(t, root, map[string]string{".npmrc": "offline=true\n", "package.json": `{"name":"a","version":"1.0.0","dependencies":{"dep":"1.0.0"}}`,
		"package-lock.json": fmt.Sprintf(`{"name":"a","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"a","version":"1.0.0","dependencies":{"dep":"1.0.0"}},`+
			`"node_modules/dep":{"version":"1.0.0","resolved":"https://registry.npmjs.org/dep/-/dep-1.0.0.tgz","integrity":"sha512-%s"}}}`, base64.StdEncoding.EncodeToString(sum[:]))})
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "head")
	env := append(os.Environ(), "HOME="+home, "npm_config_cache=", "NPM_CONFIG_CACHE=", "UV_CACHE_DIR=")
	o := Options{Root: root, Cache: emptyCache(t), Env: env}
	if _, err := Open(t.Context(), Options{Driver: "host", Root: root, Env: env, Cache: emptyCache(t)}); err == nil {
		t.Error("it was installed out of nothing")
	}
	put(t, home, map[string]string{content: b.String()})
	w := open(t, o)
	if !w.caches.guarded() {
		t.Skip("the code could write to what outlives the run")
	}
	run(t, w, "node", "-e", `if (require("dep") !== 1) process.exit(1)`)
	// A job of the default branch on a machine of its own starts from all that it restored.
	put(t, home, map[string]string{".npm/marker": "1", ".cache/uv/marker": "1"})
	for _, c := range []struct {
		trusted bool
		runner  string
		takes   bool
	}{{true, "github-hosted", true}, {true, "self-hosted", false}, {false, "github-hosted", false}} {
		o := Options{Driver: "host", Root: root, Cache: emptyCache(t), Env: append(env, "GITHUB_ACTIONS=true", "RUNNER_ENVIRONMENT="+c.runner), Preparation: Preparation{Trusted: c.trusted}}
		open(t, o)
		for _, name := range []string{"npm", "uv"} {
			if _, err := os.Stat(filepath.Join(o.Cache, "layers", name, "marker")); (err == nil) != c.takes {
				t.Errorf("%+v: %s: %v", c, name, err)
			}
		}
	}
	put(t, home, map[string]string{content: b.String() + "more"})
	if _, err := Open(t.Context(), Options{Driver: "host", Root: root, Env: env, Cache: emptyCache(t)}); err == nil {
		t.Error("it was installed from what is another content")
	}
}
