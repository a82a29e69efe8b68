package coverage

import "github.com/org/qa-action/internal/qa"

// Forsaken are changed files of which the tests run nothing that the change wrote, and not
// even what base's ran of the rest, or, where there is no rest, nothing at all: what took
// their place, or keeps the tests from them, is what was tested.
func Forsaken(head, base *qa.Coverage, patch qa.PatchCoverage, files []qa.FileChange) []string {
	var out []string
	for _, f := range files {
		now, was, wrote := head.File(f.Path), base.File(f.BasePath()), patch.Files[f.Path]
		if now == nil || was == nil || wrote.Total == 0 || wrote.Covered > 0 || now.LineCount == nil || was.LineCount == nil {
			continue
		}
		if was.LineCount.Covered > 0 && now.LineCount.Covered == 0 || now.LineCount.Total-now.LineCount.Covered-wrote.Total > was.LineCount.Total-was.LineCount.Covered {
			out = append(out, f.Path)
		}
	}
	return out
}
