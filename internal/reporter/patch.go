package reporter

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
)

// renderPatch writes the unified diff of the kept generated tests, ready for
// git apply: what was understood, not what was given.
func renderPatch(w io.Writer, r *qa.Report, _ Options) error {
	files, err := keptPatch(r)
	if err != nil {
		return err
	}
	for _, f := range files {
		if _, err := io.WriteString(w, f.String()); err != nil {
			return err
		}
	}
	return nil
}

// keptPatch reads the patch of the kept tests. It is the last guard of the promise
// never to touch product source: a diff that names any file but those of kept tests,
// deletes or renames one, is an error.
func keptPatch(r *qa.Report) ([]*gitdiff.File, error) {
	files, _, err := gitdiff.Parse(strings.NewReader(r.Patch))
	if err != nil {
		return nil, fmt.Errorf("patch of generated tests is not a unified diff: %w", err)
	}
	kept := map[string]bool{}
	for _, t := range r.Generated {
		if t.Kept {
			kept[t.Path] = true
		}
	}
	for _, f := range files {
		if f.IsDelete || f.IsRename || f.IsCopy || f.IsBinary {
			return nil, fmt.Errorf("patch of generated tests deletes, renames or copies %q, or is binary; only text may be added", f.OldName+f.NewName)
		}
		if !escape.SafePath(f.NewName) || !kept[f.NewName] {
			return nil, fmt.Errorf("patch of generated tests touches %q, which is no file of a kept test", f.NewName)
		}
		if f.OldName == "/dev/null" { // written without its "new file mode" line
			f.OldName, f.IsNew = "", true
		}
		if len(f.TextFragments) == 0 {
			return nil, fmt.Errorf("patch of generated tests is not a unified diff: %q has no readable hunk", f.NewName)
		}
	}
	if len(files) == 0 && strings.TrimSpace(r.Patch) != "" {
		return nil, errors.New("patch of generated tests is not a unified diff: it names no file")
	}
	return files, nil
}
