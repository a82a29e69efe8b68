package source

import (
	"regexp"
	"slices"
	"strings"
)

// This file decides which files a generated test may touch: temporary ones, and
// to read, those that are there for tests.

var temporary = regexp.MustCompile(`(?i)te?mp`)

// changesFiles: the target of a write is not seen to be temporary.
func (s *smeller) changesFiles(n *node, callee string) bool {
	args := n.at("arguments").parts()
	if n.is("CallExpr") {
		args = n.all("args")
	}
	target := n.at("function").at("object") // Path("x").write_text(…)
	module := strings.HasPrefix(callee, "os.") || strings.HasPrefix(callee, "shutil.") || strings.HasPrefix(callee, "io.") || strings.HasPrefix(callee, "codecs.")
	if s.Name == "python" && !module && callee != "open" && !s.isPath(target) {
		return false
	}
	if s.Name != "python" || module || callee == "open" {
		if len(args) == 0 {
			return false
		}
		target = args[0]
	}
	if s.Name == "python" && strings.HasSuffix(callee, "open") && !s.opensForWriting(args, callee) {
		return false
	}
	if target == nil || temporary.MatchString(s.text(target)) && !s.misnamed(target) {
		return false
	}
	return !mentions(s.tree, target, s.holding(temporary))
}

// testData marks paths of files that are there for tests.
var testData = regexp.MustCompile(`(?i)tests?[-_/]?data|fixture|__mocks__|golden|snapshot`)

// readsFiles: what is read is neither temporary nor test data, so it may be what
// a report must never show.
func (s *smeller) readsFiles(n *node, callee string) bool {
	args := slices.Concat(n.at("arguments").parts(), n.all("args"))
	target := n.at("function").at("object")
	if !strings.Contains(callee, ".read_") {
		if len(args) == 0 {
			return false
		}
		target = args[0]
	}
	text := s.text(target)
	if target == nil || testData.MatchString(text) || temporary.MatchString(text) && !s.misnamed(target) {
		return false
	}
	return !mentions(s.tree, target, s.holding(temporary)) && !mentions(s.tree, target, s.holding(testData))
}

// misnamed reports a name that says temporary and holds something else.
func (s *smeller) misnamed(target *node) bool {
	names := identifiers(s.tree, target)
	return s.root.find(func(a *node) bool {
		left, right := s.flow.assigned(a)
		return right != nil && len(left) == 1 && names[s.text(left[0])] && !s.holds(a, right, temporary, s.holding(temporary))
	}) != nil
}

// holds looks at what an assignment assigns; for Go, right is all of it.
func (s *smeller) holds(assignment, right *node, what *regexp.Regexp, names map[string]bool) bool {
	values := append(assignment.all("rhs"), assignment.all("values")...)
	if len(values) == 0 {
		values = []*node{right}
	}
	return slices.ContainsFunc(values, func(v *node) bool { return what.MatchString(s.text(v)) || mentions(s.tree, v, names) })
}

// isPath: the object of a method is seen to be a pathlib.Path.
func (s *smeller) isPath(n *node) bool {
	if strings.Contains(s.text(n), "Path(") {
		return true
	}
	names := identifiers(s.tree, n)
	return s.root.find(func(a *node) bool {
		left, right := s.flow.assigned(a)
		return a.is("assignment") && len(left) == 1 && names[s.text(left[0])] && strings.Contains(s.text(right), "Path(")
	}) != nil
}

// holding are the names that hold something whose text is like that.
func (s *smeller) holding(what *regexp.Regexp) map[string]bool {
	if held := s.held[what]; held != nil {
		return held
	}
	held := map[string]bool{}
	if s.held == nil {
		s.held = map[*regexp.Regexp]map[string]bool{}
	}
	s.held[what] = held
	names := provenance{tree: s.tree, never: s.names}
	for before := -1; before != len(held); {
		before = len(held)
		s.root.walk(func(n *node) bool {
			left, right := s.flow.assigned(n)
			if right == nil || n.is("function_definition", "function_declaration", "class_definition", "class_declaration", "FuncDecl", "try_statement") {
				return true
			}
			if s.holds(n, right, what, held) {
				for _, l := range left {
					names.add(l, held)
				}
			}
			return true
		})
	}
	return held
}

func (s *smeller) opensForWriting(args []*node, callee string) bool {
	for i, arg := range args {
		mode := s.text(arg)
		if arg.is("keyword_argument") && s.text(arg.at("name")) == "mode" {
			mode = s.text(arg.at("value"))
		} else if (i != 1 || callee == ".open") && (i != 0 || !strings.HasSuffix(callee, ".open") || strings.HasPrefix(callee, "io.") || strings.HasPrefix(callee, "codecs.")) {
			continue
		}
		if strings.ContainsAny(strings.Trim(mode, `'"`), "wax+") && len(mode) <= 5 {
			return true
		}
	}
	return false
}
