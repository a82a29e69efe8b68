package measured

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
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
	names  []byte // of the files of a folder, while it is listed
	ends   []int
	// near is the folder that was asked for last: files of one folder follow one another
	// in most reports.
	near   *folder
	nearAt string
}

// folder is one of the tree.
type folder struct {
	name    string
	listed  bool
	files   []string  // sorted, what is no folder
	folders []*folder // sorted by name
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
	_, ok := slices.BinarySearch(f.files, base)
	return ok
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
	names, ends := d.names[:0], d.ends[:0]
	_ = d.reader.Entries(path.Clean(dir+"."), func(name []byte, kind fs.FileMode) {
		switch {
		case !kind.IsDir():
			if !kind.IsRegular() {
				d.odd[dir+string(name)] = true
			}
			names = append(names, name...)
			ends = append(ends, len(names))
		case string(name) != ".git" && !language.IsInstalled(string(name)):
			f.folders = append(f.folders, &folder{name: string(name)})
		}
	})
	d.names, d.ends = names, ends
	// One piece of memory has all names of a folder.
	text, from := string(names), 0
	f.files = make([]string, len(ends))
	for i, end := range ends {
		f.files[i], from = text[from:end], end
	}
	slices.Sort(f.files)
	slices.SortFunc(f.folders, func(a, b *folder) int { return strings.Compare(a.name, b.name) })
	if d.files += len(f.files); d.files > maxTreeFiles {
		d.err = fmt.Errorf("more than %d files under the root, give the list of tracked files", maxTreeFiles)
	}
}

// each goes through all files of the tree, those of a folder before those of the folders
// in it, sorted.
func (d *disk) each(use func(dir, name string)) { d.below(d.top, "", use) }

func (d *disk) below(f *folder, dir string, use func(dir, name string)) {
	d.list(f, dir)
	for _, name := range f.files {
		use(dir, name)
	}
	for _, inner := range f.folders {
		d.below(inner, dir+inner.name+"/", use)
	}
}
