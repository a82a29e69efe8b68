package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A toolchain that lives in the user's home is there for the code, with what it has
// fetched and room for more, and without the credentials that lie beside it.
func TestHomesOfToolchains(t *testing.T) {
	t.Parallel()
	user := filepath.Join(sharedDir(t), "user")
	put(t, user, map[string]string{".cargo/credentials.toml": "token", ".cargo/registry/src/index/crate-1.0/src/lib.rs": "fetched", ".cargo/registry/cache/index/crate-1.0.crate": "crate",
		".rustup/settings.toml": "default = 1", ".rustup/toolchains/stable/lib/x": "library", ".m2/settings.xml": "password", ".m2/repository/org/a/a.jar": "jar"})
	root, base := repo(t)
	put(t, root, map[string]string{"Cargo.toml": "[package]\n"})
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "rust")
	w := open(t, Options{Root: root, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + user}})
	beside := ""
	if w.box.Layers.Namespaces { // else the home stays where it is, which the report says
		beside = user + "/.cargo/credentials.toml"
	}
	said := run(t, w, "sh", "-c", `cd "$CARGO_HOME" && cat registry/src/index/crate-1.0/src/lib.rs registry/cache/index/crate-1.0.crate "$RUSTUP_HOME"/settings.toml "$RUSTUP_HOME"/toolchains/stable/lib/x
touch registry/src/index/more registry/cache/index/more && cat credentials.toml `+beside+` 2>/dev/null; ls registry/src/index; echo "$MAVEN_OPTS"; ls "$(dirname "$CARGO_HOME")"`)
	for _, want := range []string{"fetched", "crate", "default = 1", "library", "crate-1.0\nmore\n", "-Dmaven.repo.local=" + w.box.Place.Packages() + "/maven/repository -Duser.home="} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if strings.Contains(said, "token") || strings.Contains(said, "\nmaven\n") {
		t.Errorf("credentials, or the home of a language that is not used:\n%s", said)
	}
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	// Base has no project in Rust, and an environment of its own.
	if said := run(t, b, "sh", "-c", `echo "$CARGO_HOME"`); strings.TrimSpace(said) != filepath.Join(b.box.Place.Packages(), "cargo") {
		t.Errorf("base has %s", said)
	}
	git(t, root, "commit", "-q", "--allow-empty", "-m", "again")
	again, err := w.At(t.Context(), git(t, root, "rev-parse", "HEAD~1"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}()
	if said := run(t, again, "sh", "-c", `cat "$CARGO_HOME"/registry/src/index/crate-1.0/src/lib.rs`); said != "fetched" {
		t.Errorf("base reads %q", said)
	}
}

// TestMavenNotesWhatItFetches: where the machine has the POM of an artifact and not its
// jar, Maven fetches that and notes it in a file that lies there.
func TestMavenNotesWhatItFetches(t *testing.T) {
	t.Parallel()
	user := filepath.Join(sharedDir(t), "user")
	put(t, user, map[string]string{".m2/repository/org/a/1/a-1.pom": "<project/>", ".m2/repository/org/a/1/_remote.repositories": "a-1.pom>central=\n",
		".m2/repository/org/a/resolver-status.properties": "x=1\n", ".m2/repository/org/b/1/b-1.jar.lastUpdated": "y=1\n"})
	root, _ := repo(t)
	put(t, root, map[string]string{"pom.xml": "<project/>"})
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "java")
	w := open(t, Options{Root: root, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + user}})
	said := run(t, w, "sh", "-c", `cd "$MAVEN_USER_HOME/repository/org" && for f in a/1/_remote.repositories a/resolver-status.properties b/1/b-1.jar.lastUpdated; do echo "a-1.jar>central=" >> $f && cat $f; done`)
	if strings.Count(said, "a-1.jar>central=\n") != 3 || !strings.Contains(said, "a-1.pom>central=\n") {
		t.Errorf("not to be written to: %s", said)
	}
	if kept, err := os.ReadFile(filepath.Join(user, ".m2/repository/org/a/1/_remote.repositories")); err != nil || strings.Contains(string(kept), "jar") {
		t.Errorf("the user's own has %q, %v", kept, err)
	}
}

// What an earlier build left beside a manifest stays behind; a folder of that name
// elsewhere, and one that is committed, do not.
func TestStaleBuildsStayBehind(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{"pom.xml": "<project/>", "target/classes/A.class": "old", "docs/target/x": "page", "lib/Cargo.toml": "", "lib/target/kept": "committed", ".gitignore": "target\n"})
	git(t, root, "add", "--force", "pom.xml", "lib")
	git(t, root, "commit", "-q", "-m", "java")
	w := open(t, Options{Root: root})
	for name, there := range map[string]bool{"target": false, "docs/target/x": true, "lib/target/kept": true} {
		if _, err := os.Lstat(filepath.Join(w.Dir(), name)); (err == nil) != there {
			t.Errorf("%s in the copy: %v, want %v", name, err, there)
		}
	}
}
