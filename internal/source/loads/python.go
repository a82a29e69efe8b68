package loads

import (
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

var (
	pythonImport = pattern.New(`(?m)(?:^|[;:])[ \t]*(?:>>> *)?import[ \t]+([^\n;#]+)`)
	pythonFrom   = pattern.New(`(?m)(?:^|[;:])[ \t]*(?:>>> *)?from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n;#]*)`)
	dotted       = pattern.New(`["']([A-Za-z_]\w*(?:\.\w+)*)(?::\w+)?["']`)
	// pythonComputed imports or runs what a program works out.
	pythonComputed = pattern.New(`\bimport_module\b|\b__import__\b|\brunpy\b|\bpkgutil\.(?:iter|walk)|\b(?:exec|eval|execfile)\(|\bspec_from_file_location\b|\bSourceFileLoader\b|\bentry_points\(|\bsys\.executable\b|\bresolve_name\b|\bimport_string\b|\bpydoc\.locate\b|\bfileConfig\b|\bdictConfig\(\s*(?:json|yaml|toml)`)
	// pythonLooks are the ways in which a test finds files of the repository, or starts
	// programs.
	pythonLooks = pattern.New(`\bsubprocess\b|\bos\.(?:system|popen|exec|spawn|getcwd|chdir|walk|listdir|scandir)|\bPopen\b|\b__file__\b|\bgetsource|\bPath\.cwd\b|\bpytester\b|\btestdir\b|\brglob\(|\bglob\b`)
	// A comment between the names of an import may hold a parenthesis.
	pythonComment = pattern.New(`#[^\n]*`)
	pythonWord    = pattern.New(`[\w.*]+`)
)

// python notes a file, and the folders that it lies in, by the name of the module that
// they may be.
func (t *Tree) python(name string) {
	ext := path.Ext(name)
	if ext != ".py" && ext != ".pyi" && ext != ".pyx" {
		return
	}
	stem := strings.TrimSuffix(path.Base(name), ext)
	t.modules[stem] = append(t.modules[stem], path.Join(path.Dir(name), stem))
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if known := t.modules[path.Base(dir)]; len(known) > 0 && known[len(known)-1] == dir {
			break
		}
		t.modules[path.Base(dir)] = append(t.modules[path.Base(dir)], dir)
	}
}

// pythonFile reads a file of Python. A module is looked for wherever its first name is
// the name of a folder or a file: where the interpreter looks is not known.
func (t *Tree) pythonFile(name string, src []byte, test bool) Loads {
	var l Loads
	text := strings.ReplaceAll(string(src), "\\\n", " ")
	if m := pythonComputed.FindString(text); m != "" {
		l.Doubt = "loads what it works out (" + m + ")"
	} else if m := pythonLooks.FindString(text); test && m != "" {
		l.Doubt = "may look for files by itself (" + m + ")"
	}
	for _, m := range pythonImport.FindAllStringSubmatch(text, -1) {
		for _, one := range strings.Split(m[1], ",") {
			if module := pythonWord.FindString(one); module != "" {
				l.Files = append(l.Files, t.absolute(module)...)
			}
		}
	}
	for _, m := range pythonFrom.FindAllStringSubmatch(pythonComment.ReplaceAllString(text, ""), -1) {
		modules := []string{m[1]}
		for _, one := range strings.Split(m[2], ",") {
			if imported := pythonWord.FindString(one); imported != "" {
				modules = append(modules, strings.TrimSuffix(m[1], ".")+"."+imported)
			}
		}
		for i, module := range modules {
			if strings.HasPrefix(m[1], ".") {
				if i > 0 && strings.Trim(m[1], ".") == "" {
					module = m[1] + strings.TrimLeft(module, ".")
				}
				l.Files = append(l.Files, t.relative(name, module)...)
			} else {
				l.Files = append(l.Files, t.absolute(module)...)
			}
		}
	}
	for _, m := range dotted.FindAllStringSubmatch(text, -1) { // what a patch or a plugin names
		if strings.Contains(m[1], ".") || test {
			l.Files = append(l.Files, t.absolute(m[1])...)
		}
		if strings.Contains(text, "INSTALLED_APPS") { // of whose packages Django loads these
			for _, part := range []string{".apps", ".models", ".admin"} {
				l.Files = append(l.Files, t.absolute(m[1]+part)...)
			}
		}
	}
	// The packages that a file lies in are loaded before it.
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		for _, file := range []string{"__init__.py", "__init__.pyi", "conftest.py"} {
			if t.files[path.Join(dir, file)] {
				l.Files = append(l.Files, path.Join(dir, file))
			}
		}
		if dir == "." {
			break
		}
	}
	return l
}

// absolute are the files of a module and of the packages that it is in.
func (t *Tree) absolute(module string) []string {
	first, rest, _ := strings.Cut(module, ".")
	var out []string
	for _, at := range t.modules[first] {
		out = append(out, t.moduleAt(at, rest)...)
	}
	return out
}

// relative is the same for a module that begins with dots.
func (t *Tree) relative(name, module string) []string {
	rest := strings.TrimLeft(module, ".")
	at := path.Dir(name)
	for range len(module) - len(rest) - 1 {
		at = path.Dir(at)
	}
	return t.moduleAt(at, rest)
}

// moduleAt follows a dotted name from a folder, or a file without its extension.
func (t *Tree) moduleAt(at, rest string) []string {
	var out []string
	for {
		for _, file := range []string{at + ".py", at + ".pyi", at + ".pyx", path.Join(at, "__init__.py"), path.Join(at, "__init__.pyi"), path.Join(at, "__main__.py")} {
			if t.files[file] {
				out = append(out, file)
			}
		}
		if rest == "" {
			return out
		}
		var next string
		next, rest, _ = strings.Cut(rest, ".")
		at = path.Join(at, next)
	}
}
