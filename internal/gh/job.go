package gh

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/sethvargo/go-githubactions"
)

// maxStepSummary is where the runner drops a summary as a whole.
const maxStepSummary = 1 << 20

// matchers are the problem matchers that the setup actions leave active; they
// read our log too, even while commands are stopped.
var matchers = []string{"tsc", "eslint-stylish", "eslint-compact", "python", "go"}

// Job is the runner's side of a run: outputs, summary, masks and the log. The
// library beneath panics without its files, lets commands in text through and
// separates outputs by a fixed word; here none of it happens.
type Job struct {
	action *githubactions.Action
	getenv func(string) string
	log    io.Writer
}

// NewJob writes commands to log, which must be the stream that also takes what
// tests print: the runner reads two streams in no order.
func NewJob(getenv func(string) string, log io.Writer) *Job {
	return &Job{action: githubactions.New(githubactions.WithGetenv(getenv), githubactions.WithWriter(log)), getenv: getenv, log: log}
}

// Active reports whether a runner is there at all.
func (j *Job) Active() bool { return j.getenv("GITHUB_ACTIONS") == "true" }

// command issues one workflow command; the library's panic on a closed log
// becomes an error.
func (j *Job) command(name string, properties githubactions.CommandProperties, message string) (err error) {
	defer func() { err = errors.Join(err, recovered(recover())) }()
	j.action.IssueCommand(&githubactions.Command{Name: name, Properties: properties, Message: message})
	return nil
}

func recovered(p any) error {
	if p == nil {
		return nil
	}
	return fmt.Errorf("talk to the runner: %v", p)
}

// Mask hides secrets from the log: each value, each line of it, and the forms
// in which one is often printed.
func (j *Job) Mask(secrets ...string) error {
	if !j.Active() {
		return nil
	}
	var problems []error
	for _, secret := range secrets {
		forms := map[string]bool{}
		for _, form := range append(strings.Split(secret, "\n"), base64.StdEncoding.EncodeToString([]byte(secret)), url.QueryEscape(secret)) {
			if form = strings.TrimSpace(form); len(form) >= 4 { // shorter ones would mask half the log
				forms[form] = true
			}
		}
		for _, form := range slices.Sorted(maps.Keys(forms)) {
			problems = append(problems, j.command("add-mask", nil, form))
		}
	}
	return errors.Join(problems...)
}

// Stop keeps the runner from obeying what is printed until resume is called:
// test output may hold workflow commands.
func (j *Job) Stop() (resume func() error, err error) {
	if !j.Active() {
		return func() error { return nil }, nil
	}
	for _, owner := range matchers {
		if err := j.command("remove-matcher", githubactions.CommandProperties{"owner": owner}, ""); err != nil {
			return nil, err
		}
	}
	token := rand.Text() // nobody can guess it
	if err := j.command("stop-commands", nil, token); err != nil {
		return nil, err
	}
	return func() error {
		// A line that has no end yet would hide the token.
		_, err := fmt.Fprintf(j.log, "\n::%s::\n", token)
		return err
	}, nil
}

// Error shows an error on the job, at a line of a file where these are known.
func (j *Job) Error(file, line, title, message string) error {
	at := githubactions.CommandProperties{"title": title}
	if file != "" {
		at["file"], at["line"] = file, line
	}
	return j.command("error", at, message)
}

// Outputs sets the step's outputs. Without a runner it does nothing.
func (j *Job) Outputs(values map[string]string) error {
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(values)) {
		if name == "" || strings.ContainsAny(name, "=<\r\n") {
			return fmt.Errorf("set outputs: %q is not a name", name)
		}
		// A delimiter per value that nobody can guess: a value cannot end early
		// and add outputs of its own.
		end := "qa_" + rand.Text()
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s<<%s\n%s\n%s", name, end, values[name], end)
	}
	return j.file("output", b.String())
}

// Summary adds Markdown to the job's summary. What the runner would drop as a
// whole is an error.
func (j *Job) Summary(markdown string) error {
	size := int64(len(markdown)) + 1
	if info, err := os.Stat(j.getenv("GITHUB_STEP_SUMMARY")); err == nil {
		size += info.Size()
	}
	if size > maxStepSummary {
		return fmt.Errorf("write the job summary: %d bytes, expected at most %d", size, maxStepSummary)
	}
	return j.file("step-summary", markdown)
}

// file appends to one of the runner's command files, if it has given one.
func (j *Job) file(name, text string) (err error) {
	path := j.getenv("GITHUB_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")))
	if path == "" || text == "" {
		return nil
	}
	before, missing := os.Stat(path)
	defer func() {
		err = errors.Join(err, recovered(recover()))
		// Half of it, on a full disk, would make the runner refuse all that the file has.
		if err != nil && missing == nil && before.Mode().IsRegular() {
			err = errors.Join(err, os.Truncate(path, before.Size()))
		}
	}()
	j.action.IssueFileCommand(&githubactions.Command{Name: name, Message: text})
	return nil
}

// Disarmed keeps the runner from reading commands in text of others: "::" at
// the start of a line, "##[" anywhere. Each gets a mark of no width in between.
func Disarmed(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "##[", "#\u200b#["), "\n")
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t\r"), "::"); ok {
			lines[i] = ":\u200b:" + rest
		}
	}
	return strings.Join(lines, "\n")
}
