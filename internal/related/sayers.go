package related

import (
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/wording"
)

// Sayers are the source files, but for one, whose text has a name; known is false where not
// all of the repository was looked through. All files are read for the first that is asked.
func Sayers(c *Code, name, but string) (files []string, known bool) {
	if !Whole(c) {
		return nil, false
	}
	return each.Where(c.said()[name], func(file string) bool { return file != but }), true
}

// sayers are the source files by the names that they say.
func sayers(c *Code) map[string][]string {
	out := map[string][]string{}
	for _, file := range c.graph().Files() {
		if src, err := c.o.Read(file); err == nil {
			for name := range each.Set(wording.Names(string(src))) {
				out[name] = append(out[name], file)
			}
		}
	}
	return out
}
