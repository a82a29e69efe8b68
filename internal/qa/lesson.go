package qa

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// maxLesson bounds the words of a lesson, in characters.
const maxLesson = 240

// Lesson says in one line what a test taught about tests of what it is about: what made
// it worth keeping, or why it was refused. Names and reasons are hostile.
func (g GeneratedTest) Lesson() string {
	text := fmt.Sprintf("%s test of %s in %s was kept: %s killed, %s", g.Lane, g.Target, g.Source, wording.Count(g.Kills, "mutant"), wording.Count(g.Repairs, "repair"))
	if !g.Kept {
		reason, _, _ := strings.Cut(strings.TrimSpace(g.Reason), "\n")
		if g.Target == "" || reason == "" {
			return ""
		}
		text = fmt.Sprintf("%s test of %s in %s was refused at %s: %s", g.Lane, g.Target, g.Source, g.Gate, reason)
	}
	return wording.Line(text, maxLesson)
}
