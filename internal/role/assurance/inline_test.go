package assurance

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/mutant"
)

// TestMutantsBesideInlineTests: a mutant of a source file is the same one beside a test
// that was placed at the file's end, and none at all where something before it differs.
func TestMutantsBesideInlineTests(t *testing.T) {
	t.Parallel()
	src := []byte("pub fn grow(n: u32) -> u32 {\n    n + 1\n}\n")
	placed, err := edit.Place(src, "src/lib.rs", edit.Addition{Code: "#[test]\nfn grows() {\n    assert_eq!(grow(1), 2);\n}"})
	assert.NilError(t, err)
	mutants, err := mutant.Make("src/lib.rs", src, []qa.Range{{Start: 1, End: 3}})
	assert.NilError(t, err)
	assert.Assert(t, len(mutants) > 0)
	for _, m := range mutants {
		assert.Assert(t, fits(m, src, placed))
		assert.Equal(t, string(mutant.Apply(placed, m)[:m.StartByte]), string(placed[:m.StartByte]))
		assert.Assert(t, !fits(m, src, append([]byte("\n"), placed...)))
		assert.Assert(t, !fits(m, src, src[:m.EndByte-1]))
	}
}

func TestMatchesOfCompiledLanguages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		file, name string
		k          qa.Case
		want       bool
	}{
		{"src/text.rs", "tests::reads", qa.Case{Suite: "span", Name: "text::tests::reads"}, true},
		{"src/a/mod.rs", "tests::reads", qa.Case{Suite: "span", Name: "a::tests::reads"}, true},
		{"src/a/b.rs", "tests::reads", qa.Case{Suite: "span", Name: "a::b::tests::reads"}, true},
		{"src/b.rs", "tests::reads", qa.Case{Suite: "span", Name: "a::tests::reads"}, false},
		{"src/lib.rs", "tests::reads", qa.Case{Suite: "span", Name: "tests::reads"}, true},
		{"tests/api.rs", "reads", qa.Case{Suite: "span::api", Name: "reads"}, true},
		{"tests/api.rs", "reads", qa.Case{Suite: "span::api", Name: "misreads"}, false},
		{"tests/api.rs", "reads", qa.Case{Suite: "span::api", Name: "more::reads"}, false},
		{"tests/api.rs", "reads", qa.Case{File: "tests/other.rs", Name: "reads"}, false},
		{"src/test/java/a/SpanTest.java", "SpanTest.reads", qa.Case{Suite: "a.SpanTest", Name: "reads"}, true},
		{"src/test/java/a/SpanTest.java", "SpanTest.reads", qa.Case{Suite: "a.SpanTest", Name: "reads(int)[1]"}, true},
		{"src/test/java/a/SpanTest.java", "SpanTest.reads", qa.Case{Suite: "a.SpanTest", Name: "readsMore"}, false},
		{"src/test/java/a/SpanTest.java", "SpanTest.Empty.reads", qa.Case{Suite: "a.SpanTest$Empty", Name: "reads"}, true},
		{"src/test/java/a/SpanTest.java", "SpanTest.reads", qa.Case{Suite: "a.OtherSpanTest", Name: "reads"}, false},
	} {
		assert.Equal(t, Matches(tc.k, tc.file, tc.name), tc.want, "%+v", tc)
	}
}
