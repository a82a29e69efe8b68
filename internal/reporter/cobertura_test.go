package reporter

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/cobertura"
)

// coberturaDTD is coverage-04.dtd by hand: content of each element as a regular
// expression over its children, and its required attributes.
var coberturaDTD = map[string]struct {
	content  string
	required string
}{
	"coverage":   {`^(sources )?packages $`, "line-rate branch-rate lines-covered lines-valid branches-covered branches-valid complexity version timestamp"},
	"sources":    {`^(source )*$`, ""},
	"source":     {`^$`, ""},
	"packages":   {`^(package )*$`, ""},
	"package":    {`^classes $`, "name line-rate branch-rate complexity"},
	"classes":    {`^(class )*$`, ""},
	"class":      {`^methods lines $`, "name filename line-rate branch-rate complexity"},
	"methods":    {`^(method )*$`, ""},
	"lines":      {`^(line )*$`, ""},
	"line":       {`^(conditions )*$`, "number hits"},
	"conditions": {`^(condition )*$`, ""},
	"condition":  {`^$`, "number type coverage"},
}

// validCobertura checks a document against the DTD.
func validCobertura(t testing.TB, doc []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(doc))
	type open struct{ name, children string }
	stack := []open{{}}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		assert.NilError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			rule, ok := coberturaDTD[name]
			assert.Assert(t, ok, "element %s is not in the DTD", name)
			has := map[string]bool{}
			for _, a := range token.Attr {
				has[a.Name.Local] = true
			}
			for _, want := range strings.Fields(rule.required) {
				assert.Assert(t, has[want], "%s lacks %s", name, want)
			}
			stack[len(stack)-1].children += name + " "
			stack = append(stack, open{name: name})
		case xml.EndElement:
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			assert.Assert(t, regexp.MustCompile(coberturaDTD[top.name].content).MatchString(top.children), "%s has %q", top.name, top.children)
		}
	}
	assert.Equal(t, stack[0].children, "coverage ")
}

func TestCobertura(t *testing.T) {
	t.Parallel()
	r := &qa.Report{Started: "2026-11-20T10:00:00Z"}
	r.Coverage.Head = &qa.Coverage{Files: []qa.FileCoverage{
		{Path: "src/b.js", Lines: []qa.LineHit{{Line: 1, Hits: 1}, {Line: 2, Hits: 3, Branches: 4, BranchesTaken: 3}, {Line: 4}}},
		{Path: "src/a&<b>.js", Lines: []qa.LineHit{{Line: 1, Hits: 9}}},
		{Path: "main.go", LineCount: &qa.Count{Covered: 99_999, Total: 100_000}},
		{Path: "../outside.js", Lines: []qa.LineHit{{Line: 1, Hits: 1}}},
	}}
	var out, again bytes.Buffer
	assert.NilError(t, cobertura.Render(&out, r, Options{}))
	assert.NilError(t, cobertura.Render(&again, r, Options{}))
	assert.Equal(t, out.String(), again.String())
	validCobertura(t, out.Bytes())
	golden.Assert(t, out.String(), filepath.Join("cobertura", "lines.golden"))
	for name, r := range situations(t) {
		out.Reset()
		assert.NilError(t, cobertura.Render(&out, r, Options{}), name)
		validCobertura(t, out.Bytes())
	}
}
