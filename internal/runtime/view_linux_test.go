package runtime

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The code's user has a name and a home, which programs look up.
func TestTheUserHasAName(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	w := open(t, Options{Root: root, Install: "never"})
	withNamespaces(t, w)
	if w.box.User == nil {
		t.Skip("commands run as ourselves")
	}
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	for side, tree := range map[string]*Workspace{"head": w, "base": b} {
		got := run(t, tree, "sh", "-c", `id -un; id -gn; getent passwd "$(id -u)" | cut -d: -f6; test "$(getent passwd "$(id -u)" | cut -d: -f6)" = "$HOME" && echo home`)
		if lines := strings.Fields(got); len(lines) != 4 || lines[0] != "qa" || lines[1] != "qa" || lines[3] != "home" {
			t.Errorf("%s: %q", side, got)
		}
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// withNamespaces skips a test where commands have no mounts of their own.
func withNamespaces(t *testing.T, w *Workspace) {
	t.Helper()
	if !w.box.Layers.Namespaces {
		t.Skip("no namespaces here")
	}
}

// Where commands have mounts of their own, head and base cannot be told apart by
// where they stand, from the arguments, the environment and the packages they link.
func TestOnePathForBothSides(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	put(t, root, map[string]string{"node_modules/lib/index.js": "1\n", "node_modules/lib/package.json": "{}"})
	w := open(t, Options{Root: root, Install: "never"})
	withNamespaces(t, w)
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	// Digests: what is printed comes back with our own paths.
	const script = `for x in "$PWD" "$(pwd -P)" "$1" "$(env | grep -v '^_=' | sort)"; do printf %s "$x" | sha256sum; done`
	var seen []string
	for _, side := range []*Workspace{w, b} {
		res, err := side.Run(t.Context(), Command{Dir: "sub", Env: []string{"REPORT=" + side.Results() + "/x"},
			Argv: []string{"sh", "-c", script, "sh", side.Dir() + "/file"}})
		if err != nil || res.ExitCode != 0 {
			t.Fatalf("exit code %d, %v: %s", res.ExitCode, err, res.Stderr)
		}
		seen = append(seen, string(res.Stdout))
	}
	if seen[0] != seen[1] {
		t.Errorf("head and base see different paths:\n%s\n%s", seen[0], seen[1])
	}
	if got := run(t, b, "sh", "-c", "cat file; readlink -f node_modules/lib"); got != "base\n"+b.box.Place.Home+"/head/tree/node_modules/lib\n" {
		t.Errorf("base has %q", got)
	}
	if real, err := filepath.EvalSymlinks(filepath.Join(b.Dir(), "node_modules", "lib")); err != nil || real != filepath.Join(w.Dir(), "node_modules", "lib") {
		t.Errorf("on the machine base's package is %s, %v", real, err)
	}
}

// What base's commands write names base's own tree for whoever reads it, at no other
// length.
func TestReportsOfBaseNameItsTree(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	w := open(t, Options{Root: root, Install: "never"})
	withNamespaces(t, w)
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	report, stdout := filepath.Join(b.Results(), "report"), filepath.Join(b.Results(), "stdout")
	var live strings.Builder
	res, err := b.Run(t.Context(), Command{Argv: []string{"sh", "-c", `pwd; pwd >&2; printf '\0file://%s\0\\%s' "$PWD" "$PWD" > "$1"`, "sh", report}, Stdout: stdout, Live: &live})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("exit code %d, %v: %s", res.ExitCode, err, res.Stderr)
	}
	line := b.Dir() + "\n"
	if string(res.Stdout) != line || string(res.Stderr) != line || live.String() != line+line {
		t.Errorf("output %q, %q, live %q, want %q", res.Stdout, res.Stderr, live.String(), line)
	}
	for from, want := range map[string]string{report: "\x00file://" + b.Dir() + "\x00\\" + b.Dir(), stdout: line} {
		raw, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		local := b.Local(&got)
		if _, err := local.Write(raw); err != nil {
			t.Fatal(err)
		}
		if err := local.Close(); err != nil || got.String() != want {
			t.Errorf("%s: %q, %v, want %q", from, got.String(), err, want)
		}
	}
	// A name on the border of two writes is found.
	var text strings.Builder
	local := b.Local(&text)
	for part := range slices.Chunk([]byte(w.Dir()), 7) {
		if _, err := local.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := local.Close(); err != nil || text.String() != b.Dir() {
		t.Errorf("%q, %v, want %q", text.String(), err, b.Dir())
	}
	if _, err := io.WriteString(w.Local(&text), ""); err != nil {
		t.Error(err)
	}
}

// Base sees head's home for reading only, and neither side reaches the other's tree
// through it.
func TestBaseCannotWriteToHead(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	put(t, root, map[string]string{"node_modules/lib/index.js": "1\n"})
	w := open(t, Options{Root: root, Install: "never"})
	withNamespaces(t, w)
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, script := range []string{
		"echo evil > ../head/tree/file", "touch ../head/tree/new", "rm ../head/tree/file", "mv ../head ../was", "rm ../head/tree", "touch ../head/results/x",
		"rmdir ../head",
	} {
		if res, err := b.Run(t.Context(), Command{Argv: []string{"sh", "-c", script}}); err != nil || res.ExitCode == 0 {
			t.Errorf("%s: exit code %d, %v", script, res.ExitCode, err)
		}
	}
	if got := run(t, w, "cat", "file"); got != "head\n" {
		t.Errorf("head's file is %q", got)
	}
	if got := run(t, b, "cat", "file", "../head/tree/file", "node_modules/lib/index.js"); got != "base\nhead\n1\n" {
		t.Errorf("base reads %q", got)
	}
	// What head puts below its own home is nothing to base.
	_, _ = w.Run(t.Context(), Command{Argv: []string{"sh", "-c", "mkdir -p ../head/tree && echo evil > ../head/tree/file"}})
	if got := run(t, b, "cat", "../head/tree/file"); got != "head\n" {
		t.Errorf("base reads %q of head", got)
	}
}

// Without namespaces base stays where it stands, and its packages lead to head's.
func TestTwoPathsWithoutNamespaces(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	put(t, root, map[string]string{"node_modules/lib/index.js": "1\n", ".venv/pyvenv.cfg": "", ".venv/lib/python3/site-packages/dep/x.py": "2\n"})
	w := open(t, Options{Root: root, Install: "never"})
	without(t, w, "no namespaces")
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	got := run(t, b, "sh", "-c", "pwd; cat file node_modules/lib/index.js .venv/lib/python3/site-packages/dep/x.py")
	if want := b.Dir() + "\nbase\n1\n2\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
