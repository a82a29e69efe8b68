package edit

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestPlaceInline: tests of a source file go into the module that it ends with, and
// the lines of the product stay where they were.
func TestPlaceInline(t *testing.T) {
	t.Parallel()
	const product = "//! Spans.\nuse std::fmt;\n\npub fn grow(n: u32) -> u32 {\n    n + 1\n}\n"
	add := Addition{Imports: []string{"use super::*;", "use std::rc::Rc;"}, In: "elsewhere", Code: "#[test]\nfn grows() {\n    assert_eq!(grow(1), 2);\n}"}
	const placed = "    #[test]\n    fn grows() {\n        assert_eq!(grow(1), 2);\n    }\n}\n"
	for name, tc := range map[string]struct{ before, want, test string }{
		"a new module": {product, product + "\n#[cfg(test)]\nmod tests {\n    use super::*;\n    use std::rc::Rc;\n\n" + placed, "tests::grows"},
		"the last one": {
			product + "\n#[cfg(test)]\nmod unit {\n    use super::*;\n    // none yet\n}\n",
			product + "\n#[cfg(test)]\nmod unit {\n    use super::*;\n    use std::rc::Rc;\n    // none yet\n\n" + placed, "unit::grows",
		},
		"a taken name": {
			product + "\n#[cfg(test)]\nmod tests {\n    use super::*;\n    use std::rc::Rc;\n\n    #[test]\n    fn grows() {}\n}\n",
			product + "\n#[cfg(test)]\nmod tests {\n    use super::*;\n    use std::rc::Rc;\n\n    #[test]\n    fn grows() {}\n\n" + strings.Replace(placed, "grows()", "grows_2()", 1), "tests::grows_2",
		},
		"one in the middle": {
			"#[cfg(test)]\nmod tests {\n    use super::*;\n}\n" + product,
			"#[cfg(test)]\nmod tests {\n    use super::*;\n}\n" + product + "\n#[cfg(test)]\nmod more_tests {\n    use super::*;\n    use std::rc::Rc;\n\n" + placed, "more_tests::grows",
		},
		"one on a line": {
			product + "#[cfg(test)] mod tests { use super::*; }\n",
			product + "#[cfg(test)] mod tests { use super::*; }\n\n#[cfg(test)]\nmod more_tests {\n    use super::*;\n    use std::rc::Rc;\n\n" + placed, "more_tests::grows",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Place([]byte(tc.before), "src/span.rs", add)
			assert.NilError(t, err)
			assert.Equal(t, string(got), tc.want)
			tests, err := Tests("src/span.rs", got)
			assert.NilError(t, err)
			assert.Equal(t, tests[len(tests)-1].Name, tc.test)
			back, err := Remove("src/span.rs", got, []string{tc.test})
			assert.NilError(t, err)
			assert.Assert(t, !strings.Contains(string(back), tc.test[strings.LastIndex(tc.test, ":")+1:]+"()"), "%s", back)
		})
	}
}

// TestPlaceInlineRefuses: what is no whole item cannot get out of the module.
func TestPlaceInlineRefuses(t *testing.T) {
	t.Parallel()
	for name, add := range map[string]Addition{
		"a bracket too many": {Code: "#[test]\nfn grows() { assert!(true); } }\nmod other {"},
		"no test":            {Code: "fn grows() {}"},
		"an item for import": {Imports: []string{"use a::b; pub fn c() {}"}, Code: "#[test]\nfn grows() { assert!(true); }"},
		"an attribute":       {Imports: []string{"#[path = \"x.rs\"] mod x;"}, Code: "#[test]\nfn grows() { assert!(true); }"},
		"two of a name":      {Imports: []string{"use a::b;", "use c::b;"}, Code: "#[test]\nfn grows() { assert!(true); }"},
	} {
		_, err := Place([]byte("pub fn grow() {}\n"), "src/span.rs", add)
		assert.Assert(t, err != nil, name)
	}
}
