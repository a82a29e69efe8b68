package mode

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/org/qa-action/internal/output"
)

// ours are the directories beside the sessions in the output directory.
var ours = map[string]bool{"history": true, "model-replies": true}

// ignoreOutput keeps the output directory out of the user's commits by a
// .gitignore of its own. A directory that holds anything else than sessions is
// the user's: there a rule of ours would hide files of theirs.
func ignoreOutput(out *output.Dir) error {
	const name = ".gitignore"
	root, err := out.Root()
	if err != nil {
		return fmt.Errorf("open output directory: %w", err)
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return fmt.Errorf("look at the output directory: %w", err)
	}
	for _, e := range entries {
		if _, err := root.Lstat(path.Join(e.Name(), "session.json")); err != nil && !ours[e.Name()] {
			return nil
		}
	}
	if err := out.Write(name, []byte("*\n")); err != nil {
		return fmt.Errorf("keep the output directory out of git: %w", err)
	}
	return nil
}

// refused is what is in the output directory and was not read. Why there is no
// history the manifest says elsewhere.
func (r *run) refused() []string {
	var out []string
	for _, err := range r.Output.Refused() {
		if text := err.Error(); text != r.Past.Why {
			out = append(out, text)
		}
	}
	return out
}
