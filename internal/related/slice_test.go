package related

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// Of a long function is shown how it begins and ends, what is near the change and
// encloses it, and the lines with a word of it, also of what it took away; not the rest.
func TestLongFunctionsAreSliced(t *testing.T) {
	t.Parallel()
	var now strings.Builder
	now.WriteString("func parse(input string) int {\n\tstate := 0\n\tfor rest != nothing {\n")
	for i := range 200 {
		switch i {
		case 20:
			now.WriteString("\t\tdepth := state\n")
		case 40:
			now.WriteString("\t\tcloses := state\n")
		case 100:
			now.WriteString("\t\tif state {\n")
		case 120:
			now.WriteString("\t\t\tdepth--\n")
		case 140:
			now.WriteString("\t\t}\n")
		case 160:
			now.WriteString("\t\tif odd {\n\t\t\twork()\n\t\t\tmore()\n\t\t\tlast()\n\t\t\tcloses = 0\n")
		case 180:
			now.WriteString("\t\t\t// closes nothing\n")
		default:
			fmt.Fprintf(&now, "\t\t\tstate = work%d(state)\n", i)
		}
	}
	now.WriteString("\t}\n\treturn state\n}\n")
	source := now.String()
	before := strings.Replace(source, "depth--\n", "depth -= closes\n", 1)
	s := Side{Path: "a.go", Source: source, Before: before, Added: []qa.Range{{Start: 124, End: 124}}}
	fn := qa.Range{Start: 1, End: strings.Count(source, "\n")}
	s.Whole = s.sliced(fn)
	text := s.Text()
	for _, want := range []string{"func parse(", "for rest", "depth := state", "closes := state", "if state {", "- \t\t\tdepth -= closes", "+ \t\t\tdepth--", "work119(", "  }\n", "if odd {", "closes = 0"} {
		assert.Assert(t, strings.Contains(text, want), want)
	}
	for _, not := range []string{"work80(", "work170(", "closes nothing", "more()"} {
		assert.Assert(t, !strings.Contains(text, not), not)
	}
	assert.Assert(t, strings.Count(text, "\n") < 60, text)

	short := qa.Range{Start: 1, End: longBody}
	assert.DeepEqual(t, s.sliced(short), []qa.Range{short})
	written := Side{Path: "a.go", Source: source, Added: []qa.Range{fn}}
	assert.DeepEqual(t, written.sliced(fn), []qa.Range{fn})
}

// Terms of use are nobody's question, unless the change is about them.
func TestLicencesAreLeftOut(t *testing.T) {
	t.Parallel()
	const terms = "/*!\n * demo\n * Copyright of its authors\n * MIT Licensed\n */\n\n"
	const code = "'use strict'\n\nfunction a() {}\n"
	s := Side{Path: "a.js", Source: terms + code, Before: terms + code + "a()\n"}
	assert.Equal(t, s.Text(), "…\n  \n  'use strict'\n  \n  function a() {}\n- a()\n")
	s.Before = strings.Replace(terms, "MIT", "ISC", 1) + code
	assert.Assert(t, strings.Contains(s.Text(), "+  * MIT Licensed"))
	for _, kept := range []string{"// One line of a licence\n" + code, "// What this file\n// is for\n" + code, code, strings.Repeat("// licence\n", 60+1)} {
		whole := Side{Path: "a.js", Source: kept}
		assert.Assert(t, !strings.Contains(whole.Text(), "…"), kept)
	}
}
