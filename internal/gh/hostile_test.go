package gh

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestHostileAPI: what pretends to be GitHub costs a bounded piece of memory, is
// not asked again, and never gets the token passed on.
func TestHostileAPI(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the request was sent on") }))
	defer other.Close()
	for name, tt := range map[string]struct {
		answer func(http.ResponseWriter)
		text   string
	}{
		"gzip bomb": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			_ = fixture.Bomb(w, 128)
		}, "the reply is larger than 64 MiB unpacked"},
		"many values": {func(w http.ResponseWriter) { _, _ = io.WriteString(w, "["+strings.Repeat("{},", 1_000_000)+"{}]") }, "the reply has more than 1000000 values"},
		"header":      {func(w http.ResponseWriter) { w.Header().Set("X", strings.Repeat("a", 300<<10)) }, "the header of the reply is larger than 256 KiB"},
		"redirect":    {func(w http.ResponseWriter) { w.Header().Set("Location", other.URL+"/repos"); w.WriteHeader(301) }, `leads on to "` + other.URL + `/repos"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "gzip bomb" {
				fixture.WithoutRaceDetector(t) // 64 MiB, byte by byte
			}
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				tt.answer(w)
			}))
			defer server.Close()
			c, err := New(Options{URL: server.URL, Token: "secret", Owner: "o", Repo: "r"})
			assert.NilError(t, err)
			_, err = c.Pull(t.Context(), 7)
			assert.ErrorContains(t, err, tt.text)
			assert.ErrorContains(t, err, "; check GITHUB_API_URL")
			assert.Equal(t, asked.Load(), int64(1))
		})
	}
}
