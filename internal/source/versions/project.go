package versions

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

var (
	dated = pattern.New(`(?i)\b(?:version-?(?:added|changed)|deprecated|removed|added|new|changed|available|since|introduced)\b(?:\s+(?:in|since|from))?(?:\s+version)?[\s:=("'` + "`" + `]{1,6}v?\d+\.\d+`)
	// The version as a manifest in TOML or a setup.cfg has it, and as Python sources do.
	manifestVersion = pattern.New(`(?m)^\s*version\s*=\s*["']?(\d[\w.+-]{0,30})`)
	sourceVersion   = pattern.New(`(?m)^__version__(?:\s*:\s*\w+)?\s*=\s*["'](\d[\w.+-]{0,30})["']`)
)

// Dated reports that a text says since which version something is there: whether users have
// it already depends on the version that the project has, see [Project].
func Dated(text string) bool { return dated.MatchString(text) }

// Project is the version of the project that a file belongs to, by the nearest manifest that
// names one, or the package of Python that it lies in; empty where none does.
func Project(read func(string) ([]byte, error), file string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, from := range []struct {
			name string
			of   func([]byte) string
		}{
			{"package.json", packageVersion}, {"pyproject.toml", versionBy(manifestVersion)}, {"setup.cfg", versionBy(manifestVersion)},
			{"Cargo.toml", versionBy(manifestVersion)}, {"__init__.py", versionBy(sourceVersion)}, {"_version.py", versionBy(sourceVersion)}, {"__about__.py", versionBy(sourceVersion)},
		} {
			if raw, err := read(path.Join(dir, from.name)); err == nil {
				if v := from.of(raw); v != "" {
					return v
				}
			}
		}
		if dir == "." {
			return ""
		}
	}
}

func packageVersion(raw []byte) string {
	var manifest struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(raw, &manifest) != nil || strings.HasPrefix(manifest.Version, "0.0.0") {
		return "" // what a release fills in
	}
	return manifest.Version
}

func versionBy(p *pattern.Pattern) func([]byte) string {
	return func(raw []byte) string {
		if m := p.FindStringSubmatch(string(raw)); m != nil {
			return m[1]
		}
		return ""
	}
}
