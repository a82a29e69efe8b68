package junit

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// Python gives a test of Python the one name that its file and its classes make.
// Writers put the module before the classes, which says the file once more. An
// inherited test stands in another file than the module that runs it: it belongs
// to that module.
func Python(p *collect.Places, t *qa.Case) {
	if !strings.HasSuffix(t.File, ".py") {
		return
	}
	if classes, ok := beyondModule(t.Suite, t.File); ok {
		t.Suite = classes
		return
	}
	if at := PythonModule(p, t.Suite); at != "" {
		classes, _ := beyondModule(t.Suite, at)
		t.File, t.Line, t.Suite = at, 0, classes
	}
}

// beyondModule is what follows the module of a file in a dotted name; false when
// the name does not begin with it. The name may begin at any folder of the path.
func beyondModule(name, file string) (string, bool) {
	folders := strings.Split(strings.TrimSuffix(file, ".py"), "/")
	parts := strings.Split(name, ".")
	for n := min(len(parts), len(folders)); n > 0; n-- {
		if slices.Equal(parts[:n], folders[len(folders)-n:]) {
			return strings.Join(parts[n:], "."), true
		}
	}
	return "", false
}
