package llm

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/output"
)

// TestWhatIsAskedCanBeRead: answered, from the store, and without an answer; as
// it was sent, and under the name of the reply.
func TestWhatIsAskedCanBeRead(t *testing.T) {
	t.Parallel()
	dir, store := t.TempDir(), t.TempDir()
	hide := func(s string) string { return strings.ReplaceAll(s, "hunter2", "[secret]") }
	asked := func(name string) Exchange {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join(dir, name))
		var e Exchange
		if err := errors.Join(err, json.Unmarshal(raw, &e)); err != nil {
			t.Fatal(err)
		}
		return e
	}
	c, _, _ := open(t, func(o *Options) { o.Store, o.Record, o.Scrub = output.At(store), output.At(dir), hide }, says(good))
	r := Request{Job: "scout/bug", System: "s", Prompt: "hunter2", Variant: 1}
	if _, err := Asker[verdict](c)(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	replies, err := os.ReadDir(store)
	if err != nil || len(replies) != 1 {
		t.Fatalf("store holds %v, %v", replies, err)
	}
	first := asked(replies[0].Name())
	if first.Job != r.Job || first.Variant != 1 || first.Prompt != "[secret]" || string(first.Reply) != good || first.Digest()+".json" != replies[0].Name() {
		t.Errorf("recorded %+v under %s", first, replies[0].Name())
	}
	again, _, _ := open(t, func(o *Options) { o.Store, o.Replay, o.Record, o.Scrub = output.At(store), true, output.At(dir), hide })
	if err := os.Remove(filepath.Join(dir, replies[0].Name())); err != nil {
		t.Fatal(err)
	}
	if _, err := Asker[verdict](again)(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if e := asked(replies[0].Name()); string(e.Reply) != good {
		t.Errorf("replayed %+v", e)
	}
	r.Prompt = "another"
	if _, err := Asker[verdict](again)(context.Background(), r); !errors.Is(err, ErrNotRecorded) {
		t.Fatal(err)
	}
	e := first
	e.Prompt = "another"
	if e := asked(e.Digest() + ".json"); e.Reply != nil || e.Prompt != "another" {
		t.Errorf("without an answer: %+v", e)
	}
}
