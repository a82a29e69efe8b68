package folder

import (
	"path"
	"strings"
)

// Below makes a repository path relative to dir.
func Below(file, dir string) (rel string, ok bool) {
	file = path.Clean(file)
	if dir == "" {
		return file, true
	}
	return strings.CutPrefix(file, dir+"/")
}

// Beneath is dir relative to up.
func Beneath(dir, up string) string { return strings.TrimPrefix(strings.TrimPrefix(dir, up), "/") }

// Within reports whether dir is up or lies below it.
func Within(dir, up string) bool {
	return up == "" || dir == up || strings.HasPrefix(dir, up+"/")
}

func FromDot(dir string) string {
	if dir == "." {
		return ""
	}
	return dir
}

// Climb is the way from one folder of the repository to another.
func Climb(from, to string) string {
	if from == "." {
		return to
	}
	up := strings.Repeat("../", strings.Count(from, "/")+1)
	if to == "." {
		return strings.TrimSuffix(up, "/")
	}
	return up + to
}

// Named reports whether one of the texts of folders names a file, as names says for
// its path from there.
func Named(texts map[string][]byte, file string, names func(text []byte, rel string) bool) bool {
	for dir, text := range texts {
		if rel, ok := strings.CutPrefix(file, strings.TrimPrefix(dir+"/", "./")); ok && names(text, rel) {
			return true
		}
	}
	return false
}
