package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/wording"
)

// Topic is one file of wisdom/: what later tasks and later readers should know.
type Topic string

// The topics of the seeds.
const (
	Learnings   Topic = "learnings"
	Decisions   Topic = "decisions"
	Conventions Topic = "conventions"
	Issues      Topic = "issues"
)

// topics lists all topics.
func topics() []Topic { return []Topic{Learnings, Decisions, Conventions, Issues} }

const (
	maxWisdom      = 64 << 10 // bytes of one file; the oldest entries go first
	maxWisdomEntry = 1000     // characters
)

func wisdomFile(t Topic) string { return "wisdom/" + string(t) + ".md" }

func wisdomHead(t Topic) []byte {
	return []byte("# " + strings.ToUpper(string(t[:1])) + string(t[1:]) + "\n\n")
}

// Wisdom are the files of wisdom/.
type Wisdom struct {
	disk *disk
	now  func() time.Time
}

// Learn adds an entry to a topic, one line with the task it comes from and the
// time. An entry that is there already is not added again.
func (w *Wisdom) Learn(topic Topic, task, note string) error {
	if !slices.Contains(topics(), topic) {
		return fmt.Errorf("learn: unknown topic %q (valid: %v)", topic, topics())
	}
	note = wording.Cut(wording.Fold(wording.Plain(note)), maxWisdomEntry)
	if note == "" {
		return nil
	}
	data, err := w.disk.read(wisdomFile(topic))
	if err != nil {
		return err
	}
	head := string(wisdomHead(topic))
	entries := strings.Split(strings.TrimSpace(strings.TrimPrefix(string(data), head)), "\n")
	entries = slices.DeleteFunc(entries, func(e string) bool { return e == "" })
	source := "- [" + task + " "
	for _, e := range entries {
		if strings.HasPrefix(e, source) && strings.HasSuffix(e, "] "+note) {
			return nil
		}
	}
	entries = append(entries, source+stamp(w.now())+"] "+note)
	size := len(head)
	for _, e := range entries {
		size += len(e) + 1
	}
	for size > maxWisdom {
		size -= len(entries[0]) + 1
		entries = entries[1:]
	}
	return w.disk.write(wisdomFile(topic), []byte(head+strings.Join(entries, "\n")+"\n"))
}
