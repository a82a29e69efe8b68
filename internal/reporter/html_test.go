package reporter

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// loading is every way a page fetches or runs something.
var loading = regexp.MustCompile(`(?i)<(script|link|img|iframe|object|embed|video|audio|source|base|form|input|button)\b|\son[a-z]+\s*=\s*["']|\ssrc(set)?\s*=|@import|url\(|javascript:|<use\b|xlink:`)

// TestHTMLLoadsNothing: no script, no request, in any situation; external
// addresses stand in links that a person follows, nowhere else.
func TestHTMLLoadsNothing(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for name, r := range situations(t) {
		if name == "flood" {
			continue
		}
		var out bytes.Buffer
		assert.NilError(t, Render(&out, "html", r, onHost()))
		markup := regexp.MustCompile(`>[^<]*<`).ReplaceAllString(out.String(), "><") // text is not markup
		if m := loading.FindString(markup); m != "" {
			t.Errorf("%s holds %q", name, m)
		}
		for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(markup, -1) {
			assert.Assert(t, strings.HasPrefix(m[1], "#") || strings.HasPrefix(m[1], "https://github.com/octo-org/shop/"), "%s links %s", name, m[1])
		}
		assert.Assert(t, strings.Contains(out.String(), `content="default-src 'none'; style-src 'unsafe-inline'`), name)
	}
}
