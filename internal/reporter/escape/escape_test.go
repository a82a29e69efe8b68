package escape

import (
	stdhtml "html"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/wording"
)

func TestProse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"two\nlines  here":    "two lines here",
		"@octocat":            "@" + zwsp + "octocat",
		"see #12 and GH-3":    `see \#` + zwsp + "12 and GH-" + zwsp + "3",
		"https://x.example/a": "https:" + zwsp + "//x.example/a",
		"www.x.example":       "www" + zwsp + ".x.example",
		"fix 4b8e0a1c2d now":  "fix 4b8e0a" + zwsp + "1c2d now",
		":tada:":              ":" + zwsp + "tada:",
		"<!-- x -->":          "&lt;!-- x --&gt;",
		"![p](u)":             `!\[p\](u)`,
		"a|b\\c`d":            "a&#124;b&#92;c&#96;d",
		"1. list":             `1\. list`,
		"98.58 %":             "98.58 %",
		"- list":              `\- list`,
		"":                    "",
		"&lt;":                "&amp;lt;",
	} {
		assert.Equal(t, Prose(in, 200), want, "%q", in)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, Name("abcdefghijklmnop", 9), "abcd…mnop")
	assert.Equal(t, Name("äöüäöüäöüäöü", 5), "äö…öü")
	assert.Equal(t, Name("short", 9), "short")
	assert.Equal(t, utf8.RuneCountInString(wording.Line(strings.Repeat("x", 500), 100)), 100)
}

func TestBlock(t *testing.T) {
	t.Parallel()
	assert.Equal(t, Block("sh", "echo ```` x", 5, 100), "`````sh\necho ```` x\n`````\n")
	assert.Equal(t, Block("text", "1\n2\n3\n4", 2, 100), "```text\n1\n2\n… 2 of 4 lines\n```\n")
	assert.Assert(t, !strings.Contains(Block("text", "<!-- marker -->", 2, 100), "<!--"))
}

func TestText(t *testing.T) {
	t.Parallel()
	assert.Equal(t, Paragraphs("aé", 10), "aé")
	long := Paragraphs(strings.Repeat("é", 100), 50)
	assert.Assert(t, len(long) <= 50 && utf8.ValidString(long), long)
}

var hostileSeeds = []string{
	"@octocat #1 GH-2 a/b#3 4b8e0a1c2d3e4f50", "![x](https://evil.example/p.png)", "[x](javascript:alert(1))", "<img src=x onerror=alert(1)>",
	"<!-- qa-action:v1 -->", "</details></summary></sub>", "a@evil.example", "`` ` ``` ````", "a | b \\| c \\\\| d", "\n\n# heading\n\n- list\n\n---\n",
	"***bold*** __x__ ~~y~~", "[^1]: foot [^1]", "> quote", "&lt;script&gt; &#64;x &commat;octocat", "\x1b[31m\u202e\u2066\x00\x9b1m", "\\", "``", "|", "http://a.b www.a.b ftp://a.b",
	"::error::x ##[error]y %0A", "\u2028\u2029\u0085", strings.Repeat("w", 500), "$`x`$ $$y$$", ":tada: :::", "<details>", "<a href=//evil.example>",
}

// FuzzMarkdown puts hostile text into every Markdown context and has a real
// parser say that nothing but text came out.
func FuzzMarkdown(f *testing.F) {
	for _, s := range hostileSeeds {
		f.Add(s)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(html.WithUnsafe()))
	f.Fuzz(func(t *testing.T, s string) {
		p, c := Prose(s, 300), Code(s, 120)
		for _, part := range []string{p, c} {
			assert.Assert(t, utf8.ValidString(part))
			assert.Assert(t, !strings.ContainsAny(part, "\n\r|\x1b\x00"), "%q", part)
			assert.Assert(t, !strings.Contains(part, "<!--"), "%q", part)
			assert.Assert(t, strings.IndexFunc(part, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) }) < 0, "%q", part)
		}
		assert.Assert(t, !linked.MatchString(stdhtml.UnescapeString(p)), "%q", p)
		assert.Assert(t, len(p) <= 300*12+8 && len(c) <= 120*12+16)

		// A table of one row with two cells stays one, and holds only text.
		page := "| a | b |\n|---|---|\n| " + p + " | " + c + " |\n\nafter\n"
		source := []byte(page)
		doc := md.Parser().Parse(text.NewReader(source))
		rows, cells := 0, 0
		_ = ast.Walk(doc, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
			if !enter {
				return ast.WalkContinue, nil
			}
			switch n := n.(type) {
			case *extast.TableRow:
				rows++
			case *extast.TableCell:
				cells++
			case *ast.RawHTML:
				raw := string(n.Segments.Value(source))
				assert.Assert(t, raw == "<code>" || raw == "</code>", "raw HTML %q from %q", raw, s)
			case *ast.Link, *ast.Image, *ast.AutoLink, *ast.Emphasis, *ast.HTMLBlock, *ast.Heading, *ast.List, *ast.Blockquote, *ast.ThematicBreak, *extast.Strikethrough, *extast.FootnoteLink:
				t.Errorf("%s came out of %q: %q", n.Kind(), s, page)
			}
			return ast.WalkContinue, nil
		})
		assert.Equal(t, rows, 1, "%q", page)
		assert.Equal(t, cells, 4, "%q", page)

		// A fenced block stays one.
		fenced := []byte(Block("text", s, 20, 1000) + "after\n")
		doc = md.Parser().Parse(text.NewReader(fenced))
		assert.Equal(t, doc.ChildCount(), 2, "%q", fenced)
		assert.Equal(t, doc.FirstChild().Kind(), ast.KindFencedCodeBlock, "%q", fenced)
		assert.Assert(t, !strings.Contains(string(fenced), "<!--"))
	})
}

// linked is what the host's link finders look for in text.
var linked = regexp.MustCompile(`(?i)@[a-z0-9]|#\d|\bgh-\d|://|\bwww\.|\b[0-9a-f]{7,64}\b`)

func TestFencedCodeCannotBreakOut(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"fence":       "a\n```\n@everyone <img src=x>\n",
		"long fence":  "````\n`````\n",
		"our mark":    "<!-- qa-action -->",
		"terminal":    "\x1b]8;;https://example.com\x07x",
		"hidden text": "a\u200b\U000E0041b",
		"too long":    strings.Repeat("x\n", 500),
		"wide":        strings.Repeat("x", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Fenced(text, "a_test.go", 10)
			lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
			fence := strings.TrimSuffix(lines[0], "go")
			if strings.Trim(fence, "`") != "" || lines[len(lines)-1] != fence {
				t.Fatalf("no fence around %q", got)
			}
			inside := strings.Join(lines[1:len(lines)-1], "\n")
			if strings.Contains(inside, fence) || strings.Contains(inside, "<!--") || strings.ContainsAny(inside, "\x1b\U000E0041") || len(lines) > 13 || len(got) > 1000 {
				t.Errorf("got %q", got)
			}
		})
	}
}

// FuzzTerminal: no text of others becomes a workflow command in a log.
func FuzzTerminal(f *testing.F) {
	for _, s := range hostileSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Terminal(s, 200)
		assert.Assert(t, !strings.ContainsAny(out, "\n\r\x1b"))
		assert.Assert(t, !strings.HasPrefix(strings.TrimLeft(out, " \t"), "::"), "%q", out)
		assert.Assert(t, !strings.Contains(out, "##["), "%q", out)
	})
}
