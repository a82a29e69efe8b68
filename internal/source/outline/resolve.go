package outline

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// resolver finds the files of the repository behind an import. It knows only
// paths: relative ones of JavaScript and Python, packages of Go modules, Python
// modules from the root, a src folder or any folder above the importer, and modules of
// Rust crates by the folders of their files.
type resolver struct {
	files   map[string]bool
	dirs    map[string][]string // folder to its files of Go or Java
	pkg     map[string]string   // Go file to package name
	modules map[string]string
	java    map[string][]string // package to its files
}

func newResolver(outlines []qa.Outline, goModules map[string]string) *resolver {
	r := &resolver{files: map[string]bool{}, dirs: map[string][]string{}, pkg: map[string]string{}, modules: goModules, java: map[string][]string{}}
	for _, o := range outlines {
		r.files[o.Path] = true
		if o.Language == "java" {
			at := path.Dir(o.Path)
			r.dirs[at] = append(r.dirs[at], o.Path)
			r.java[o.Package] = append(r.java[o.Package], o.Path)
		}
		if o.Language == "go" {
			dir := path.Dir(o.Path)
			r.dirs[dir] = append(r.dirs[dir], o.Path)
			r.pkg[o.Path] = o.Package
		}
	}
	return r
}

func (r *resolver) resolve(o qa.Outline, im qa.Import) []string {
	switch o.Language {
	case "go":
		return r.goPackage(im.Path)
	case "python":
		return r.pythonModule(o.Path, im)
	case "java":
		return r.javaClass(im)
	case "rust":
		return r.rustModule(o.Path, im.Path)
	}
	if !strings.HasPrefix(im.Path, ".") {
		return nil
	}
	if file := ScriptAt(r.files, path.Join(path.Dir(o.Path), im.Path), ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"); file != "" {
		return []string{file}
	}
	return nil
}

// ScriptAt is the file that an import of a path means, empty where there is none: the
// path as it is, with .js standing for its TypeScript source, with extensions, or as a
// folder with an index.
func ScriptAt(files map[string]bool, base string, extensions ...string) string {
	candidates := []string{base}
	if ext := path.Ext(base); len(ext) > 2 && strings.HasSuffix(strings.TrimSuffix(ext, "x"), "js") {
		stem := strings.TrimSuffix(base, ext)
		candidates = append(candidates, stem+strings.Replace(ext, "j", "t", 1), stem+".tsx")
	}
	for _, name := range []string{base, path.Join(base, "index")} {
		for _, e := range extensions {
			candidates = append(candidates, name+e)
		}
	}
	if i := slices.IndexFunc(candidates, func(c string) bool { return files[c] }); i >= 0 {
		return candidates[i]
	}
	return ""
}

// goPackage lists the files of a package of one of the modules, tests excluded.
func (r *resolver) goPackage(spec string) []string {
	var out []string
	for dir, module := range r.modules {
		rest, ok := strings.CutPrefix(spec, module)
		if !ok || rest != "" && !strings.HasPrefix(rest, "/") {
			continue
		}
		for _, file := range r.dirs[path.Join(".", dir, rest)] {
			if !goTest(file) {
				out = append(out, file)
			}
		}
	}
	return out
}

func goTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// samePackage lists the files that a test of Go or Java shares its package with: they
// need no import.
func (r *resolver) samePackage(o qa.Outline) []string {
	if o.Language == "java" {
		return r.javaPackage(o)
	}
	if !goTest(o.Path) {
		return nil
	}
	var out []string
	for _, file := range r.dirs[path.Dir(o.Path)] {
		if !goTest(file) && r.pkg[file] == o.Package {
			out = append(out, file)
		}
	}
	return out
}

// pythonModule resolves a module and, for "from pkg import name", the modules
// of that name.
func (r *resolver) pythonModule(file string, im qa.Import) []string {
	dots := len(im.Path) - len(strings.TrimLeft(im.Path, "."))
	rest := strings.ReplaceAll(im.Path[dots:], ".", "/")
	var bases []string
	if dots > 0 {
		base := path.Dir(file)
		for range dots - 1 {
			base = path.Dir(base)
		}
		bases = []string{base}
	} else {
		for dir := path.Dir(file); ; dir = path.Dir(dir) {
			bases = append(bases, dir, path.Join(dir, "src"))
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	for _, base := range bases {
		module := path.Join(base, rest)
		var out []string
		for _, candidate := range []string{module + ".py", path.Join(module, "__init__.py"), module + ".pyi"} {
			if r.files[candidate] {
				out = append(out, candidate)
				break
			}
		}
		for _, name := range im.From {
			for _, candidate := range []string{path.Join(module, name+".py"), path.Join(module, name, "__init__.py")} {
				if name != "*" && r.files[candidate] {
					out = append(out, candidate)
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}
