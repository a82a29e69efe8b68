package reporter

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// ours is the HTML that the pages themselves use.
var ours = regexp.MustCompile(`^(</?(details|sub|code|br)>|<summary>[^<]*</summary>|\s)*$`)

// TestMarkdownHoldsOnlyOurMarkup parses every Markdown page of every situation,
// the hostile one above all: links lead to the repository, nothing is an
// image, raw HTML is of the few elements we write, and folds are balanced.
func TestMarkdownHoldsOnlyOurMarkup(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for name, r := range situations(t) {
		check := Check(r, onHost())
		pages := map[string]string{"check summary": check.Summary, "check text": check.Text}
		for _, member := range []string{"comment", "summary", "markdown"} {
			if name == "flood" && member != "comment" {
				continue
			}
			var out bytes.Buffer
			assert.NilError(t, Render(&out, member, r, onHost()))
			pages[member] = out.String()
		}
		for member, page := range pages {
			onlyOurs(t, name+"/"+member, page)
		}
	}
}

func onlyOurs(t *testing.T, where, page string) {
	t.Helper()
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	source := []byte(page)
	html := ""
	_ = ast.Walk(md.Parser().Parse(text.NewReader(source)), func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if !enter {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			assert.Assert(t, strings.HasPrefix(string(n.Destination), "https://github.com/octo-org/shop/"), "%s links %s", where, n.Destination)
		case *ast.Image, *ast.AutoLink:
			t.Errorf("%s holds a %s", where, n.Kind())
		case *ast.RawHTML:
			raw := string(n.Segments.Value(source))
			assert.Assert(t, ours.MatchString(raw), "%s holds %q", where, raw)
			html += raw
		case *ast.HTMLBlock:
			raw := string(n.Lines().Value(source))
			assert.Assert(t, ours.MatchString(raw), "%s holds %q", where, raw)
			html += raw
		}
		return ast.WalkContinue, nil
	})
	for _, element := range []string{"details", "summary", "sub", "code"} {
		assert.Equal(t, strings.Count(html, "<"+element+">"), strings.Count(html, "</"+element+">"), "%s: %s", where, element)
	}
}
