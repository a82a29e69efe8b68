package mode

import (
	"bytes"
	"fmt"
	"maps"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// patch is the kept tests as a unified diff.
func (r *run) patch() string { return r.diffOf(r.written) }

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
	r.note(r.session.WriteFile(evidencePatch, []byte(r.diffOf(files))))
}

// diffOf is a unified diff from the checkout to files.
func (r *run) diffOf(files map[string]string) string {
	var b strings.Builder
	for _, name := range sortedKeys(files) {
		old, err := r.read(name)
		from := "a/" + name
		if err != nil {
			old, from = nil, "/dev/null"
		}
		d := diff.Diff(from, old, "b/"+name, []byte(files[name]))
		if _, body, ok := bytes.Cut(d, []byte("\n")); ok { // its first line is not git's
			fmt.Fprintf(&b, "diff --git a/%s b/%s\n", name, name)
			if old == nil {
				b.WriteString("new file mode 100644\n")
			}
			b.Write(body)
		}
	}
	return b.String()
}
