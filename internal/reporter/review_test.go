package reporter

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/qa"
)

func fitting(*gitdiff.File) bool { return true }

// TestReview: what stands at lines of the diff, and where it may.
func TestReview(t *testing.T) {
	t.Parallel()
	r := situation(t, "findings-mix.json")
	r.Generated = []qa.GeneratedTest{
		{Name: "rejects | @everyone", Path: "src/cart.test.ts", Kept: true, Covers: []qa.Range{{Start: 3, End: 4}}, Kills: 2},
		{Name: "is new", Path: "src/new.test.ts", Kept: true}, {Name: "changes two places", Path: "src/two.test.ts", Kept: true},
		{Name: "is no part", Path: "src/cart.test.ts"},
	}
	r.Patch = `diff --git a/src/cart.test.ts b/src/cart.test.ts
--- a/src/cart.test.ts
+++ b/src/cart.test.ts
@@ -7,4 +7,8 @@ describe('cart', () => {
   it('is there', () => {
     expect(1).toBe(1)
   })
+
+  it('rejects', () => {
+    expect(cart('` + "```" + `')).toBe(0)
+  })
 })
diff --git a/src/new.test.ts b/src/new.test.ts
new file mode 100644
--- /dev/null
+++ b/src/new.test.ts
@@ -0,0 +1 @@
+test('is new')
diff --git a/src/two.test.ts b/src/two.test.ts
--- a/src/two.test.ts
+++ b/src/two.test.ts
@@ -1 +1,2 @@
 a
+b
@@ -9 +10,2 @@
 c
+d
`
	_, err := keptPatch(r)
	assert.NilError(t, err)
	golden.Assert(t, written(Review(r, onHost(), fitting)), "review/findings-mix.golden")
	none := Review(r, onHost(), func(*gitdiff.File) bool { return false })
	assert.Assert(t, !strings.Contains(written(none), "tests of"))
	r.Manifest.Delivery = &qa.Delivery{Way: "commit", Commit: strings.Repeat("a", 40)}
	assert.Equal(t, written(Review(r, onHost(), fitting)), written(none))
	r.Patch = "diff --git a/src/cart.ts b/src/cart.ts\n--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -1 +1,2 @@\n a\n+b\n" // no file of a kept test
	r.Manifest.Delivery = nil
	assert.Equal(t, written(Review(r, onHost(), fitting)), written(none))
}

// TestReviewIsInert: no text of a report is more than text at a line, and a suggestion
// is one block to its end.
func TestReviewIsInert(t *testing.T) {
	t.Parallel()
	for kind, words := range evil {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			r := situation(t, "proven-regression.json")
			patch := r.Patch
			fill(reflect.ValueOf(r).Elem(), words, 6)
			r.Patch = patch
			for i := range r.Findings {
				f := &r.Findings[i]
				f.Status, f.Evidence, f.Path = qa.StatusNew, qa.Proven, "a.js"
			}
			all := Review(r, onHost(), fitting)
			assert.Assert(t, len(all) > 0)
			for _, c := range all {
				inertMarkdown(t, kind, c.Body)
				for _, spot := range c.Spots {
					inertMarkdown(t, kind, c.Body+spot.Suggestion)
				}
			}
		})
	}
}

func written(all []qa.ReviewComment) string {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "=== %s in %s\n%s", c.About, c.Path, c.Body)
		for _, s := range c.Spots {
			fmt.Fprintf(&b, "--- at %s, exact %v, seen %q%s\n", s.Lines, s.Exact, s.Seen, s.Suggestion)
		}
	}
	return b.String()
}
