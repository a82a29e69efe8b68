package gh

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// maxTask bounds the words of a comment command, in runes.
const maxTask = 500

// maxMark bounds what a comment calls a finding, in runes.
const maxMark = 40

// Command is what a comment asks for: "/qa [run|retry] [mode] [task]", "/qa mode
// <mode>", "/qa explain <mark>".
type Command struct {
	Mode, Task string
	Explain    string // mark or id of the finding that a comment asks about
}

// ParseCommand reads the first line of a comment. ok is false when it is not
// for us. Verb and mode are optional; a word that is neither belongs to the task.
func ParseCommand(body string, modes []string) (c Command, ok bool) {
	line, _, _ := strings.Cut(strings.TrimLeft(body, " \t\r\n"), "\n")
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "/qa" {
		return Command{}, false
	}
	words = words[1:]
	if len(words) > 0 && slices.Contains([]string{"run", "retry"}, strings.ToLower(words[0])) {
		words = words[1:]
	} else if len(words) > 0 && strings.EqualFold(words[0], "dismiss") {
		return Command{}, true // the run hears it among the other comments, see [Dismissals]
	} else if len(words) == 2 && strings.EqualFold(words[0], "explain") {
		return Command{Explain: wording.Line(words[1], maxMark)}, true
	} else if len(words) > 1 && strings.EqualFold(words[0], "mode") && slices.Contains(modes, strings.ToLower(words[1])) {
		words = words[1:]
	}
	if len(words) > 0 && slices.Contains(modes, strings.ToLower(words[0])) {
		c.Mode, words = strings.ToLower(words[0]), words[1:]
	}
	c.Task = strings.Join(words, " ")
	if runes := []rune(c.Task); len(runes) > maxTask {
		c.Task = string(runes[:maxTask])
	}
	return c, true
}

// ErrNotAllowed says that somebody may not start a run.
var ErrNotAllowed = errors.New("not allowed")

// MayWrite makes sure that the author of a comment has write access: the
// association alone does not tell, a member of the organisation may have read
// access only. The error wraps [ErrNotAllowed] when they have not.
func (c *Client) MayWrite(ctx context.Context, who Comment) error {
	if !slices.Contains([]string{"OWNER", "MEMBER", "COLLABORATOR"}, who.Association) {
		return fmt.Errorf("%s is %s here, expected owner, member or collaborator with write access: %w", who.Author, strings.ToLower(who.Association), ErrNotAllowed)
	}
	level, _, err := c.api.Repositories.GetPermissionLevel(ctx, c.owner, c.repo, who.Author)
	if err != nil {
		return failed("ask for the permission of "+who.Author, err)
	}
	// Maintain is reported as write.
	if p := level.GetPermission(); p != "admin" && p != "write" {
		return fmt.Errorf("%s has permission %q, expected write: %w", who.Author, p, ErrNotAllowed)
	}
	return nil
}
