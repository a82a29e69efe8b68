package scout

import (
	"context"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// fewestTwins is in how many files an edit stands that is asked about once, and shownTwins
// how many of them are named.
const (
	fewestTwins = 3
	shownTwins  = 12
)

// once takes files out of a scan whose whole edit is that of another one, as of a name that
// became another everywhere: one question shows it, in the file with most of it, and names
// the others. What a file lost is shown with it, and so is what has instructions of its own.
func (s Scout) once(ctx context.Context, files []shownFile) (shown []shownFile, twins map[string]string) {
	twins = map[string]string{}
	same := map[[2]string][]int{}
	for i, f := range files {
		whole := f.Only == (qa.Range{}) && !f.Deleted && f.Before != "" && f.Lost == ""
		if !whole {
			continue
		}
		if form := related.Forms(ctx, s.Code, f.Path)(qa.Range{Start: 1, End: 1 << 30}); form != "" {
			key := [2]string{form, f.Instructions}
			same[key] = append(same[key], i)
		}
	}
	for _, at := range same {
		if len(at) < fewestTwins {
			continue
		}
		first := slices.MaxFunc(at, func(a, b int) int {
			if n := lines(files[a]) - lines(files[b]); n != 0 {
				return n
			}
			return b - a // the earlier one
		})
		for _, i := range at {
			if i != first {
				twins[files[i].Path] = files[first].Path
				files[first].Twins = append(files[first].Twins, files[i].Path)
			}
		}
	}
	return each.Where(files, func(f shownFile) bool { return twins[f.Path] == "" }), twins
}

// alike are the files that nobody looked at by themselves, with the one that was looked at
// for each; of one that was not shown whole they were not either.
func (u unseen) alike(twins map[string]string) map[string]string {
	var out map[string]string
	for path, first := range twins {
		if why := u[first]; why != "" {
			u[path] = why
		} else {
			if out == nil {
				out = map[string]string{}
			}
			out[path] = first
		}
	}
	return out
}
