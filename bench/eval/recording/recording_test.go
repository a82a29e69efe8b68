package recording

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/llm"
)

var replies = filepath.Join("..", "..", "..", "testdata", "eval", "replies")

// recorded are all recordings of the set by run/case.
func recorded(t *testing.T) map[string]Recording {
	t.Helper()
	all := map[string]Recording{}
	names, err := filepath.Glob(filepath.Join(replies, "run*", "*"+extension))
	assert.NilError(t, err)
	for _, name := range names {
		r, err := Read(name)
		assert.NilError(t, err)
		all[filepath.Base(filepath.Dir(name))+"/"+strings.TrimSuffix(filepath.Base(name), extension)] = r
	}
	return all
}

// TestEveryCaseIsRecorded: a run of each case with its cost, and every
// question has the digest under which its answer was recorded.
func TestEveryCaseIsRecorded(t *testing.T) {
	t.Parallel()
	all := recorded(t)
	cases, err := os.ReadDir(filepath.Join(replies, "..", "case"))
	assert.NilError(t, err)
	for _, c := range cases {
		r := all["run1/"+c.Name()]
		assert.Assert(t, r.Model != "" && len(r.Exchanges) > 0, "%s is not recorded", c.Name())
		for _, e := range r.Exchanges {
			assert.Assert(t, json.Valid(e.Reply) && len(e.Recorded) == 32, "%s: %s", c.Name(), e.Title())
			if e.Stale() {
				t.Errorf("%s: %s needs a new answer: question or common words were changed and not asked again", c.Name(), e.Title())
			}
		}
	}
	assert.Equal(t, len(all), len(cases), "recordings of cases that are no more")
}

// TestCommonWordsAreTheProducts: a word changed in a prompt of ours says at once
// whose answers it makes old.
func TestCommonWordsAreTheProducts(t *testing.T) {
	t.Parallel()
	old := map[string][]string{}
	for name, r := range recorded(t) {
		for _, e := range r.Exchanges {
			role, _, _ := strings.Cut(e.Job, "/")
			if role == "repair" {
				role = "generator"
			}
			raw, err := os.ReadFile(filepath.Join("..", "..", "..", "internal", "role", role, "prompt", "system.md"))
			assert.NilError(t, err)
			if e.System != string(raw) && !slices.Contains(old[e.Job], name) {
				old[e.Job] = append(old[e.Job], name)
			}
		}
	}
	for job, names := range old {
		slices.Sort(names)
		t.Errorf("the first words of %s were changed: new answers are needed for %s (docs/evaluation.md says how)", job, strings.Join(names, ", "))
	}
}

func example(prompt, reply string) Exchange {
	e := Exchange{Exchange: llm.Exchange{
		Job: "scout/bug", Model: "m", Schema: `{"type":"object","description":"a \u003c b"}`, System: "Be careful.\n", Prompt: prompt, Reply: json.RawMessage(reply),
	}}
	e.Recorded = e.Digest()
	return e
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := File(dir, "run1", "case")
	r := Recording{Model: "m", Exchanges: []Exchange{
		example("a line \n\n-- none\n\ttab", `{"z":"x","a":[],"b":{},"n":null,"t":true,"f":-1.5e3,"no":"no","date":"2026-01-01","empty":""}`),
		example("b\n", `[{"code":"  first\n\tb := 1 \n\n","more":"a: b # c","tab":"\tx\n\ty","odd":"\n\nx\u2028\ud83d\ude00 \\u0041"},"-- x --"]`),
		example("c", `"text"`),
	}}
	assert.NilError(t, r.Write(name))
	back, err := Read(name)
	assert.NilError(t, err)
	assert.Equal(t, back.Model, "m")
	assert.Equal(t, len(back.Exchanges), 3)
	for i, e := range back.Exchanges {
		was := r.Exchanges[i]
		same, err := equal(e.Reply, was.Reply)
		assert.NilError(t, err)
		assert.Assert(t, same, "got %s, expected %s", e.Reply, was.Reply)
		e.Reply, was.Reply = nil, nil
		assert.DeepEqual(t, e, was)
		assert.Assert(t, !e.Stale())
	}
	assert.Assert(t, strings.HasPrefix(string(back.Exchanges[0].Reply), `{"z":"x","a":[]`), "the keys keep their order: %s", back.Exchanges[0].Reply)

	store := filepath.Join(dir, "store")
	assert.NilError(t, back.Unpack(store))
	raw, err := os.ReadFile(filepath.Join(store, r.Exchanges[2].Recorded+".json"))
	assert.NilError(t, err)
	assert.Equal(t, string(raw), `"text"`)
}

func TestAQuestionLikeASectionIsRefused(t *testing.T) {
	t.Parallel()
	r := Recording{Exchanges: []Exchange{example("a\n-- b --\nc", `1`)}}
	assert.ErrorContains(t, r.Write(File(t.TempDir(), "run1", "case")), "looks like the head of a section")
}

func TestFilesThatAreNoRecording(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"model: [\n":                         "read ",
		"-- question --\nx\n":                "expected a question",
		"-- question 1 a b c --\nx\n":        "expected number, job",
		"-- question 1 scout/x 0 12 --\nx\n": "scout-x.txtar",
		"-- answer 12 --\n1\n":               "expected a question",
		"-- other --\nx\n":                   `section "other"`,
	} {
		name := File(t.TempDir(), "run1", "case")
		assert.NilError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		assert.NilError(t, os.WriteFile(name, []byte(text), 0o600))
		_, err := Read(name)
		assert.ErrorContains(t, err, want)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"{a: *b}\n": "section \"answer", "": "no answer"} {
		name := File(t.TempDir(), "run1", "case")
		assert.NilError(t, Recording{Exchanges: []Exchange{example("a", `1`)}}.Write(name))
		raw, err := os.ReadFile(name)
		assert.NilError(t, err)
		assert.NilError(t, os.WriteFile(name, []byte(strings.TrimSuffix(string(raw), "1\n")+text), 0o600))
		_, err = Read(name)
		assert.ErrorContains(t, err, want)
	}
}

// TestAChangedWordNamesWhatNeedsAnAnswer, by request and not by digest.
func TestAChangedWordNamesWhatNeedsAnAnswer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept, changed, other := example("one\ntwo\nthree", `1`), example("one\ntwo\nfour", `2`), example("else", `3`)
	r := Recording{Exchanges: []Exchange{other, kept, changed}}
	isNow, novel := example("one\n2\nfour", ``), example("x", ``)
	novel.Job = "scout/odour"
	for _, e := range []Exchange{kept, isNow, novel} {
		e.Exchange.Reply = slices.Clip(e.Reply)
		if len(e.Reply) == 0 {
			e.Reply = nil
		}
		raw, err := json.Marshal(e.Exchange)
		assert.NilError(t, err)
		assert.NilError(t, os.WriteFile(filepath.Join(dir, e.Digest()+".json"), raw, 0o600))
	}
	answered, missing, err := Asked(dir)
	assert.NilError(t, err)
	assert.Equal(t, len(answered), 1)
	assert.DeepEqual(t, r.Missing(missing, answered), []string{
		`scout/bug 0: "2" where the recorded question has "two"`,
		`scout/odour 0: was never asked before`,
	})
	r.Update(append(answered, example("new", `5`)), false)
	assert.Equal(t, len(r.Exchanges), 4) // what the missing ones differ from stays
	r.Update(answered, true)
	assert.DeepEqual(t, r.Exchanges, answered)
}
