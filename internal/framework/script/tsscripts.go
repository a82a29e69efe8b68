package script

import (
	"encoding/json"
	"path"

	"github.com/org/qa-action/internal/shell"
)

// followTSScripts looks through ts-scripts, which builds, checks and runs vitest. Where
// the manifest names suites of its own to it, it alone knows what it runs.
func followTSScripts(k *commandReader, words []shell.Word) (next []shell.Word, done bool) {
	if len(words) < 2 || k.r.suitesOfTSScripts(k.pl.Dir) {
		return words, false
	}
	rest := words[2:]
	switch words[1].Text {
	case "test":
		for _, step := range []string{"build --no-clean", "check"} {
			k.r.Text(words[0].Text+" "+step, k.pl, nil)
		}
	case "specs":
		if len(rest) > 0 && rest[0].Text == "--coverage" {
			rest = rest[1:]
		}
		if len(rest) > 0 {
			return words, false
		}
	default:
		return words, false
	}
	k.r.Text("vitest run", k.pl, nil)
	return nil, true
}

// suitesOfTSScripts reports whether a manifest names suites to ts-scripts, or cannot
// be read.
func (f files) suitesOfTSScripts(dir string) bool {
	data, ok := f.file(path.Join(dir, "package.json"))
	var p struct {
		Section struct {
			Test json.RawMessage `json:"test"`
		} `json:"ts-scripts"`
	}
	return !ok || json.Unmarshal(data, &p) != nil || len(p.Section.Test) > 0
}
