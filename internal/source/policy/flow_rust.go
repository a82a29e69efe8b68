package policy

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

type rustFlow struct{ outline.Rust }

func newRustFlow(t *syntax.Tree) flow { return rustFlow{outline.Rust{Tree: t}} }

var rustLibrary = set("std core alloc proptest quickcheck rstest test_case pretty_assertions assert_matches approx tempfile")

var rustNames = set("assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne print println eprint eprintln format write writeln dbg vec panic todo " +
	"unimplemented unreachable matches Some None Ok Err Box Vec String Option Result Default Clone Iterator IntoIterator From Into TryFrom TryInto " +
	"ToString ToOwned AsRef AsMut PartialEq Eq PartialOrd Ord Drop Fn FnMut FnOnce Send Sync Sized Copy Debug Display Hash drop self Self super crate " +
	"u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char str")

// seeds: in a source file everything that stands outside of its tests is the code under
// test. What tests use beside that, and neither declare nor have from the standard
// library or a test library, comes from elsewhere in the product.
func (f rustFlow) seeds(tn *edit.Case, _ map[string]bool) map[string]bool {
	if tn != nil {
		return nil
	}
	scopes := f.TestModules()
	if len(scopes) == 0 {
		scopes = []*syntax.Node{f.Root}
	}
	out := map[string]bool{}
	for _, scope := range scopes {
		declared := outline.Locals(f.Tree, scope)
		scope.Walk(func(n *syntax.Node) bool {
			for _, im := range f.ImportsAt(n) {
				if root, _, _ := strings.Cut(im.Path, "::"); rustLibrary[root] {
					declared[im.Names[0]] = true
				}
			}
			if n.Is("function_item", "struct_item", "enum_item", "const_item", "static_item", "trait_item", "type_item", "mod_item") {
				declared[f.Text(n.At("name"))] = true
			}
			return true
		})
		scope.Walk(func(n *syntax.Node) bool {
			if name := f.Text(n); syntax.IsIdentifier(n) && !f.part(n) && !declared[name] && !rustNames[name] && !rustLibrary[name] && name != "_" {
				out[name] = true
			}
			return !n.Is("use_declaration", "attribute_item")
		})
	}
	return out
}

// part: of a path only its first name is a use, and names of fields and labels are none.
func (f rustFlow) part(n *syntax.Node) bool {
	return n.Parent.Is("scoped_identifier", "scoped_type_identifier") && n.Field == "name" || n.Parent.Is("lifetime", "label", "mod_item", "function_item")
}

func (f rustFlow) called(n *syntax.Node) string {
	switch {
	case n.Is("call_expression"):
		return f.Callee(n.At("function"))
	case n.Is("macro_invocation"):
		return f.Callee(n.At("macro"))
	}
	return ""
}

func (f rustFlow) replaced(*syntax.Node) map[string]bool { return nil }

// panics finds a test that has to panic and asserts: an assertion that fails panics too.
func (s *smeller) panics(n *syntax.Node) {
	r := outline.Rust{Tree: s.Tree}
	if at := r.Attribute(n, edit.RustPanics); at != nil && len(edit.Checks(s.reader, n.At("body"))) > 0 {
		s.add(at, "swallow", "should_panic takes a failed assertion for what it waits for")
	}
}

var (
	rustDuration = pattern.New(`\bfrom_(secs|millis|secs_f32|secs_f64|mins|hours)\(\s*([\d._]+)(?:_?[uf]\d+)?\s*\)`)
	rustUnits    = map[string]float64{"millis": 1, "secs": 1000, "secs_f32": 1000, "secs_f64": 1000, "mins": 60000, "hours": 3.6e6}
)

func rustMilliseconds(text string) int {
	if m := rustDuration.FindStringSubmatch(text); m != nil {
		return milliseconds(m[2], rustUnits[m[1]])
	}
	return milliseconds(text, 1) // sleep_ms
}
