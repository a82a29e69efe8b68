package llm

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// spaces are a reply that never says anything.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestHostileEndpoint: what an endpoint answers costs a bounded piece of memory
// and time, is not asked for again, and is told with its limit.
func TestHostileEndpoint(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the prompt was sent on") }))
	defer other.Close()
	packed := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		_ = fixture.Bomb(w, 1024)
	}
	plain := func(text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, text)
		}
	}
	for name, tt := range map[string]struct {
		reply func(http.ResponseWriter)
		text  string
	}{
		"gzip bomb":    {packed, "the reply is larger than 4 MiB unpacked"},
		"endless":      {func(w http.ResponseWriter) { _, _ = io.Copy(w, spaces{}) }, "the reply is larger than 4 MiB unpacked"},
		"many choices": {plain(`{"choices":[` + strings.Repeat("{},", 100_000) + "{}]}"), "the reply has more than 100000 values"},
		"deep":         {plain(`{"choices":` + strings.Repeat("[", 1000)), "the reply has more than 100 levels of nesting"},
		"redirect": {func(w http.ResponseWriter) {
			w.Header().Set("Location", other.URL+"/v1/chat/completions")
			w.WriteHeader(http.StatusTemporaryRedirect)
		}, `leads on to "` + other.URL},
		"bomb as refusal": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadRequest); _, _ = io.Copy(w, spaces{}) },
			"the reply is larger than 4 MiB unpacked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, e, slept := open(t, func(o *Options) { o.Deadline = time.Minute }, tt.reply, tt.reply)
			_, err := Asker[verdict](c)(t.Context(), Request{Job: "j", Prompt: "p"})
			assert.ErrorIs(t, err, ErrUnavailable)
			assert.ErrorContains(t, err, tt.text)
			assert.ErrorContains(t, err, "; check model-base-url")
			assert.Equal(t, len(e.bodies), 1)
			assert.Equal(t, len(*slept), 0)
			assert.Check(t, strings.Contains(c.Use().Error, "without a usable reply"), c.Use().Error)
		})
	}
}

// TestSlowEndpoint: the deadline is that of the whole reply.
func TestSlowEndpoint(t *testing.T) {
	t.Parallel()
	drip := func(w http.ResponseWriter) {
		for range 100 {
			if _, err := io.WriteString(w, " "); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	}
	c, _, _ := open(t, func(o *Options) { o.Deadline = 200 * time.Millisecond }, drip, drip, drip)
	_, err := Asker[verdict](c)(t.Context(), Request{Job: "j", Prompt: "p"})
	assert.ErrorContains(t, err, "no reply within 200ms (input model-timeout)")
}
