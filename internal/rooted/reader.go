package rooted

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Reader looks at and reads many files below a root. It walks to a folder once for all
// files of it that are asked for one after another, where the root alone would walk anew
// for each look. It is for one goroutine, and for files that nobody moves meanwhile: a
// folder that was exchanged is still read as it was.
type Reader struct {
	root *os.Root
	dir  string
	at   *os.Root // the folder, nil before the first
	page []byte   // for what lies in a folder
	lent []byte   // the text of a file
	// The root and a folder, where the system reads by them.
	top, open *os.File
	openDir   string
}

// NewReader reads below a root, which stays the caller's to close.
func NewReader(root *os.Root) *Reader { return &Reader{root: root} }

// Close lets go of the folders.
func (r *Reader) Close() {
	r.leave()
	for _, f := range []*os.File{r.top, r.open} {
		_ = f.Close() // only read; none is no harm
	}
	r.top, r.open = nil, nil
}

func (r *Reader) leave() {
	if r.at != nil {
		_ = r.at.Close() // only read
	}
	r.at = nil
}

// in gives the folder of a file, and the file's name there.
func (r *Reader) in(name string) (*os.Root, string, error) {
	dir, base := path.Split(name)
	if dir == "" {
		return r.root, base, nil
	}
	if !fs.ValidPath(name) { // what is wrong with it is for the root to say
		return r.root, filepath.FromSlash(name), nil
	}
	if r.at == nil || r.dir != dir {
		r.leave()
		at, err := r.root.OpenRoot(filepath.FromSlash(path.Clean(dir)))
		if err != nil {
			return nil, "", err
		}
		r.dir, r.at = dir, at
	}
	return r.at, base, nil
}

// Lstat describes a file, and a link as one.
func (r *Reader) Lstat(name string) (fs.FileInfo, error) {
	at, base, err := r.in(name)
	if err != nil {
		return nil, err
	}
	return at.Lstat(base)
}

// Open opens a regular file as [Open] does. A link may lead out of its folder, so that is
// followed from the root.
func (r *Reader) Open(name string) (*os.File, fs.FileInfo, error) {
	at, base, err := r.in(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := at.Lstat(base)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return Open(r.root, name)
	}
	return open(at, base, name, info, err)
}

// Read reads a regular file of at most limit bytes.
func (r *Reader) Read(name string, limit int64) ([]byte, error) {
	if data, ok := r.whole(name, false, limit, nil); ok {
		return data, nil
	}
	f, info, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return All(f, info, name, limit)
}

// Lend reads as Read does what [Reader.Entries] said to be a regular file, without another
// look before. The text is there until the next is asked for.
func (r *Reader) Lend(name string, limit int64) ([]byte, error) {
	if data, ok := r.whole(name, true, limit, r.lent); ok {
		r.lent = data
		return data, nil
	}
	return r.Read(name, limit)
}

// Holds reports whether a regular file, or a link to one, has the name.
func (r *Reader) Holds(name string) bool {
	info, err := r.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		info, err = r.root.Stat(filepath.FromSlash(name))
	}
	return err == nil && info.Mode().IsRegular()
}

// Entries lists a folder, "." the root, in the order of the disk: names and what they are,
// a link as one. A name is only lent. An error may come after some of them.
func (r *Reader) Entries(name string, use func(name []byte, kind fs.FileMode)) error {
	at, base, err := r.in(name)
	if err != nil {
		return err
	}
	folder, err := at.OpenFile(base, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }() // only read
	return r.entries(folder, func(entry []byte, kind fs.FileMode, known bool) {
		if !known {
			info, err := r.root.Lstat(filepath.FromSlash(path.Join(name, string(entry))))
			if err != nil {
				return
			}
			kind = info.Mode().Type()
		}
		use(entry, kind)
	})
}
