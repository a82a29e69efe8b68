package mode

import (
	"maps"

	"github.com/org/qa-action/internal/artifact"
)

// patch is the kept tests as a unified diff.
func (r *run) patch() string { return artifact.Diff(r.read, r.written) }

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
	for _, name := range sortedKeys(files) {
		r.note(r.session.WriteFile("tests/evidence/"+safeName(name), []byte(files[name])))
	}
	r.note(r.session.WriteFile(evidencePatch, []byte(artifact.Diff(r.read, files))))
}
