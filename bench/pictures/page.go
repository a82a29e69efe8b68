package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
)

// page is what one picture shows.
type page struct {
	name          string
	text          string // HTML
	width, height int
}

// pagesOf makes pages of what the demo left.
func pagesOf(project string) ([]page, error) {
	console, err := os.ReadFile(filepath.Join(project, "console.txt"))
	if err != nil {
		return nil, err
	}
	comment, err := os.ReadFile(filepath.Join(project, "comment.md"))
	if err != nil {
		return nil, err
	}
	_, session, err := repo.Report(project)
	if err != nil {
		return nil, err
	}
	report, err := os.ReadFile(filepath.Join(session, "report.html"))
	if err != nil {
		return nil, err
	}
	var rendered bytes.Buffer
	// GitHub shows tables, and the HTML that it allows; we write no other.
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(renderer.WithUnsafe()))
	if err := md.Convert(comment, &rendered); err != nil {
		return nil, err
	}
	shown, _, _ := strings.Cut(string(console), "\nThat was the demo")
	return []page{
		{"console", terminal("$ qa run\n" + shown), 920, 880},
		{"comment", conversation(rendered.String()), 920, 1100},
		{"comment-phone", conversation(rendered.String()), 500, 1100},
		{"page", string(report), 1100, 1100},
		{"page-phone", string(report), 500, 1100},
	}, nil
}

const look = `<!doctype html><meta charset="utf-8"><style>
:root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--line:#d1d9e0;--soft:#f6f8fa;--link:#0969da;--quiet:#59636e}
@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#f0f6fc;--line:#3d444d;--soft:#151b23;--link:#4493f8;--quiet:#9198a1}}
body{margin:0;padding:16px;background:var(--bg);color:var(--fg);font:14px/1.5 system-ui,"Segoe UI",Helvetica,Arial,sans-serif}
`

// terminal is text as a terminal shows it.
func terminal(text string) string {
	return look + `pre{margin:0;padding:14px 16px;border:1px solid var(--line);border-radius:8px;background:var(--soft);font:12.5px/1.45 ui-monospace,"DejaVu Sans Mono",monospace}
</style><pre>` + html.EscapeString(text) + `</pre>`
}

// conversation is a comment as the page of a pull request shows it.
func conversation(body string) string {
	return look + `.box{border:1px solid var(--line);border-radius:6px;overflow:hidden}
.head{padding:8px 16px;background:var(--soft);border-bottom:1px solid var(--line);color:var(--quiet)}
.head b{color:var(--fg)}
.body{padding:16px;overflow-wrap:break-word}
.body>:first-child{margin-top:0}
h1,h2,h3{font-weight:600;line-height:1.25;margin:24px 0 16px}
h2{font-size:1.5em;padding-bottom:.3em;border-bottom:1px solid var(--line)}
h3{font-size:1.25em}
table{display:block;width:max-content;max-width:100%;overflow:auto;border-collapse:collapse;margin-bottom:16px}
th,td{padding:6px 13px;border:1px solid var(--line)}
tr:nth-child(2n){background:var(--soft)}
code{padding:.2em .4em;border-radius:6px;background:#818b981f;font:85% ui-monospace,"DejaVu Sans Mono",monospace}
pre{padding:16px;overflow:auto;border-radius:6px;background:var(--soft)}
pre code{padding:0;background:none}
a{color:var(--link)}
details{margin-bottom:16px}
blockquote{margin:0 0 16px;padding:0 1em;color:var(--quiet);border-left:.25em solid var(--line)}
</style><div class="box"><div class="head"><b>github-actions</b> bot commented</div><div class="body">` + body + `</div></div>`
}

// shoot takes the picture of a page in a colour scheme.
func (p page) shoot(ctx context.Context, work, scheme, to string) error {
	chromium, err := process.LookPath("chromium")
	if err != nil {
		return fmt.Errorf("install chromium: %w", err)
	}
	file := filepath.Join(work, p.name+".html")
	if err := os.WriteFile(file, []byte(p.text), 0o600); err != nil {
		return err
	}
	dark := "0"
	if scheme == "light" {
		dark = "1"
	}
	res, err := process.Run(ctx, process.Command{
		Argv: []string{chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
			"--user-data-dir=" + filepath.Join(work, "profile"), "--blink-settings=preferredColorScheme=" + dark,
			fmt.Sprintf("--window-size=%d,%d", p.width, p.height), "--screenshot=" + to, (&url.URL{Scheme: "file", Path: file}).String()},
		Dir: work, Env: os.Environ(), Timeout: 2 * time.Minute,
	})
	if err != nil {
		return err
	}
	if _, err := os.Stat(to); err != nil {
		return fmt.Errorf("chromium took no picture: %s", res.Stderr)
	}
	return nil
}
