package output

import (
	"fmt"
	"io/fs"
	"path"
)

// beside are the directories beside the sessions in the output directory.
var beside = map[string]bool{"history": true, "model-replies": true}

// Ignore keeps the output directory out of the user's commits by a
// .gitignore of its own. A directory that holds anything else than sessions is
// the user's: there a rule of ours would hide files of theirs.
func (d *Dir) Ignore() error {
	const name = ".gitignore"
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
	if err := d.Write(name, []byte("*\n")); err != nil {
		return fmt.Errorf("keep the output directory out of git: %w", err)
	}
	return nil
}
