package cache

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/rooted"
)

// Forget removes the entries of a directory that were changed longest ago, until there are
// as many as most, but never the one of that name. Hidden ones stay.
func Forget(top, but string, most int) error {
	entries, err := os.ReadDir(top)
	if err != nil {
		return err
	}
	var kept []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != but && !strings.HasPrefix(e.Name(), ".") {
			kept = append(kept, info)
		}
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, info := range kept[min(len(kept), most-1):] {
		err = errors.Join(err, rooted.RemoveAll(filepath.Join(top, info.Name())))
	}
	return err
}
