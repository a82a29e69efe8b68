package runtime

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrepareFindsInstalledPrograms(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{
		"node_modules/.bin/build": "#!/bin/sh\necho root $WHAT\n", "node_modules/.bin/ls": "#!/bin/sh\necho ours\n",
		"packages/a/node_modules/.bin/build": "#!/bin/sh\necho a $WHAT\n", "packages/a/package.json": "{}"})
	for _, name := range []string{"node_modules/.bin/build", "node_modules/.bin/ls", "packages/a/node_modules/.bin/build"} {
		if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w := open(t, Options{Root: root})
	for _, c := range []struct {
		dir, want string
		argv      []string
	}{
		{"", "root dist\n", []string{"build"}},
		{"sub", "root dist\n", []string{"build"}},
		{"packages/a", "a dist\n", []string{"build"}},
		{"packages/a", "ours\n", []string{"ls"}},
		{"packages/a", "a dist\n", []string{"sh", "-c", "build"}},
	} {
		res, err := w.Prepare(t.Context(), Command{Dir: c.dir, Argv: c.argv, Env: []string{"WHAT=dist"}})
		if err != nil || string(res.Stdout) != c.want {
			t.Errorf("%s in %q: %q, %v\n%s", c.argv, c.dir, res.Stdout, err, res.Stderr)
		}
	}
	if got := binPath(w.Dir(), "../.."); got != "" {
		t.Errorf("programs outside of the tree: %q", got)
	}
	if _, err := w.Prepare(t.Context(), Command{}); err == nil {
		t.Error("an empty command ran")
	}
}

func TestOwnElsewhere(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{
		"package.json": `{"name":"shop","workspaces":["packages/*"]}`, "package-lock.json": "{}",
		"packages/a/package.json": `{"name":"@shop/a"}`, "packages/b/package.json": `{"name":"@shop/b","exports":"./b.js"}`,
		"packages/c/package.json": `{"name":"@shop/c"}`, "fixtures/package.json": `{"name":"left-pad"}`,
		"node_modules/left-pad/package.json": `{}`, "node_modules/@shop/b/package.json": `{}`,
		"packages/a/node_modules/@shop/c/package.json": `{}`, "packages/b/node_modules/shop/package.json": `{}`,
	})
	for link, to := range map[string]string{"node_modules/@shop/a": "../../packages/a", "node_modules/@shop/c": "../../packages/c"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	git(t, root, "add", "package.json", "package-lock.json", "packages/a/package.json", "packages/b/package.json", "packages/c/package.json", "fixtures")
	git(t, root, "commit", "-q", "-m", "packages")
	w := open(t, Options{Root: root, Install: "never"})
	b := at(t, w, "HEAD")
	for dir, want := range map[string][]Elsewhere{
		"":           {{Name: "@shop/b", At: "node_modules/@shop/b"}},
		"packages/a": {{Name: "@shop/b", At: "node_modules/@shop/b"}, {Name: "@shop/c", At: "packages/a/node_modules/@shop/c"}},
		"packages/b": {{Name: "shop", At: "packages/b/node_modules/shop"}}, // finds itself by its exports
		"packages/c": {{Name: "@shop/b", At: "node_modules/@shop/b"}},
		"../..":      nil,
		"missing":    {{Name: "@shop/b", At: "node_modules/@shop/b"}},
	} {
		for side, w := range map[string]*Workspace{"head": w, "base": b} {
			if diff := cmp.Diff(want, w.OwnElsewhere(dir)); diff != "" {
				t.Errorf("%s, %q (-want +got):\n%s", side, dir, diff)
			}
		}
	}
}
