package packages

import (
	"bytes"
	"io"
	"io/fs"
	"iter"
	"path"
	"regexp"
	"slices"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
)

// Bounds of what is read to see which packages code imports; beyond them a package
// counts as imported.
const (
	maxCode      = 1 << 20 // bytes of one file
	maxCodeFiles = 20_000
)

// markImported marks the packages that code among the files of a repository names where
// things are imported. What it cannot tell counts as imported.
func markImported(fsys fs.FS, tracked iter.Seq[string], found []Elsewhere) {
	asks := make([]*regexp.Regexp, len(found))
	for i, e := range found {
		quoted := "['\"`]" + regexp.QuoteMeta(e.Name) + "['\"`/]"
		asks[i] = regexp.MustCompile(`(?:\b(?:from|import)|(?i:require|import|resolve|mock|load|proxyquire|rewire)[\w.]*\s*\()\s*` + quoted)
	}
	files := 0
	for name := range tracked {
		if !namesModules(name) {
			continue
		}
		if files++; files > maxCodeFiles {
			markAll(found)
			return
		}
		data, ok := readCode(fsys, name)
		data = withoutComments(data)
		for i := range found {
			found[i].Imported = found[i].Imported || !ok || asks[i].Match(data)
		}
	}
}

// text matches comments, strings and templates of JavaScript.
var text = pattern.New("//[^\n]*|(?s:/\\*.*?\\*/)|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'|(?s:`(?:\\\\.|[^`\\\\])*`)")

// withoutComments takes the comments out of code, in which documentation shows how a
// package is imported. Strings are stepped over, as they may look like comments.
func withoutComments(data []byte) []byte {
	return text.ReplaceAllFunc(data, func(m []byte) []byte {
		if bytes.HasPrefix(m, []byte("//")) || bytes.HasPrefix(m, []byte("/*")) {
			return []byte(" ")
		}
		return m
	})
}

// namesModules reports whether a file is one in which Node.js finds names of modules.
func namesModules(name string) bool {
	return slices.Contains([]string{"javascript", "typescript", "vue", "svelte", "astro"}, language.Of(name).Name) || path.Ext(name) == ".coffee"
}

func markAll(found []Elsewhere) {
	for i := range found {
		found[i].Imported = true
	}
}

// readCode is the content of a file; ok is false when it is there and cannot be read whole.
func readCode(fsys fs.FS, name string) (data []byte, ok bool) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, true // deleted in the tree, or no file: nothing imports anything there
	}
	defer func() { _ = f.Close() }()
	data, err = io.ReadAll(io.LimitReader(f, maxCode+1))
	return data, err == nil && len(data) <= maxCode
}
