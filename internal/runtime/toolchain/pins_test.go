package toolchain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPins(t *testing.T) {
	files := tree(map[string]string{
		"package.json":     `{"dependencies":{"a":"^1.0.0"},"devDependencies":{"b":"file:b","a":"^9.0.0"}}`,
		"pyproject.toml":   "[project]\ndependencies=['Flask[async] >= 2, <4', 'old; python_version<\"3\"', 'typing_extensions']\n",
		"requirements.txt": "# c\n-r other.txt\nRequests==2.32.0  # why\nattrs==1 \\\n  --hash=sha256:00\nflask==3.0\nhttps://example.com/x.whl\n",
		"uv.lock":          "[[package]]\nname = \"flask\"\nversion = \"3.1.0\"\n",
	})
	if diff := cmp.Diff(Pins{"a": {Spec: "^1.0.0", File: "package.json"}, "b": {Spec: "file:b", File: "package.json"}}, NodePins(files, ".")); diff != "" {
		t.Errorf("Node.js (-want +got):\n%s", diff)
	}
	want := Pins{"flask": {Spec: "==3.1.0", File: "uv.lock", Locked: true}, "typing-extensions": {File: "pyproject.toml"},
		"requests": {Spec: "==2.32.0", File: "requirements.txt"}, "attrs": {Spec: "==1", File: "requirements.txt"}}
	if diff := cmp.Diff(want, PythonPins(files, ".")); diff != "" {
		t.Errorf("Python (-want +got):\n%s", diff)
	}
	if got := want.Changed(Pins{"flask": want["flask"], "requests": {Spec: "==1"}}); len(got) != 3 {
		t.Errorf("changed: %v", got)
	}
	for _, c := range []struct {
		spec, version string
		fits, known   bool
	}{
		{"==2.32.0", "2.32.0", true, true}, {"==2.32", "2.32.0", true, true}, {"==2.32.0", "2.31.0", false, true}, {"==2.0rc1", "2.0rc1", true, true},
		{"==2.0", "2.0rc1", false, true}, {"==1.0+cpu", "1.0", true, true}, {">=2,<4", "3.1", true, true}, {">=2,<4", "4.0", false, true},
		{">=2", "3.0rc1", false, false}, {"", "1.0", true, true}, {"~=1.4.2", "1.5.0", false, true},
	} {
		if fits, known := PythonSatisfies(c.spec, c.version); fits != c.fits || known != c.known {
			t.Errorf("%q with %q: %v, %v", c.spec, c.version, fits, known)
		}
	}
	for _, c := range []struct {
		spec, version string
		fits, known   bool
	}{
		{"^2.0.0", "2.1.0", true, true}, {"^2.0.0", "1.9.0", false, true}, {"file:x", "1.0.0", false, false}, {"latest", "1.0.0", false, false}, {"workspace:*", "1.0.0", false, false},
	} {
		if fits, known := NodeSatisfies(c.spec, c.version); fits != c.fits || known != c.known {
			t.Errorf("%q with %q: %v, %v", c.spec, c.version, fits, known)
		}
	}
}
