package doctor

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/org/qa-action/internal/rooted"
)

// AnotherOutput mends what is wrong with the output directory.
const AnotherOutput = "choose a writable directory with --output-dir"

// Output makes sure that the sessions' directory of that name can be written below
// the root of the repository.
func (d *Doctor) Output(top, name string) {
	const fix = AnotherOutput
	root, err := os.OpenRoot(top)
	if err != nil {
		d.Add(Problem, "output", fix, "%v", err)
		return
	}
	defer func() { _ = root.Close() }() // nothing is buffered
	// A run makes the directory, so it is the nearest one above that counts.
	for dir := name; ; dir = path.Dir(dir) {
		info, err := root.Lstat(filepath.FromSlash(dir))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			d.Add(Problem, "output", fix, "%v", err)
		case !info.IsDir():
			d.Add(Problem, "output", fix, "%s is in the way: it is not a directory", name)
		default:
			d.writable(root, path.Join(dir, ".qa-doctor-"+rand.Text()), name, fix)
		}
		return
	}
}

func (d *Doctor) writable(root *os.Root, probe, name, fix string) {
	f, err := rooted.Fresh(root, probe)
	if err == nil {
		_, err = f.WriteString("x")
		err = errors.Join(err, f.Close(), root.Remove(filepath.FromSlash(probe)))
	}
	if err != nil {
		d.Add(Problem, "output", fix, "%s cannot be written: %v", name, err)
		return
	}
	d.Fine("output", "%s can be written", name)
}
