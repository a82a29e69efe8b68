package mode

import (
	"maps"
	"slices"

	"github.com/org/qa-action/internal/artifact"
	"github.com/org/qa-action/internal/session"
)

// patch is the kept tests as a unified diff.
func (r *run) patch() string { return artifact.Diff(r.Read, r.written) }

// evidence.patch is the failing tests as a unified diff, apart from the kept
// ones: whoever applies it sees them fail.
const evidencePatch = "evidence.patch"

func (r *run) keepEvidence() {
	files := map[string]string{}
	for _, t := range r.earlier() {
		maps.Copy(files, t.Evidence)
	}
	if len(files) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		r.notes.Note(r.session.WriteFile("tests/evidence/"+session.Segment(name), []byte(files[name])))
	}
	r.notes.Note(r.session.WriteFile(evidencePatch, []byte(artifact.Diff(r.Read, files))))
}
