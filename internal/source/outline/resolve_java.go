package outline

import (
	"path"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
)

// javaClass lists the files of a class, or of the classes of a package.
func (r *resolver) javaClass(im qa.Import) []string {
	if len(im.Names) == 1 && im.Names[0] == "*" && len(r.java[im.Path]) > 0 {
		return r.java[im.Path]
	}
	// A class in a class, a method or a constant: the file is called as one of the names.
	for name := im.Path; strings.Contains(name, "."); {
		at := strings.LastIndexByte(name, '.')
		for _, file := range r.java[name[:at]] {
			if strings.TrimSuffix(path.Base(file), ".java") == name[at+1:] {
				return []string{file}
			}
		}
		name = name[:at]
	}
	return nil
}

// javaPackage lists the files that a test of Java shares its package with.
func (r *resolver) javaPackage(o qa.Outline) []string {
	if !javaTestFile(o.Path) {
		return nil
	}
	var out []string
	for _, file := range r.java[o.Package] {
		if !javaTestFile(file) {
			out = append(out, file)
		}
	}
	return out
}

func javaTestFile(file string) bool {
	return strings.Contains("/"+file, "/src/test/") || language.Named("java").Tests.Names.MatchString(path.Base(file))
}
