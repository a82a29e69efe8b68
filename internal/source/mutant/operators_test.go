package mutant

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// Error branches, jumps, regular expressions, statements and constants have wrong
// versions, in every language: else a test of them cannot show that it notices any.
func TestMutantsOfErrorsJumpsAndExpressions(t *testing.T) {
	t.Parallel()
	for file, tc := range map[string]struct{ src, want string }{
		"a.js": {`function f(list, n) {
  if (!n)
    throw new RangeError('n is ' + n)
  const word = /^\w+$/g
  const same = new RegExp("[^a]b")
  this.seen = n
  for (const a of list) {
    if (a.skip)
      continue
    if (a.last)
      break
    switch (a.kind) { case 1:
      break
    }
  }
  delete this.old
  const rate = 0.5
  if (n > 9)
    return Promise.reject(n)
  list = []
  module.exports = f
}
`, `2:7 ConditionalNegation "!n" -> "n"
3:5 RemovedError "throw new RangeError('n is ' + n)" -> "void 0;"
4:17 RegularExpression "^\\w+$" -> "\\w+$"
5:27 RegularExpression "\"[^a]b\"" -> "\"[a]b\""
6:3 RemovedStatement "this.seen = n" -> "void 0"
8:9 ConditionalNegation "a.skip" -> "!(a.skip)"
9:7 Jump "continue" -> "break;"
10:9 ConditionalNegation "a.last" -> "!(a.last)"
11:7 Jump "break" -> "void 0;"
12:28 Constant "1" -> "2"
16:3 RemovedStatement "delete this.old" -> "void 0"
17:16 Constant "0.5" -> "1.5"
18:9 ConditionalBoundary ">" -> ">="
19:12 RemovedError "Promise.reject(n)" -> "undefined"
20:3 RemovedStatement "list = []" -> "void 0"
`},
		"a.py": {`def f(self, rows):
    for row in rows:
        if row.skip:
            continue
        if row.last:
            break
        self.total = row
        rows[0] = row
    found = re.match(r"^\d+", rows)
    if not found:
        raise ValueError("no %s" % rows)
    local = rows
    del self.cache
    return found
`, `3:12 ConditionalNegation "row.skip" -> "not (row.skip)"
4:13 Jump "continue" -> "break"
5:12 ConditionalNegation "row.last" -> "not (row.last)"
6:13 Jump "break" -> "pass"
7:9 RemovedStatement "self.total = row" -> "pass"
8:9 RemovedStatement "rows[0] = row" -> "pass"
9:22 RegularExpression "r\"^\\d+\"" -> "r\"\\d+\""
10:8 ConditionalNegation "not found" -> "found"
11:9 RemovedError "raise ValueError(\"no %s\" % rows)" -> "pass"
13:5 RemovedStatement "del self.cache" -> "pass"
14:12 ReturnValue "found" -> "None"
`},
		"a.go": {"package a\n\nimport (\n\t\"fmt\"\n\t\"regexp\"\n)\n\nvar word = regexp.MustCompile(`^\\w+$`)\n\n" + `func (c *C) F(list []T) (int, error) {
	for _, a := range list {
		if a.Skip {
			continue
		}
		if a.Last {
			break
		}
		c.seen = a
	}
	for {
		if c.Done() {
			break
		}
	}
	if err := c.check(); err != nil {
		return 0, err
	}
	if c.bad {
		return 0, fmt.Errorf("bad %v", c)
	}
	return c.n, nil
}
`, "8:31 RegularExpression \"`^\\\\w+$`\" -> \"`\\\\w+$`\"\n" + `12:6 ConditionalNegation "a.Skip" -> "!(a.Skip)"
13:4 Jump "continue" -> "break"
15:6 ConditionalNegation "a.Last" -> "!(a.Last)"
16:4 Jump "break" -> "_ = 0"
18:3 RemovedStatement "c.seen = a" -> "_ = 0"
21:6 ConditionalNegation "c.Done()" -> "!(c.Done())"
25:27 EqualityOperator "!=" -> "=="
26:13 RemovedError "err" -> "nil"
28:5 ConditionalNegation "c.bad" -> "!(c.bad)"
29:13 RemovedError "fmt.Errorf(\"bad %v\", c)" -> "func() error { _ = fmt.Errorf(\"bad %v\", c); return nil }()"
31:9 ReturnValue "c.n" -> "0"
`},
	} {
		mutants, err := Make(file, []byte(tc.src), []qa.Range{{Start: 1, End: 99}})
		assert.NilError(t, err)
		assert.Equal(t, mutantText(mutants), tc.want)
	}
}

func TestOtherExpressions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`^a`: `a`, `a$`: `a`, `a\$`: ``, `a\\$`: `a\\`, `a+b`: `a*b`, `a*`: `a+`, `[a+]`: ``, `[^a]`: `[a]`, `\\d`: ``, `\d`: `\D`, `a|b`: ``, ``: ``, `^`: ``, `+`: ``, `[\s]`: `[\S]`,
	} {
		got, ok := otherExpression(text)
		assert.Equal(t, got, want, text)
		assert.Equal(t, ok, want != "", text)
	}
}

// Adding nothing, or multiplying by one, is the same as taking it away: no test could tell
// such a version, and another one of the line is made.
func TestNoVersionsThatDoTheSame(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"i += 0": "-> \"1\"", "i += 0.5": "-> \"-=\"", "i += 01": "-> \"-=\"", "i += 1": "-> \"-=\"", "i = n * 1": "-> \"void 0\"", "i = n * 10": "-> \"/\"", "i = n - 0": "-> \"void 0\"",
	} {
		all, err := Make("a.js", []byte("function f(n) {\n  let i = n\n  "+line+"\n  return i\n}\n"), []qa.Range{{Start: 3, End: 3}})
		assert.NilError(t, err)
		assert.Equal(t, len(all), 1, line)
		assert.Equal(t, "-> \""+all[0].Replacement+"\"", want, line)
	}
}
