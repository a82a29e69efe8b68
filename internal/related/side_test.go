package related

import (
	"context"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// Of a file of middle length everything outside of functions is shown, what the change
// touches, and small functions beside it; of others nothing. What is seen there is not
// told a second time.
func TestSide(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("\tn++\n", 30)
	text := "package a\n\nconst limit = 10\n\nfunc Other(n int) int {\n" + body + "\treturn n\n}\n\n" +
		"func Take(n int) int {\n\tm := low(n)\n\treturn far(m)\n}\n\nfunc low(n int) int {\n\treturn n - 1\n}\n\nfunc far(n int) int {\n" + body + "\treturn n\n}\n\nfunc Uses() int {\n\treturn Take(3)\n}\n"
	at := strings.Count(text[:strings.Index(text, "\tm := low")], "\n") + 1
	file := qa.FileChange{Path: "a.go", Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: at, End: at}}}
	c := code(t, map[string]string{"a.go": text, "b.go": "package a\n\nfunc B() int { return Take(1) }\n", "a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestTake(t *testing.T) { Take(1) }\n"}, qa.Change{Base: "base", Files: []qa.FileChange{file}})
	c.o.Content = func(context.Context, string, string) ([]byte, error) {
		return []byte(strings.Replace(text, "m := low(n)", "m := n", 1)), nil
	}
	s, touched := c.Side(t.Context(), file, []byte(text))
	assert.Equal(t, len(touched), 1)
	assert.Equal(t, touched[0].Name, "Take")
	assert.Equal(t, s.Text(), `  package a
  
  const limit = 10
  
…
  func Take(n int) int {
- 	m := n
+ 	m := low(n)
  	return far(m)
  }
  
  func low(n int) int {
  	return n - 1
  }
  
…
  func Uses() int {
  	return Take(3)
  }
`)
	assert.Equal(t, c.Callees(s, "Take"), "func far(n int) int")
	assert.Equal(t, c.Callers(s, "Take"), "b.go: func B() int { return Take(1) }")

	whole, _ := c.Side(t.Context(), file, []byte(text), qa.Range{Start: 5, End: 37})
	assert.Equal(t, strings.Count(whole.Text(), "n++"), 30, "a function that was asked for")
	long := Side{Source: strings.Repeat("x\n", 300), Added: []qa.Range{{Start: 200, End: 200}}}
	assert.Equal(t, strings.Count(long.Text(), "\n"), headLines+2*nearChange+1+2)
}

// What is shown without what the change wrote is what there was, whichever of equal
// lines git says that it wrote.
func TestSideIsOneComparison(t *testing.T) {
	t.Parallel()
	const before, after = "lock\nn++\nunlock\nreturn\n", "lock\nn++\nunlock\nlock\nm++\nunlock\nreturn\n"
	for _, added := range []qa.Range{{Start: 4, End: 6}, {Start: 1, End: 3}, {Start: 2, End: 4}, {Start: 3, End: 5}} {
		for _, c := range [][2]string{{before, after}, {after, before}, {"", after}} {
			s := Side{Path: "a.go", Before: c[0], Source: c[1], Added: []qa.Range{added}}
			var was, is strings.Builder
			for row := range strings.Lines(s.Text()) {
				if row[0] != '+' {
					was.WriteString(row[2:])
				}
				if row[0] != '-' {
					is.WriteString(row[2:])
				}
			}
			assert.Equal(t, is.String(), c[1])
			if c[0] != "" {
				assert.Equal(t, was.String(), c[0])
			}
		}
	}
}

// Of a class that the change touches the constructor is shown, and how other methods begin:
// what they say of themselves, and functions outside of it, are not.
func TestSideOfAClass(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("        self.n += 1\n", 12)
	const before = "        return self.n\n"
	text := "class Kept:\n    def __init__(self, n):\n        self.n = n\n\n    # More of it.\n    def more(self):\n" + body + "\n    # What it is.\n    def taken(self):\n" + before +
		"\n\n# Another one.\ndef other(n):\n" + strings.Repeat("    n += 1\n", 20) + "\n\nclass Other:\n    def __init__(self):\n        self.m = 1\n"
	at := strings.Count(text[:strings.Index(text, before)], "\n") + 1
	file := qa.FileChange{Path: "a.py", Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: at, End: at}}}
	c := code(t, map[string]string{"a.py": text}, qa.Change{Base: "base", Files: []qa.FileChange{file}})
	c.o.Content = func(context.Context, string, string) ([]byte, error) {
		return []byte(strings.Replace(text, before, "        return 0\n", 1)), nil
	}
	s, _ := c.Side(t.Context(), file, []byte(text))
	assert.Equal(t, s.Text(), `  class Kept:
      def __init__(self, n):
          self.n = n
  
…
      def more(self):
…
      # What it is.
      def taken(self):
-         return 0
+         return self.n
  
  
…
  class Other:
…
`)
}
