package recording

import (
	"fmt"
	"slices"
	"strings"
)

// Missing says for each question without an answer what it is and in which line
// it differs from the recorded question it replaces: one that was asked for the
// same job and is not asked any more.
func (r Recording) Missing(missing, answered []Exchange) []string {
	var out []string
	for _, e := range missing {
		var nearest *Exchange
		best := -1
		for i, old := range r.Exchanges {
			asked := slices.ContainsFunc(answered, func(a Exchange) bool { return a.Recorded == old.Recorded })
			if asked || old.Job != e.Job || old.Variant != e.Variant {
				continue
			}
			if same := len(alike(old.words(), e.words())); same > best {
				best, nearest = same, &r.Exchanges[i]
			}
		}
		if nearest == nil {
			out = append(out, e.Title()+": was never asked before")
			continue
		}
		out = append(out, e.Title()+": "+difference(nearest.words(), e.words()))
	}
	return out
}

// words is all that the model reads, by line.
func (e Exchange) words() []string { return strings.Split(e.System+"\n"+e.Prompt, "\n") }

// alike are the lines that both begin with.
func alike(a, b []string) []string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// difference shows the first line that is not the same.
func difference(was, is []string) string {
	at := len(alike(was, is))
	line := func(lines []string) string {
		if at >= len(lines) {
			return "nothing"
		}
		return fmt.Sprintf("%.200q", lines[at])
	}
	if at == len(was) && at == len(is) {
		return "asks for an answer of another shape"
	}
	return fmt.Sprintf("%s where the recorded question has %s", line(is), line(was))
}
