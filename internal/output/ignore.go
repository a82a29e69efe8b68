package output

import (
	"fmt"
	"io/fs"
	"path"
)

// beside are the directories beside the sessions in the output directory.
var beside = map[string]bool{"history": true, "model-replies": true}

// guards keep others out of the output directory: sessions hold copies of tests, which
// "go test ./..." and pytest would run from there as if they were the project's. The
// last one says that all are there.
var guards = []struct{ name, text string }{
	{"go.mod", "// What lies here is no part of the module around it.\nmodule qa.invalid/report\n"},
	{"conftest.py", "# What lies here are no tests of the project around it.\ncollect_ignore_glob = [\"*\"]\n"},
	{".gitignore", "*\n"},
}

// Ignore keeps the output directory out of the user's commits and test runs by files
// of its own. A directory that holds anything else than sessions is the user's: there
// a rule of ours would hide files of theirs.
func (d *Dir) Ignore() error {
	root, err := d.Root()
	if err != nil {
		return fmt.Errorf("open output directory: %w", err)
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return fmt.Errorf("look at the output directory: %w", err)
	}
	for _, e := range entries {
		if _, err := root.Lstat(path.Join(e.Name(), "session.json")); err != nil && !beside[e.Name()] {
			return nil
		}
	}
	for _, g := range guards {
		if err := d.Write(g.name, []byte(g.text)); err != nil {
			return fmt.Errorf("keep the output directory out of git and test runs: %w", err)
		}
	}
	return nil
}
