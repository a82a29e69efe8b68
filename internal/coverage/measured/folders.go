package measured

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
)

// disk is a tree as it lies there, without what package managers put in it. A folder is
// listed when something of it is asked for: most reports name their files as they are,
// and no other folder has to be looked at.
type disk struct {
	reader *rooted.Reader
	top    *folder
	odd    map[string]bool // paths that are listed, and neither folder nor regular file
	files  int
	err    error
	text   []byte // the names of the files of a folder, while it is listed
	ends   []int
	names  []string
	// near is the folder that was asked for last: files of one folder follow one another
	// in most reports.
	near   *folder
	nearAt string
}

// folder is one of the tree.
type folder struct {
	name    string
	listed  bool
	files   string    // the names of what is no folder, sorted, in one piece
	ends    []uint32  // of each name in files
	folders []*folder // sorted by name
}

// file is one of the names.
func (f *folder) file(i int) string {
	from := uint32(0)
	if i > 0 {
		from = f.ends[i-1]
	}
	return f.files[from:f.ends[i]]
}

func (f *folder) has(name string) bool {
	_, ok := sort.Find(len(f.ends), func(i int) int { return strings.Compare(name, f.file(i)) })
	return ok
}

func newDisk(root *os.Root) *disk {
	return &disk{reader: rooted.NewReader(root), top: &folder{name: "."}, odd: map[string]bool{}}
}

// has reports whether a path is one of a file of the tree. No part of the name is opened
// that was not listed before.
func (d *disk) has(name string) bool {
	dir, base := path.Split(name)
	f := d.near
	if f == nil || dir != d.nearAt {
		if f = d.find(dir); f == nil {
			return false
		}
		d.near, d.nearAt = f, dir
	}
	return f.has(base)
}

// find gives a folder, named with a slash at its end, nil where there is none.
func (d *disk) find(dir string) *folder {
	f := d.top
	d.list(f, "")
	for at := 0; at < len(dir); {
		end := at + strings.IndexByte(dir[at:], '/')
		i, ok := slices.BinarySearchFunc(f.folders, dir[at:end], byName)
		if !ok {
			return nil
		}
		f, at = f.folders[i], end+1
		d.list(f, dir[:at])
	}
	return f
}

func byName(f *folder, name string) int { return strings.Compare(f.name, name) }

// list lists a folder once; dir is its path with a slash at the end. An unreadable one
// holds nothing that can be mapped to.
func (d *disk) list(f *folder, dir string) {
	if f.listed || d.err != nil {
		return
	}
	f.listed = true
	text, ends := d.text[:0], d.ends[:0]
	_ = d.reader.Entries(path.Clean(dir+"."), func(name []byte, kind fs.FileMode) {
		switch {
		case !kind.IsDir():
			if !kind.IsRegular() {
				d.odd[dir+string(name)] = true
			}
			text = append(text, name...)
			ends = append(ends, len(text))
		case string(name) != ".git" && !language.IsInstalled(string(name)):
			f.folders = append(f.folders, &folder{name: string(name)})
		}
	})
	d.text, d.ends = text, ends
	f.keep(d.sorted())
	slices.SortFunc(f.folders, func(a, b *folder) int { return strings.Compare(a.name, b.name) })
	if d.files += len(f.ends); d.files > maxTreeFiles {
		d.err = fmt.Errorf("more than %d files under the root, give the list of tracked files", maxTreeFiles)
	}
}

// sorted gives the names that were read last, which are only lent.
func (d *disk) sorted() []string {
	all, from := string(d.text), 0
	d.names = d.names[:0]
	for _, end := range d.ends {
		d.names = append(d.names, all[from:end])
		from = end
	}
	slices.Sort(d.names)
	return d.names
}

// keep takes the names of the folder's files.
func (f *folder) keep(names []string) {
	f.files = strings.Join(names, "")
	f.ends = make([]uint32, len(names))
	end := uint32(0)
	for i, name := range names {
		end += uint32(len(name)) //nolint:gosec // four gigabytes of names fit
		f.ends[i] = end
	}
}

// each goes through all files of the tree, those of a folder before those of the folders
// in it, sorted.
func (d *disk) each(use func(dir, name string)) { d.below(d.top, "", use) }

func (d *disk) below(f *folder, dir string, use func(dir, name string)) {
	d.list(f, dir)
	for i := range f.ends {
		use(dir, f.file(i))
	}
	for _, inner := range f.folders {
		d.below(inner, dir+inner.name+"/", use)
	}
}
