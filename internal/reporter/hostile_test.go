package reporter

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// evil is what each text of a report is in turn.
var evil = map[string]string{
	"markup":    `<img src=x onerror=zq()> ![p](https://zq.example/p) [x](javascript:zq()) </details></summary></td> <script>zq()</script> ` + "`a` ``b`` <!-- qa-action:v1 --> **b** @zq #1 https://zq.example/q | a | b |",
	"lines":     "x\n::error file=zq::zq\n##[error]zq\r\n::add-mask::zq\n\n# zq\n\n- zq\n\n```\nzq\n```\n<details open>\n",
	"terminal":  "\x1b[31mzq\x1b]8;;https://zq.example\x07x\u009b1m \u202ezq\u2066 \x00\x08",
	"attribute": `" onmouseover="zq()" x='zq' javascript:zq() %0A%0D::error::zq`,
	"path":      "../../zq/\"'<b>/:zq:,a=b%::",
}

// fill puts something into every field that a value has, and text into every string of
// a type of its own or not.
func fill(v reflect.Value, text string, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if depth == 0 {
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fill(v.Elem(), text, depth-1)
	case reflect.Slice:
		if depth == 0 || v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		for i := range v.Len() {
			fill(v.Index(i), text, depth-1)
		}
	case reflect.Map:
		if depth == 0 || v.Type().Key().Kind() != reflect.String {
			return
		}
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		key.SetString(text)
		fill(value, text, depth-1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text, depth)
			}
		}
	case reflect.Int, reflect.Int64:
		if v.Int() == 0 {
			v.SetInt(3)
		}
	case reflect.Float64:
		if v.Float() == 0 {
			v.SetFloat(0.5)
		}
	}
}

// TestEveryTextIsHostile gives every field of a report, those of no situation as well,
// the words of an attacker: the report may be an artifact that the change wrote. Nobody
// renders any of them as more than text.
func TestEveryTextIsHostile(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for _, name := range []string{"proven-regression.json", "generated-tests.json", "inconclusive-zero-tests.json"} {
		for kind, words := range evil {
			t.Run(strings.TrimSuffix(name, ".json")+"/"+kind, func(t *testing.T) {
				t.Parallel()
				r := situation(t, name)
				fill(reflect.ValueOf(r).Elem(), words, 6)
				r.Schema = qa.ReportSchema
				check := Check(r, onHost())
				inertMarkdown(t, "check summary", check.Summary)
				inertMarkdown(t, "check text", check.Text)
				for _, member := range Names() {
					var out bytes.Buffer
					if err := Render(&out, member, r, onHost()); err != nil {
						assert.Assert(t, !strings.ContainsAny(err.Error(), "\n\x1b"), "%s: %q", member, err)
						continue
					}
					inert(t, member, out.String())
				}
			})
		}
	}
}

func inert(t *testing.T, member, out string) {
	t.Helper()
	switch member {
	case "comment", "summary", "markdown":
		inertMarkdown(t, member, out)
	case "console":
		for line := range strings.Lines(out) {
			assert.Assert(t, !strings.HasPrefix(strings.TrimSpace(line), "::") && !strings.Contains(line, "##["), "%q", line)
			assert.Assert(t, !strings.ContainsAny(line, "\x1b\x07\x00\x08\r\u009b\u202e\u2066"), "%q", line)
		}
	case "annotations":
		for line := range strings.Lines(out) {
			command, _, ok := strings.Cut(strings.TrimPrefix(line, "::"), " ")
			assert.Assert(t, ok && (command == "error" || command == "warning" || command == "notice"), "%q", line)
			assert.Assert(t, !strings.ContainsAny(line, "\r\x1b"), "%q", line)
		}
	case "html":
		for _, raw := range []string{"<img", "<script>zq", "<b>", "</details></summary></td>", `href="javascript`, `href="https://zq`, `" onmouseover=`, "<!-- qa-action:v1"} {
			assert.Assert(t, !strings.Contains(out, raw), "%s", raw)
		}
	case "json", "sarif", "check":
		assert.Assert(t, json.Valid([]byte(out)), member)
	case "junit", "cobertura":
		for d := xml.NewDecoder(strings.NewReader(out)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			assert.NilError(t, err, member)
			if e, ok := token.(xml.StartElement); ok {
				assert.Assert(t, e.Name.Local != "img" && e.Name.Local != "script" && e.Name.Local != "b", "%v", e)
			}
		}
	case "outputs":
		for line := range strings.Lines(out) {
			assert.Assert(t, !strings.HasPrefix(line, "::"), "%q", line)
		}
	}
}

// inertMarkdown says that a page holds our markup alone, and nothing that the host
// makes a link or a notification of.
func inertMarkdown(t *testing.T, where, page string) {
	t.Helper()
	onlyOurs(t, where, page)
	assert.Assert(t, !strings.ContainsAny(page, "\x1b\x07\x00\x08\r\u009b\u202e\u2066"), where)
	source := []byte(page)
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	_ = ast.Walk(md.Parser().Parse(text.NewReader(source)), func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Heading:
			assert.Assert(t, !strings.HasPrefix(string(n.Lines().Value(source)), "zq"), "%s: a heading", where)
		case *ast.Text:
			said := string(n.Segment.Value(source))
			for _, raw := range []string{"@zq", "://zq"} {
				assert.Assert(t, !enter || !strings.Contains(said, raw), "%s: %q", where, said)
			}
		}
		return ast.WalkContinue, nil
	})
	assert.Assert(t, strings.Count(page, "<!-- qa-action") <= 1, fmt.Sprintf("%s: another mark", where))
}
