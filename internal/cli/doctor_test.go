package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/cli/doctor"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// examine runs the doctor on a small repository against an API and a model
// endpoint, and gives the exit code and the row of one check.
func examine(t *testing.T, server *httptest.Server, name string, args ...string) (int, doctor.Check) {
	t.Helper()
	repo := fixture.New(t, "gotest")
	env := map[string]string{"GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "octo-org/shop"}
	var out strings.Builder
	code := Main(t.Context(), Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: t.Output(), Dir: repo.Dir, Getenv: func(n string) string { return env[n] }},
		append([]string{"doctor", "--json", "--runtime", "host"}, args...))
	var got doctor.Findings
	assert.NilError(t, json.Unmarshal([]byte(out.String()), &got), out.String())
	i := slices.IndexFunc(got.Checks, func(c doctor.Check) bool { return c.Name == name })
	assert.Assert(t, i >= 0, "no check %s in %s", name, out.String())
	return code, got.Checks[i]
}

func TestDoctorAsksWhatTheTokenMayDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		reply  string
		args   []string
		code   int
		state  string
		want   string
	}{
		"may push":             {200, `{"permissions":{"pull":true,"push":true}}`, nil, exitOK, doctor.OK, "reads octo-org/shop, scopes repo; may push commits"},
		"reads only":           {200, `{"permissions":{"pull":true}}`, nil, exitOK, doctor.OK, "may not push commits, which nothing here needs"},
		"reads, must deliver":  {200, `{"permissions":{"pull":true}}`, []string{"--deliver", "commit"}, exitInconclusive, doctor.Problem, "may not push, which deliver commit needs"},
		"reads, must remember": {200, `{"permissions":{"pull":true}}`, []string{"--history", "branch"}, exitOK, doctor.Warning, "nothing is remembered on the branch qa-history"},
		"wrong":                {401, `{"message":"Bad credentials"}`, nil, exitInconclusive, doctor.Problem, "Bad credentials"},
		"no such repository":   {404, `{"message":"Not Found"}`, nil, exitInconclusive, doctor.Problem, "404"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "may push" {
				fixture.WithoutRaceDetector(t)
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assert.Check(t, r.URL.Path == "/repos/octo-org/shop", r.URL.Path)
				assert.Check(t, r.Header.Get("Authorization") == "Bearer ghs_x")
				w.Header().Set("X-OAuth-Scopes", "repo")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.reply))
			}))
			t.Cleanup(server.Close)
			code, row := examine(t, server, "token", append(c.args, "--github-token", "ghs_x")...)
			assert.Equal(t, row.State, c.state, row.Detail)
			assert.Equal(t, code, c.code)
			assert.Assert(t, strings.Contains(row.Detail, c.want), row.Detail)
			assert.Assert(t, row.State == doctor.OK || row.Fix != "")
			assert.Assert(t, !strings.Contains(row.Detail+row.Fix, "ghs_x"))
		})
	}
}

func TestDoctorCallsTheModel(t *testing.T) {
	t.Parallel()
	const reply = `{"model":"m","choices":[{"message":{"content":"p"},"finish_reason":"length"}]}`
	for name, c := range map[string]struct {
		list  string
		chat  func(asked map[string]any) (int, string)
		code  int
		state string
		want  string
	}{
		"answers": {"", func(asked map[string]any) (int, string) {
			if asked["max_completion_tokens"] != 1.0 {
				return 500, `{}`
			}
			return 200, reply
		}, exitOK, doctor.OK, "m answers"},
		"knows the older name of the limit only": {"", func(asked map[string]any) (int, string) {
			if asked["max_tokens"] != 1.0 {
				return 400, `{"error":{"message":"unknown parameter"}}`
			}
			return 200, reply
		}, exitOK, doctor.OK, "m answers"},
		"is about to go": {`{"id":"m","deprecation":"2026-12-31"}`, func(map[string]any) (int, string) { return 200, reply }, exitOK, doctor.Warning, "2026-12-31 as its last day"},
		"wrong key":      {"", func(map[string]any) (int, string) { return 401, `{"error":{"message":"no"}}` }, exitInconclusive, doctor.Problem, "is model-api-key right for this endpoint?"},
		"not a model":    {"", func(map[string]any) (int, string) { return 200, `{"choices":[]}` }, exitInconclusive, doctor.Problem, "no choices"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "answers" {
				fixture.WithoutRaceDetector(t)
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if r.URL.Path == "/v1/models/m" {
					if c.list == "" {
						w.WriteHeader(http.StatusNotFound)
					}
					_, _ = w.Write([]byte(c.list))
					return
				}
				assert.Check(t, r.URL.Path == "/v1/chat/completions", r.URL.Path)
				var asked map[string]any
				assert.Check(t, json.NewDecoder(r.Body).Decode(&asked))
				status, text := c.chat(asked)
				w.WriteHeader(status)
				_, _ = w.Write([]byte(text))
			}))
			t.Cleanup(server.Close)
			code, row := examine(t, server, "model", "--model", "m", "--model-base-url", server.URL+"/v1", "--model-api-key", "sk-x")
			assert.Equal(t, row.State, c.state, row.Detail)
			assert.Equal(t, code, c.code)
			assert.Assert(t, strings.Contains(row.Detail, c.want), row.Detail)
		})
	}
}
