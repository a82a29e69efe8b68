package assurance

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// Matches compares a test's name in the source, or any of its [Names], with a case of a
// report: sub-tests, parameters and titles that are filled in ("TestX/a", "test_x[1]",
// "writes %i cents") belong to their test.
func Matches(k qa.Case, file string, names ...string) bool {
	return (k.File == "" || k.File == file) && slices.ContainsFunc(names, func(name string) bool { return matches(k, file, name) })
}

func matches(k qa.Case, file, name string) bool {
	switch path.Ext(file) {
	case ".go":
		have, _, _ := strings.Cut(k.Name, "/")
		return have == name
	case ".py":
		return matchesPython(k, name)
	case ".rs":
		return matchesRust(k, file, name)
	case ".java":
		return matchesJava(k, name)
	}
	return matchesScript(k, name)
}

// Names are those by which reports may know a test of a file: its own and, where it stands
// in a class of Python that others of the file are derived from, as in a mixin that
// nothing collects by itself, its name in each of these.
func Names(file string, src []byte, name string) []string {
	out := []string{name}
	class, method, ok := strings.Cut(name, ".")
	if path.Ext(file) != ".py" || !ok || strings.Contains(method, ".") {
		return out
	}
	parsed, err := outline.Parse(file, src)
	if err != nil {
		return out
	}
	classes := []string{class}
	for i := 0; i < len(classes); i++ {
		for _, derived := range slices.Sorted(maps.Keys(parsed.Bases)) {
			if slices.Contains(parsed.Bases[derived], classes[i]) && !slices.Contains(classes, derived) {
				classes, out = append(classes, derived), append(out, derived+"."+method)
			}
		}
	}
	return out
}

func matchesPython(k qa.Case, name string) bool {
	have, _, _ := strings.Cut(k.Name, "[")
	have = have[strings.LastIndexByte(have, '.')+1:]
	class := ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		class, name = name[:i], name[i+1:]
	}
	if have != name {
		return false
	}
	// A suite is the dotted classes; without a file, the module stands before them.
	return class == "" || k.Suite == "" && k.File == "" || k.Suite == class || strings.HasSuffix(k.Suite, "."+class)
}

// matchesRust: before the modules that stand in the file come those that the file is.
func matchesRust(k qa.Case, file, name string) bool {
	before, ok := strings.CutSuffix(k.Name, name)
	if !ok || before == "" {
		return ok
	}
	stem := strings.TrimSuffix(path.Base(file), ".rs")
	if stem == "mod" {
		stem = path.Base(path.Dir(file))
	}
	return before == stem+"::" || strings.HasSuffix(before, "::"+stem+"::")
}

// matchesJava: a suite is a class with its package, a class in it comes behind a $, and
// behind the name of a method may stand what it was given.
func matchesJava(k qa.Case, name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || javaMethod.FindString(k.Name) != name[i+1:] {
		return false
	}
	class := k.Suite[strings.LastIndexByte(k.Suite, '.')+1:]
	return class == strings.ReplaceAll(name[:i], ".", "$")
}

var javaMethod = pattern.New(`^[\w$]+`)

// matchesScript: the blocks around a test are in the suite, joined by " > " or,
// in reports of mocha, by a space.
func matchesScript(k qa.Case, name string) bool {
	want, err := regexp.Compile(`^` + titles(name))
	return err == nil && want.MatchString(whole(k))
}

func whole(k qa.Case) string {
	if k.Suite == "" {
		return k.Name
	}
	return k.Suite + " > " + k.Name
}

func titles(name string) string {
	parts := strings.Split(name, " > ")
	for i, p := range parts {
		parts[i] = title(p)
	}
	return strings.Join(parts, `(?: > | )`) + `(?: \[\d+\]| \(\d+\)| #\d+)?$`
}

// Within finds the cases of a test that another file may have loaded into a block of
// its own. Not exact says that a part of its title is filled in when it runs, so that
// a case may be another test's.
func Within(name string) (matches func(qa.Case) bool, exact bool) {
	want, err := regexp.Compile(`(?:^| )` + titles(name))
	if err != nil {
		return func(qa.Case) bool { return false }, false
	}
	return func(k qa.Case) bool { return want.MatchString(whole(k)) }, !filled.MatchString(name)
}

// filled are the places of a title that a runner fills in: printf verbs of
// it.each, $name and $a.b of its tagged templates, ${…} of template strings.
var filled = pattern.New(`%[sdifjoOpc#$%]|\$\{[^}]*\}|\$[A-Za-z_#][\w.]*`)

func title(text string) string {
	var b strings.Builder
	at := 0
	for _, m := range filled.FindAllStringIndex(text, -1) {
		b.WriteString(regexp.QuoteMeta(text[at:m[0]]))
		b.WriteString(`.*`)
		at = m[1]
	}
	b.WriteString(regexp.QuoteMeta(text[at:]))
	return b.String()
}
