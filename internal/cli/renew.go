package cli

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
)

// renew replaces the files of a session that somebody else may have filled by
// renderings of its checked report: later steps of the job upload SARIF and
// pages by our outputs. What the report does not give is removed. written are
// the reporters whose files are there then, say takes what could not be done.
func renew(dir string, r *qa.Report, o reporter.Options, say func(format string, args ...any)) (written []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, name := range reporter.Names() {
		rep, err := reporter.For(name)
		if err != nil || rep.File == "" {
			continue
		}
		text, err := rendered(name, r, o)
		if err == nil && text != "" {
			err = put(root, rep.File, text)
		} else if gone := root.RemoveAll(filepath.FromSlash(rep.File)); gone != nil {
			err = errors.Join(err, gone)
		}
		switch {
		case err != nil:
			say("%s: %v", rep.File, err)
		case text != "":
			written = append(written, name)
		}
	}
	return written, nil
}

// put writes a file in place of whatever is there; a link is replaced, not
// followed.
func put(root *os.Root, name, text string) error {
	if dir := path.Dir(name); dir != "." {
		if info, err := root.Lstat(filepath.FromSlash(dir)); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
			if err := errors.Join(root.RemoveAll(filepath.FromSlash(dir)), root.Mkdir(filepath.FromSlash(dir), 0o755)); err != nil {
				return err
			}
		}
	}
	if err := root.RemoveAll(filepath.FromSlash(name)); err != nil {
		return err
	}
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
