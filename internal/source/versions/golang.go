// Package versions says for which version of its language a file is written, and of which
// version the project is that it belongs to.
package versions

import (
	"go/build/constraint"
	"go/version"
	"path"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/org/qa-action/internal/language"
)

// Go is that of Go by the module of a file, or a later one that the file itself asks
// for (//go:build go1.22): with it variables of a loop and names that are built in mean
// something else. Of other languages it is empty.
func Go(read func(string) ([]byte, error), file string) string {
	if language.Of(file).Name != "go" {
		return ""
	}
	of := moduleVersion(read, file)
	if own := askedVersion(read, file); of != "" && version.Compare("go"+of, own) < 0 {
		return strings.TrimPrefix(own, "go")
	}
	return of
}

func moduleVersion(read func(string) ([]byte, error), file string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if raw, err := read(path.Join(dir, "go.mod")); err == nil {
			if mod, err := modfile.ParseLax("go.mod", raw, nil); err == nil && mod.Go != nil {
				return mod.Go.Version
			}
			return ""
		}
		if dir == "." {
			return ""
		}
	}
}

// askedVersion is the least version with which a file is built, as "go1.22"; empty where it
// does not say.
func askedVersion(read func(string) ([]byte, error), file string) string {
	src, _ := read(file) // a new file asks for nothing
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "package ") {
			break
		}
		if !constraint.IsGoBuild(line) {
			continue
		}
		if asked, err := constraint.Parse(line); err == nil {
			return constraint.GoVersion(asked)
		}
	}
	return ""
}
