package golang

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// TraceGo asks go list what the test binaries are built of: sources, embedded
// files, vendored packages.
var TraceGo = &adapter.Trace{
	Argv: func(_ string, d adapter.Detection) []string {
		fields := "-json=Dir,Module,GoFiles,CgoFiles,CFiles,CXXFiles,HFiles,SFiles,EmbedFiles,TestGoFiles,XTestGoFiles,TestEmbedFiles,XTestEmbedFiles"
		return slices.Concat([]string{"go", "list", "-e", "-deps", "-test", fields}, goBuild(d.Args), d.Packages)
	},
	Read: readGoList,
}

// listed is one package as go list prints it.
type listed struct {
	Dir    string
	Module *struct {
		Path, Dir, Version string
	}
	GoFiles, CgoFiles, CFiles, CXXFiles, HFiles, SFiles, EmbedFiles, TestGoFiles, XTestGoFiles, TestEmbedFiles, XTestEmbedFiles []string
}

func (p listed) files() []string {
	return slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.HFiles, p.SFiles, p.EmbedFiles, p.TestGoFiles, p.XTestGoFiles, p.TestEmbedFiles, p.XTestEmbedFiles)
}

func readGoList(root string, d adapter.Detection, answers [][]byte) adapter.Loads {
	var out adapter.Loads
	own := ownModules(root)
	seen := map[string]bool{}
	for _, data := range answers {
		dec := json.NewDecoder(bytes.NewReader(data))
		for dec.More() {
			var p listed
			if dec.Decode(&p) != nil {
				break
			}
			rel, ok := adapter.BelowRoot(root, p.Dir)
			if !ok {
				if m := p.Module; m != nil && own[m.Path] != "" && !seen[m.Path] {
					seen[m.Path] = true
					at := m.Path + "@" + m.Version
					out.Elsewhere = append(out.Elsewhere, adapter.Elsewhere{Name: m.Path, At: at, Dir: own[m.Path],
						Mend: shell.InDir(d.Dir, "go mod edit -replace "+wording.Quote(m.Path+"="+wayTo(d.Dir, own[m.Path])))})
				}
				continue
			}
			for _, f := range p.files() {
				if name := path.Join(rel, filepath.ToSlash(f)); filepath.IsLocal(name) && !seen[name] {
					seen[name] = true
					out.Compiled = append(out.Compiled, name)
				}
			}
		}
	}
	slices.Sort(out.Compiled)
	return out
}

// wayTo is the relative path from one folder of the repository to another, as a
// replace directive wants it.
func wayTo(from, to string) string {
	rel, err := filepath.Rel(filepath.FromSlash(path.Join("/", from)), filepath.FromSlash(path.Join("/", to)))
	if err != nil {
		return to
	}
	rel = filepath.ToSlash(rel)
	if rel[0] != '.' {
		rel = "./" + rel
	}
	return rel
}

// ownModules are the repository's modules, the folder by the module path.
func ownModules(root string) map[string]string {
	out := map[string]string{}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return out
	}
	defer func() { _ = tree.Close() }()
	folder.Manifests(tree, ".", "go.mod", func(dir string, raw []byte) {
		if module := modfile.ModulePath(raw); module != "" {
			out[module] = dir
		}
	})
	return out
}
