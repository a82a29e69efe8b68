// Package recording keeps what a model was asked and answered in a case of one
// run in a file that people read: question, answer and digest side by side. The
// words that are equal in all questions of a kind are in one file of their own.
// Start at [Read].
package recording

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/org/qa-action/internal/llm"
)

// Recording is one case of one run.
type Recording struct {
	Model     string     `yaml:"model"`
	Exchanges []Exchange `yaml:"-"`
}

// Exchange is a question with its answer.
type Exchange struct {
	llm.Exchange
	// Recorded is the digest under which the answer was recorded.
	Recorded string
}

// Stale says that today's common words or the question are not those that were
// answered.
func (e Exchange) Stale() bool { return e.Digest() != e.Recorded }

// Tokens are those of questions and of their answers, of four characters each.
func Tokens(all []Exchange) (asked, answered int) {
	for _, e := range all {
		question := len(e.System + e.Schema + e.Prompt)
		asked += question / 4
		answered += (question+len(e.Reply))/4 - question/4
	}
	return asked, answered
}

// Title names the exchange as its file does.
func (e Exchange) Title() string { return fmt.Sprintf("%s %d", e.Job, e.Variant) }

const (
	extension = ".txtar"
	system    = "system"
	schema    = "schema"
	question  = "question"
	answer    = "answer"
)

// File is where a case of a run is kept, below the folder of all recordings.
func File(dir, run, id string) string { return filepath.Join(dir, run, id+extension) }

// Read reads a file of recorded exchanges. The common words are beside the
// folder of its run.
func Read(name string) (Recording, error) {
	var r Recording
	archive, err := txtar.ParseFile(name)
	if err != nil {
		return r, err
	}
	if err := yaml.Unmarshal(archive.Comment, &r); err != nil {
		return r, fmt.Errorf("read %s: %w", name, err)
	}
	common := beside(name)
	var e Exchange
	for _, f := range archive.Files {
		if part, ok := strings.CutPrefix(f.Name, question+" "); ok {
			var number int
			if _, err := fmt.Sscanf(part, "%d %s %d %s", &number, &e.Job, &e.Variant, &e.Recorded); err != nil {
				return r, fmt.Errorf("read %s: section %q: expected number, job, variant and digest: %w", name, f.Name, err)
			}
			e.Model, e.Prompt = r.Model, strings.TrimSuffix(string(f.Data), "\n")
			if e.System, e.Schema, err = common.read(e.Job); err != nil {
				return r, fmt.Errorf("read %s: %w", name, err)
			}
			continue
		}
		if e.Job == "" || f.Name != answer+" "+e.Recorded {
			return r, fmt.Errorf("read %s: section %q: expected a question, then the answer of its digest", name, f.Name)
		}
		if e.Reply, err = toJSON(f.Data); err != nil {
			return r, fmt.Errorf("read %s: section %q: %w", name, f.Name, err)
		}
		r.Exchanges, e = append(r.Exchanges, e), Exchange{}
	}
	return r, nil
}

// Write writes the file and the common words of the kinds in it.
func (r Recording) Write(name string) error {
	archive := &txtar.Archive{}
	var err error
	if archive.Comment, err = yaml.Marshal(r); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	common := beside(name)
	slices.SortFunc(r.Exchanges, inReadingOrder)
	for i, e := range r.Exchanges {
		if err := common.write(e); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		data, err := toYAML(e.Reply)
		if err != nil {
			return fmt.Errorf("write %s: answer %s: %w", name, e.Recorded, err)
		}
		title := fmt.Sprintf("%s %d %s %d %s", question, i+1, e.Job, e.Variant, e.Recorded)
		archive.Files = append(archive.Files, txtar.File{Name: title, Data: []byte(e.Prompt + "\n")}, txtar.File{Name: answer + " " + e.Recorded, Data: data})
	}
	raw := txtar.Format(archive)
	if n := len(txtar.Parse(raw).Files); n != len(archive.Files) {
		return fmt.Errorf("write %s: a question or an answer has a line that looks like the head of a section (-- … --)", name)
	}
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, raw, 0o644))
}

// inReadingOrder sorts by what was asked.
func inReadingOrder(a, b Exchange) int {
	return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.Prompt, b.Prompt), cmp.Compare(a.Recorded, b.Recorded))
}

// Unpack lays the answers out as the product replays them.
func (r Recording) Unpack(dir string) error {
	errs := []error{os.MkdirAll(dir, 0o755)}
	for _, e := range r.Exchanges {
		errs = append(errs, os.WriteFile(filepath.Join(dir, e.Recorded+".json"), e.Reply, 0o600))
	}
	return errors.Join(errs...)
}

// Asked reads what a run of the product wrote down. Questions without an answer
// come back apart.
func Asked(dir string) (answered, missing []Exchange, err error) {
	names, err := fs.Glob(os.DirFS(dir), "*.json")
	for _, name := range names {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, nil, err
		}
		var e Exchange
		if err := json.Unmarshal(raw, &e.Exchange); err != nil {
			return nil, nil, fmt.Errorf("read %s of %s: %w", name, dir, err)
		}
		e.Recorded = e.Digest()
		if e.Reply == nil {
			missing = append(missing, e)
		} else {
			answered = append(answered, e)
		}
	}
	slices.SortFunc(missing, inReadingOrder)
	return answered, missing, err
}

// Update takes what a run asked and was answered. What it did not ask goes when the
// run was whole; before that it may be what the missing questions differ from.
func (r *Recording) Update(answered []Exchange, whole bool) {
	old := slices.DeleteFunc(r.Exchanges, func(old Exchange) bool {
		return whole || slices.ContainsFunc(answered, func(e Exchange) bool { return e.Recorded == old.Recorded })
	})
	r.Exchanges = append(old, answered...)
}
