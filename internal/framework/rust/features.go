package rust

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/pattern"
)

// What features are asked for decides which code is compiled at all.

// feature is the option that names features.
const feature = "--features="

// choice are the options that choose features.
var choice = pattern.New(`^(?:--features=.*|--all-features|--no-default-features)$`)

// featured puts all names of features among arguments into one word, in the place of the
// first one: none of them is no option.
func featured(args []string) []string {
	var out, names []string
	at := -1
	for i := 0; i < len(args); i++ {
		a, value := args[i], ""
		switch {
		case a == "--":
			out = append(out, args[i:]...)
			i = len(args)
			continue
		case (a == "--features" || a == "-F") && i+1 < len(args):
			i++
			value = args[i]
		case strings.HasPrefix(a, feature):
			value = strings.TrimPrefix(a, feature)
		case strings.HasPrefix(a, "-F"):
			value = strings.TrimPrefix(strings.TrimPrefix(a, "-F"), "=")
		default:
			out = append(out, a)
			continue
		}
		if more := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }); len(more) > 0 {
			if names = append(names, more...); at < 0 {
				at = len(out)
			}
		}
	}
	if at < 0 {
		return out
	}
	return slices.Insert(out, at, feature+strings.Join(each.Sorted(names), ","))
}

// features are what some arguments choose.
func features(args []string) []string {
	before := args
	if i := slices.Index(args, "--"); i >= 0 {
		before = args[:i]
	}
	return each.Sorted(each.Where(before, choice.MatchString))
}

// whole are options beside which features are looked at: of packages, and of how they are
// built. What chooses single tests, or asks for another machine, says nothing of them.
var whole = pattern.New(`^(?:--workspace|--all|--release|-r|--locked|--frozen|--offline|--tests|--lib|--bins|--all-targets|--doc)$`)

// apart: other features are other code, which may not even compile where all is well
// without them.
func apart(d, told adapter.Detection) (is bool, lacks string) {
	if slices.Equal(features(d.Args), features(told.Args)) {
		return false, ""
	}
	if i := slices.IndexFunc(told.Args, func(a string) bool { return !choice.MatchString(a) && !whole.MatchString(a) }); i >= 0 {
		return true, "beside its features it has " + told.Args[i]
	}
	return true, ""
}

// maxLooked is how many files of a target directory are looked at.
const maxLooked = 200_000

// noted are files in which it does: of a crate, and of a build script.
var noted = pattern.New(`(?:^|/)(?:deps|build/[^/]+)/[^/]+\.d$`)

// readBuilt tells what the programs of the tests are built of. A target directory stays
// behind when a tree is copied: what lies there, this run made.
func readBuilt(root string, d adapter.Detection, _ [][]byte) (out adapter.Loads) {
	tree, err := os.OpenRoot(root)
	if err != nil {
		return out
	}
	defer func() { _ = tree.Close() }() // only read
	built, looked, complete := map[string]bool{}, 0, true
	_ = fs.WalkDir(tree.FS(), path.Join(folder.FromDot(d.Dir), "target"), func(name string, e fs.DirEntry, err error) error {
		switch looked++; {
		case err != nil || e.IsDir() && (e.Name() == "incremental" || e.Name() == ".fingerprint" || e.Name() == "doc"):
			return fs.SkipDir
		case looked > maxLooked:
			complete = false
			return fs.SkipAll
		case !noted.MatchString(name):
			return nil
		}
		text, ok := folder.RegularFile(tree, name)
		if complete = complete && ok && len(text) < folder.MaxConfig; !complete {
			return fs.SkipAll
		}
		for line := range strings.Lines(string(text)) {
			// "src/lib.rs:" says that nothing makes it; as it is seen from Dir.
			file, ok := strings.CutSuffix(strings.TrimRight(line, "\r\n"), ":")
			if file = strings.ReplaceAll(file, `\ `, " "); !ok || path.Ext(file) == ".d" {
				continue
			}
			if !path.IsAbs(file) {
				file = path.Join(root, d.Dir, file)
			}
			if rel, ok := adapter.BelowRoot(root, file); ok && !strings.Contains("/"+rel, "/target/") {
				built[rel] = true
			}
		}
		return nil
	})
	if !complete { // a file that is not among a part may be built all the same
		return out
	}
	out.Compiled = slices.Sorted(maps.Keys(built))
	return out
}

// LeftOut says why a file of Rust took no part in what was compiled, empty where it did or
// nobody knows. Of a folder of sources of which one was compiled all are known; elsewhere
// it must not have been opened, either.
func LeftOut(file string, compiled []string, unopened bool) string {
	sources := func(name string) string {
		at := strings.LastIndex("/"+name, "/src/")
		return name[:max(at, 0)]
	}
	inside := strings.Contains("/"+file, "/src/")
	known := slices.ContainsFunc(compiled, func(other string) bool {
		return path.Ext(other) == ".rs" && strings.Contains("/"+other, "/src/") && sources(other) == sources(file)
	})
	switch {
	case slices.Contains(compiled, file):
	case inside && known, unopened && len(compiled) > 0:
		return "no build of the tests here compiles it"
	case unopened:
		return "nothing that ran opened it"
	}
	return ""
}
