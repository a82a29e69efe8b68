package generator

import (
	"maps"
	"path"
	"slices"
)

// maxLessons is how many lessons one request shows.
const maxLessons = 8

// learnt are the lessons for tests of a file: those of the file itself, and before
// them those of files in its folder.
func (w Writer) learnt(file string) []string {
	var near []string
	for _, other := range slices.Sorted(maps.Keys(w.Lessons)) {
		if other != file && path.Dir(other) == path.Dir(file) {
			near = append(near, w.Lessons[other]...)
		}
	}
	all := append(near, w.Lessons[file]...)
	return all[max(0, len(all)-maxLessons):]
}
