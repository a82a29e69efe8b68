package policy

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

type javaFlow struct{ outline.Java }

func newJavaFlow(t *syntax.Tree) flow { return javaFlow{outline.Java{Tree: t}} }

// javaLibrary are the packages of the language, and of what tests are written with.
var javaLibrary = pattern.New(`^(java|javax|jdk|sun|com\.sun|org\.junit|junit|org\.assertj|org\.hamcrest|org\.mockito|org\.testng|com\.google\.common\.truth|net\.jqwik)(\.|$)`)

// javaNames are those of java.lang, and of assertions however they are imported.
var javaNames = set("String Object Integer Long Short Byte Double Float Boolean Character Number Math StrictMath System Thread Runnable Iterable Comparable CharSequence " +
	"StringBuilder StringBuffer Class Enum Record Void Exception RuntimeException Error Throwable AssertionError IllegalArgumentException IllegalStateException " +
	"NullPointerException IndexOutOfBoundsException ArithmeticException UnsupportedOperationException NumberFormatException ClassCastException InterruptedException " +
	"Override Deprecated SuppressWarnings SafeVarargs FunctionalInterface Test Nested BeforeEach AfterEach DisplayName Assertions Assert Assumptions Mockito var this super " +
	"assertEquals assertNotEquals assertTrue assertFalse assertNull assertNotNull assertSame assertNotSame assertThrows assertArrayEquals assertThat assertAll fail mock when verify")

// seeds: what a test uses and neither declares nor has from the language or a test
// library is the code under test: classes of its package need no import.
func (f javaFlow) seeds(tn *edit.Case, _ map[string]bool) map[string]bool {
	if tn != nil {
		return nil
	}
	declared := outline.Locals(f.Tree, f.Root)
	f.Root.Walk(func(n *syntax.Node) bool {
		for _, im := range f.ImportsAt(n) {
			if javaLibrary.MatchString(im.Path) {
				declared[im.Names[0]] = true
			}
		}
		if n.Is("class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "method_declaration", "type_parameter") {
			declared[f.Text(n.At("name"))] = true
		}
		return true
	})
	out := map[string]bool{}
	f.Root.Walk(func(n *syntax.Node) bool {
		if name := f.Text(n); syntax.IsIdentifier(n) && !f.part(n) && !declared[name] && !javaNames[name] {
			out[name] = true
		}
		return !n.Is("import_declaration", "package_declaration", "modifiers", "throws", "superclass", "super_interfaces", "catch_type")
	})
	return out
}

// part: behind a point a name is no use of its own.
func (f javaFlow) part(n *syntax.Node) bool {
	p := n.Parent
	return p.Is("method_invocation") && n.Field == "name" && p.At("object") != nil || p.Is("field_access") && n.Field == "field" ||
		p.Is("method_declaration", "class_declaration", "labeled_statement", "break_statement", "continue_statement", "type_parameter") ||
		p.Is("method_reference") && p.Children[0] != n
}

func (f javaFlow) called(n *syntax.Node) string {
	switch {
	case n.Is("method_invocation"):
		return f.Callee(n)
	case n.Is("object_creation_expression"):
		name := f.Text(n.At("type"))
		name, _, _ = strings.Cut(name, "<")
		return "new " + name[strings.LastIndexByte(name, '.')+1:]
	}
	return ""
}

// replaced: when(prices.of(1)).thenReturn(2).
func (f javaFlow) replaced(in *syntax.Node) map[string]bool {
	out := map[string]bool{}
	in.Walk(func(n *syntax.Node) bool {
		if n.Is("method_invocation") && (f.Text(n.At("name")) == "when" || f.Text(n.At("name")) == "given") {
			for _, a := range n.Arguments() {
				if a.Is("method_invocation") {
					out[f.Text(a.At("name"))] = true
				}
			}
		}
		return true
	})
	return out
}

// raises finds a test that has to end with whatever a failed assertion is too.
func (s *smeller) raises(n *syntax.Node) {
	at := outline.Java{Tree: s.Tree}.Annotation(n, edit.JavaRaises)
	if at != nil && failures.MatchString(s.Text(at)) && len(edit.Checks(s.reader, n.At("body"))) > 0 {
		s.add(at, "swallow", "the exception that is expected may be a failed assertion")
	}
}

// failures are the types under which a failed assertion of Java is caught.
var failures = pattern.New(`\b(Throwable|Error|AssertionError|AssertionFailedError|MultipleFailuresError)\b`)
