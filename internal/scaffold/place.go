package scaffold

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/org/qa-action/internal/rooted"
)

// mostRead bounds a file that stands where one is to be written.
const mostRead = 1 << 20

// OtherError says that files stand there which say something else.
type OtherError struct{ Names []string }

func (e OtherError) Error() string {
	return "there is something else in " + strings.Join(e.Names, " and ") + " already; nothing was written"
}

// NextStep tells what to do about it.
func (e OtherError) NextStep() string {
	return "take from the lines above what you want, or move " + strings.Join(e.Names, " and ") + " away and run qa init again"
}

// Place shows what is new to the files below root and writes it, unless dry. A file
// that says something else is never touched, and then none is written.
func Place(w io.Writer, root *os.Root, files []File, dry bool) error {
	var other OtherError
	var missing []File
	for _, f := range files {
		old, err := rooted.Read(root, f.Name, mostRead)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, f)
			fmt.Fprint(w, difference(f.Name, "", f.Text))
		case err != nil:
			return fmt.Errorf("read %s: %w", f.Name, err)
		case string(old) == f.Text:
			fmt.Fprintf(w, "%s says this already\n", f.Name)
		default:
			other.Names = append(other.Names, f.Name)
			fmt.Fprint(w, difference(f.Name, string(old), f.Text))
		}
	}
	if len(other.Names) > 0 {
		return other
	}
	for _, f := range missing {
		if dry {
			continue
		}
		if err := fresh(root, f); err != nil {
			return fmt.Errorf("write %s: %w", f.Name, err)
		}
		fmt.Fprintf(w, "wrote %s\n", f.Name)
	}
	return nil
}

// fresh makes a file that is not there.
func fresh(root *os.Root, f File) error {
	if err := root.MkdirAll(path.Dir(f.Name), 0o755); err != nil {
		return err
	}
	to, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(to, f.Text)
	return errors.Join(err, to.Close())
}
