package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/org/qa-action/internal/web"
	"github.com/org/qa-action/internal/wording"
)

// fault is what an endpoint says instead of a reply, in whichever way it says it.
type fault struct {
	status  int
	inside  bool // a reply of HTTP 200 that holds an error
	code    string
	kind    string
	param   string
	message string
	header  http.Header
	// window and sent are tokens, zero where the fault does not name them.
	window, sent int
}

// stated is how endpoints write a fault: most under "error" as an object or a
// sentence, some without it, those made with FastAPI under "detail".
type stated struct {
	Error    json.RawMessage `json:"error"`
	Detail   json.RawMessage `json:"detail"`
	Message  json.RawMessage `json:"message"`
	Code     json.RawMessage `json:"code"`
	Type     json.RawMessage `json:"type"`
	Param    json.RawMessage `json:"param"`
	Window   int             `json:"n_ctx"`
	Sent     int             `json:"n_prompt_tokens"`
	Metadata struct {
		Raw json.RawMessage `json:"raw"` // what the provider behind a gateway said
	} `json:"metadata"`
}

// faultOf reads a refusal. A body that is no JSON, a proxy's page for instance, says
// nothing that should be repeated.
func faultOf(status int, header http.Header, body []byte) *fault {
	f := &fault{status: status, header: header}
	var s stated
	if json.Unmarshal(body, &s) != nil && len(s.Error) == 0 {
		return f
	}
	var inner stated
	if bytes.HasPrefix(s.Error, []byte("{")) && (json.Unmarshal(s.Error, &inner) == nil || len(inner.Message) > 0) {
		s, inner = inner, s
	}
	f.code, f.kind, f.param = words(s.Code), words(s.Type), words(s.Param)
	f.message = cmp.Or(words(s.Message), words(s.Error), words(s.Detail))
	if raw := words(s.Metadata.Raw); raw != "" && !strings.Contains(f.message, raw) {
		f.message = strings.TrimPrefix(f.message+": "+raw, ": ")
	}
	f.window, f.sent = s.Window, s.Sent
	return f
}

// faultWithin is the error that a reply of HTTP 200 holds, nil where there is none.
// Gateways that began to answer before they knew give the status as its code.
func faultWithin(header http.Header, raw json.RawMessage) *fault {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	f := faultOf(http.StatusInternalServerError, header, []byte(`{"error":`+string(raw)+`}`))
	f.inside = true
	if n, err := strconv.Atoi(f.code); err == nil && n >= 400 && n <= 599 {
		f.status = n
	} else if strings.HasPrefix(f.code, "rate_limit") {
		f.status = http.StatusTooManyRequests
	}
	return f
}

// words are a value for people: a string without its quotes, anything else as it is.
func words(raw json.RawMessage) string {
	var text string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	}
	return string(raw)
}

// Error is the fault for people: status and message, never a body of HTML.
func (f *fault) Error() string {
	text := fmt.Sprintf("HTTP %d", f.status)
	if f.inside {
		text = fmt.Sprintf("HTTP 200 with an error %d", f.status)
	}
	switch {
	case f.status == http.StatusUnauthorized, f.status == http.StatusForbidden:
		text += " (is model-api-key right for this endpoint?)"
	case f.code == "DeploymentNotFound":
		text += " (on Azure the input model is the name of a deployment)"
	case f.status == http.StatusNotFound, f.status == http.StatusGone:
		text += " (is the model still offered? `qa doctor` tells its shutdown date if listed)"
	case f.status == http.StatusTooManyRequests:
		text += " (rate limit or quota)"
	}
	if f.message != "" {
		text += ": " + wording.Cut(wording.First(f.message), 300)
	}
	return text
}

// says reports whether any field of a fault has one of those words.
func (f *fault) says(any ...string) bool {
	text := strings.ToLower(f.message + " " + f.param + " " + f.code + " " + f.kind)
	for _, word := range any {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// filtered reports whether a filter of the endpoint refused the prompt.
func (f *fault) filtered() bool {
	return f.says("content_filter", "content management policy", "content_policy_violation", "responsibleaipolicyviolation")
}

// spent reports whether a quota is used up that no waiting brings back.
func (f *fault) spent() bool {
	return f.says("insufficient_quota") || f.status == http.StatusPaymentRequired
}

// loading reports whether a local server is still reading the model.
func (f *fault) loading() bool {
	return f.status == http.StatusServiceUnavailable && f.says("loading model")
}

// loadingWait is how long a local server is given between two questions while it reads
// the model; it has model-timeout for all of that.
const loadingWait = 5 * time.Second

// retry says whether an error may pass, and how long to wait: Retry-After
// when given, else 2, 4, 8 s with jitter. A call that took all its time is
// tried once more, and at once.
func retry(err error, retries int) (time.Duration, bool) {
	wait := time.Duration(1<<(min(retries, 10)+1)) * time.Second
	wait += time.Duration(rand.Int64N(int64(wait / 4)))
	var f *fault
	if !errors.As(err, &f) {
		if errors.As(err, new(late)) {
			return 0, retries == 0
		}
		if r := web.Refused(err); r != nil && r.Final() {
			return 0, false
		}
		return wait, true // no HTTP status: the connection broke
	}
	switch {
	case f.spent():
		return 0, false
	case f.loading():
		return loadingWait, true
	case f.status == http.StatusRequestTimeout, f.status == http.StatusConflict, f.status == http.StatusTooManyRequests, f.status >= http.StatusInternalServerError, f.status < http.StatusMultipleChoices:
	default:
		return 0, false
	}
	if after, ok := f.retryAfter(); ok {
		return after, after <= maxRetryAfter
	}
	return wait, true
}

// retryAfter is how long an error asks to wait; ok is false when it does not.
func (f *fault) retryAfter() (wait time.Duration, ok bool) {
	if n, err := strconv.ParseFloat(f.header.Get("Retry-After-Ms"), 64); err == nil && n >= 0 {
		return time.Duration(min(n, 1e9) * float64(time.Millisecond)), true
	}
	text := f.header.Get("Retry-After")
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 {
		return time.Duration(min(n, 1e6) * float64(time.Second)), true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}

// describe is an error for people.
func describe(err error) string {
	var f *fault
	if errors.As(err, &f) {
		return f.Error()
	}
	if r := web.Refused(err); r != nil {
		return r.Error() // its own words are bounded, and say what to do at their end
	}
	return wording.Cut(wording.First(err.Error()), 300)
}
