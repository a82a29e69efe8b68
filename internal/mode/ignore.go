package mode

import (
	"fmt"
	"io/fs"
	"os"
	"path"
)

// ours are the directories beside the sessions in the output directory.
var ours = map[string]bool{"history": true, "model-replies": true}

// ignoreOutput keeps the output directory out of the user's commits by a
// .gitignore of its own. A directory that holds anything else than sessions is
// the user's: there a rule of ours would hide files of theirs.
func ignoreOutput(dir string) error {
	const name = ".gitignore"
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open output directory: %w", err)
	}
	defer func() { _ = root.Close() }() // nothing is buffered
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return fmt.Errorf("look at the output directory: %w", err)
	}
	for _, e := range entries {
		if _, err := root.Lstat(path.Join(e.Name(), "session.json")); err != nil && !ours[e.Name()] {
			return nil
		}
	}
	if err := root.WriteFile(name, []byte("*\n"), 0o644); err != nil {
		return fmt.Errorf("keep the output directory out of git: %w", err)
	}
	return nil
}
