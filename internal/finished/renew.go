package finished

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/org/qa-action/internal/reporter"
)

// Renew replaces the files of a session that somebody else may have filled by
// renderings of its checked report: later steps of the job upload SARIF and
// pages by our outputs. What the report does not give is removed. Written is then
// what is there, say takes what could not be done.
func (s *Session) Renew(o reporter.Options, say func(format string, args ...any)) (err error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return err
	}
	s.Written = nil
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, name := range reporter.Names() {
		rep, err := reporter.For(name)
		if err != nil || rep.File == "" {
			continue
		}
		var text bytes.Buffer
		err = reporter.Render(&text, name, s.Report, o)
		if err == nil && text.Len() > 0 {
			err = put(root, rep.File, text.Bytes())
		} else if gone := root.RemoveAll(filepath.FromSlash(rep.File)); gone != nil {
			err = errors.Join(err, gone)
		}
		switch {
		case err != nil:
			say("%s: %v", rep.File, err)
		case text.Len() > 0:
			s.Written = append(s.Written, name)
		}
	}
	return nil
}

// put writes a file in place of whatever is there; a link is replaced, not
// followed.
func put(root *os.Root, name string, text []byte) error {
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
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
