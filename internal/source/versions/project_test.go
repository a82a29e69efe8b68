package versions

import (
	"io/fs"
	"testing"
)

func TestProject(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"package.json": `{"name": "a", "version": "2.1.0"}`, "sub/package.json": `{"private": true}`, "tmp/package.json": `{"version": "0.0.0-semantic"}`,
		"src/shop/__init__.py": "from x import y\n__version__ = \"3.17.1\"\n", "crate/Cargo.toml": "[package]\nname = \"a\"\nversion = \"1.4.0-rc.1\"\n",
		"py/pyproject.toml": "[project]\ndynamic = [\"version\"]\n", "py/setup.cfg": "[metadata]\nversion = 1.2\n",
	}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	for file, want := range map[string]string{
		"sub/a.js": "2.1.0", "tmp/a.js": "2.1.0", "src/shop/fields.py": "3.17.1", "crate/src/lib.rs": "1.4.0-rc.1", "py/a.py": "1.2",
	} {
		if got := Project(read, file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	delete(files, "package.json")
	if got := Project(read, "sub/a.js"); got != "" {
		t.Errorf("without a version: %q", got)
	}
}

func TestDated(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		".. versionadded:: 3.18.0": true, "@since 1.2": true, "Deprecated: since v1.4 use b": true, "added in version 2.0": true, `version_added="1.2"`: false,
		"new in 3.11.": true, "a new 1": false, "renewed 1.2": false, "since 2023": false, "added 1.5 to x": true, "plain": false,
	} {
		if got := Dated(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
