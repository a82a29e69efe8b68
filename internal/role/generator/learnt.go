package generator

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/llm"
)

// learnt is what stands beside the question: what earlier runs learnt says how a test is
// written best, not which. A push that changes nothing asks nothing, although the one
// before it learnt something.
func (s Subject) learnt() string {
	if len(s.Learnt) == 0 {
		return ""
	}
	return "\nWhat earlier runs learnt about tests here:\n" + llm.Data(strings.Join(s.Learnt, "\n")) + "\n"
}

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
