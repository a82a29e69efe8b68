package outline

import (
	"path"
	"strings"
)

// rustModule is the file of the module that a path of Rust leads into: as much of it as
// files are named after. A crate of another name is one whose folder is called so, or
// else the one beside whose sources the tests lie.
func (r *resolver) rustModule(file, use string) []string {
	parts := strings.Split(use, "::")
	root, at := rustPlace(file)
	var modules []string
	switch parts[0] {
	case "std", "core", "alloc":
		return nil
	case "crate":
		modules = parts[1:]
	case "self", "super":
		for ; len(parts) > 0 && (parts[0] == "self" || parts[0] == "super"); parts = parts[1:] {
			if parts[0] == "super" && len(at) > 0 {
				at = at[:len(at)-1]
			}
		}
		modules = append(at, parts...)
	default:
		if root = r.rustCrate(root, parts[0]); root == "" {
			return nil
		}
		modules = parts[1:]
	}
	for n := len(modules); n > 0; n-- {
		base := path.Join(root, path.Join(modules[:n]...))
		for _, name := range []string{base + ".rs", base + "/mod.rs"} {
			if r.files[name] {
				return []string{name}
			}
		}
	}
	for _, name := range []string{root + "/lib.rs", root + "/main.rs"} {
		if r.files[name] && root != "" {
			return []string{name}
		}
	}
	return nil
}

// rustPlace is the folder of a file's crate, and its module there.
func rustPlace(file string) (root string, module []string) {
	parts := strings.Split(strings.TrimSuffix(file, ".rs"), "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if parts[i] != "src" && parts[i] != "tests" && parts[i] != "benches" && parts[i] != "examples" {
			continue
		}
		module = parts[i+1:]
		if last := module[len(module)-1]; last == "mod" || len(module) == 1 && (last == "lib" || last == "main" || parts[i] != "src") {
			module = module[:len(module)-1]
		}
		return strings.Join(parts[:i+1], "/"), module
	}
	return path.Dir(file), nil
}

// rustCrate is the folder of the sources of a crate, empty where it is not of the
// repository: the one beside whose sources a test or a program lies, or one whose folder
// is called so.
func (r *resolver) rustCrate(from, name string) string {
	best := ""
	for _, folder := range []string{name, strings.ReplaceAll(name, "_", "-")} {
		for file := range r.files {
			if lib := folder + "/src/lib.rs"; (file == lib || strings.HasSuffix(file, "/"+lib)) && (best == "" || path.Dir(file) < best) {
				best = path.Dir(file)
			}
		}
	}
	if own := path.Join(path.Dir(from), "src"); best == "" && from != "." && r.files[own+"/lib.rs"] {
		return own
	}
	return best
}
