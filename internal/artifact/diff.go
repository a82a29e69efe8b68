package artifact

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff is a unified diff from a checkout, of which read gives files, to files of
// other texts.
func Diff(read func(path string) ([]byte, error), files map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := read(name)
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
