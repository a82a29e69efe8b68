package policy

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/syntax"
)

// This file decides which files a generated test may touch: temporary ones, and
// to read, those that are there for tests.

var temporary = pattern.New(`(?i)te?mp`)

// changesFiles: the target of a write is not seen to be temporary.
func (s *smeller) changesFiles(n *syntax.Node, callee string) bool {
	args := n.Arguments()
	target := n.At("function").At("object") // Path("x").write_text(…)
	module := strings.HasPrefix(callee, "os.") || strings.HasPrefix(callee, "shutil.") || strings.HasPrefix(callee, "io.") || strings.HasPrefix(callee, "codecs.")
	if s.Language.Name == "python" && !module && callee != "open" && !s.isPath(target) {
		return false
	}
	if s.Language.Name != "python" || module || callee == "open" {
		if len(args) == 0 {
			return false
		}
		target = args[0]
	}
	if s.Language.Name == "python" && strings.HasSuffix(callee, "open") && !s.opensForWriting(args, callee) {
		return false
	}
	if target == nil || temporary.MatchString(s.Text(target)) && !s.misnamed(target) {
		return false
	}
	return !mentions(s.Tree, target, s.holding(temporary))
}

// testData marks paths of files that are there for tests.
var testData = pattern.New(`(?i)tests?[-_/]?data|fixture|__mocks__|golden|snapshot`)

// readsFiles: what is read is neither temporary nor test data, so it may be what
// a report must never show.
func (s *smeller) readsFiles(n *syntax.Node, callee string) bool {
	args := n.Arguments()
	target := n.At("function").At("object")
	if s.Language.Name != "python" || !strings.Contains(callee, ".read_") {
		if len(args) == 0 {
			return false
		}
		target = args[0]
	}
	text := s.Text(target)
	if target == nil || testData.MatchString(text) || temporary.MatchString(text) && !s.misnamed(target) {
		return false
	}
	return !mentions(s.Tree, target, s.holding(temporary)) && !mentions(s.Tree, target, s.holding(testData))
}

// misnamed reports a name that says temporary and holds something else.
func (s *smeller) misnamed(target *syntax.Node) bool {
	names := syntax.Identifiers(s.Tree, target)
	return s.Root.Find(func(a *syntax.Node) bool {
		left, right := s.flow.Assigned(a)
		return right != nil && len(left) == 1 && names[s.Text(left[0])] && !s.holds(a, right, temporary, s.holding(temporary))
	}) != nil
}

// holds looks at what an assignment assigns; for Go, right is all of it.
func (s *smeller) holds(assignment, right *syntax.Node, what *pattern.Pattern, names map[string]bool) bool {
	values := append(assignment.All("rhs"), assignment.All("values")...)
	if len(values) == 0 {
		values = []*syntax.Node{right}
	}
	return slices.ContainsFunc(values, func(v *syntax.Node) bool { return what.MatchString(s.Text(v)) || mentions(s.Tree, v, names) })
}

// isPath: the object of a method is seen to be a pathlib.Path.
func (s *smeller) isPath(n *syntax.Node) bool {
	if strings.Contains(s.Text(n), "Path(") {
		return true
	}
	names := syntax.Identifiers(s.Tree, n)
	return s.Root.Find(func(a *syntax.Node) bool {
		left, right := s.flow.Assigned(a)
		return a.Is("assignment") && len(left) == 1 && names[s.Text(left[0])] && strings.Contains(s.Text(right), "Path(")
	}) != nil
}

// holding are the names that hold something whose text is like that.
func (s *smeller) holding(what *pattern.Pattern) map[string]bool {
	if held := s.held[what]; held != nil {
		return held
	}
	held := map[string]bool{}
	if s.held == nil {
		s.held = map[*pattern.Pattern]map[string]bool{}
	}
	s.held[what] = held
	names := provenance{Tree: s.Tree, never: s.names}
	for before := -1; before != len(held); {
		before = len(held)
		s.Root.Walk(func(n *syntax.Node) bool {
			left, right := s.flow.Assigned(n)
			if right == nil || n.Is("function_definition", "function_declaration", "class_definition", "class_declaration", "FuncDecl", "try_statement") {
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

func (s *smeller) opensForWriting(args []*syntax.Node, callee string) bool {
	for i, arg := range args {
		mode := s.Text(arg)
		if arg.Is("keyword_argument") && s.Text(arg.At("name")) == "mode" {
			mode = s.Text(arg.At("value"))
		} else if (i != 1 || callee == ".open") && (i != 0 || !strings.HasSuffix(callee, ".open") || strings.HasPrefix(callee, "io.") || strings.HasPrefix(callee, "codecs.")) {
			continue
		}
		if strings.ContainsAny(strings.Trim(mode, `'"`), "wax+") && len(mode) <= 5 {
			return true
		}
	}
	return false
}
