package reporter

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/wording"
)

// probe runs in the page after axe-core and leaves what it saw in an element
// that the browser then prints.
const probe = `
axe.run(document, {resultTypes: ['violations']}).then(r => {
  const seen = {
    violations: r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ') + ' ' + n.failureSummary).slice(0, 5).join(' | ')),
    passes: r.passes.length,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    loaded: performance.getEntriesByType('resource').map(e => e.name),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    background: getComputedStyle(document.body).backgroundColor,
    unreachable: [...document.querySelectorAll('a[href], summary, [tabindex]')].filter(e => e.tabIndex < 0).length,
    dead: [...document.querySelectorAll('a[href^="#"]')].filter(a => !document.getElementById(a.getAttribute('href').slice(1))).map(a => a.getAttribute('href')),
  };
  const out = document.createElement('pre'); out.id = 'seen'; out.textContent = JSON.stringify(seen); document.body.append(out);
});`

type seen struct {
	Violations, Loaded, Dead []string
	Passes, Wide             int
	Unreachable              int
	Dark                     bool
	Background               string
}

// TestHTMLInABrowser opens the page in Chromium, light and dark, on a desktop
// and on a phone's width, and has axe-core look at it with everything unfolded.
func TestHTMLInABrowser(t *testing.T) {
	if os.Getenv("QA_E2E") != "1" {
		t.Skip("set QA_E2E=1 to open report.html in Chromium (needs chromium and npm)")
	}
	chromium, err := process.LookPath("chromium")
	assert.NilError(t, err, "install chromium")
	axe := axeSource(t)
	for _, name := range []string{"findings-mix", "failing-new-test", "generated-tests", "partial-timeout", "hostile-text", "monorepo", "watched-tests"} {
		var page bytes.Buffer
		assert.NilError(t, Render(&page, "html", situation(t, name+".json"), onHost()))
		for _, scheme := range []string{"light", "dark"} {
			t.Run(name+"/"+scheme, func(t *testing.T) {
				got := visit(t, chromium, page.String(), axe, scheme)
				assert.Equal(t, len(got.Violations), 0, strings.Join(got.Violations, "\n"))
				assert.Assert(t, got.Passes > 15, "axe-core looked at %d rules only", got.Passes)
				assert.Equal(t, got.Dark, scheme == "dark")
				assert.Equal(t, got.Background == "rgb(255, 255, 255)", scheme == "light", got.Background)
				assert.Equal(t, len(got.Loaded), 0, "the page loaded %v", got.Loaded)
				assert.Equal(t, got.Unreachable, 0, "controls out of the keyboard's reach")
				assert.Equal(t, len(got.Dead), 0, "links to nowhere: %v", got.Dead)
				assert.Equal(t, got.Wide, 0, "the page is wider than the screen")
			})
		}
	}
}

// axeSource installs the pinned axe-core and gives its text.
func axeSource(t *testing.T) string {
	t.Helper()
	npm, err := process.LookPath("npm")
	assert.NilError(t, err, "install npm")
	dir := t.TempDir()
	for _, file := range []string{"package.json", "package-lock.json"} {
		raw, err := os.ReadFile(filepath.Join("testdata/browser", file))
		assert.NilError(t, err)
		assert.NilError(t, os.WriteFile(filepath.Join(dir, file), raw, 0o644))
	}
	res, err := process.Run(context.Background(), process.Command{Argv: []string{npm, "ci", "--no-audit", "--no-fund"}, Dir: dir, Env: os.Environ(), Timeout: 3 * time.Minute})
	assert.NilError(t, err)
	assert.Equal(t, res.ExitCode, 0, "%s", res.Stderr)
	raw, err := os.ReadFile(filepath.Join(dir, "node_modules/axe-core/axe.min.js"))
	assert.NilError(t, err)
	return string(raw)
}

func visit(t *testing.T, chromium, page, axe, scheme string) seen {
	t.Helper()
	// The page's own policy forbids the probe; everything is unfolded for it.
	page = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(page, "")
	page = strings.ReplaceAll(page, "<details>", "<details open>")
	page = strings.Replace(page, "</body>", "<script>"+axe+"</script><script>"+probe+"</script></body>", 1)
	dir := t.TempDir()
	file := filepath.Join(dir, "report.html")
	assert.NilError(t, os.WriteFile(file, []byte(page), 0o644))
	blink := map[string]string{"light": "1", "dark": "0"}[scheme]
	res, err := process.Run(context.Background(), process.Command{
		Argv: []string{chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--user-data-dir=" + filepath.Join(dir, "profile"), "--blink-settings=preferredColorScheme=" + blink,
			"--window-size=500,900", "--virtual-time-budget=20000", "--dump-dom", (&url.URL{Scheme: "file", Path: file}).String()},
		Dir: dir, Env: os.Environ(), Timeout: 2 * time.Minute, MaxOutput: 64 << 20,
	})
	assert.NilError(t, err)
	m := regexp.MustCompile(`(?s)<pre id="seen">(.*?)</pre>`).FindStringSubmatch(string(res.Stdout))
	assert.Assert(t, m != nil, "the probe left nothing; %s", wording.Line(string(res.Stderr), 2000))
	var got seen
	assert.NilError(t, json.Unmarshal([]byte(html.UnescapeString(m[1])), &got))
	return got
}
