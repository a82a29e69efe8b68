package gh

import (
	"cmp"
	"context"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/org/qa-action/internal/wording"
)

// MaxCarry is how many bytes a check run carries for later runs.
const MaxCarry = 32 << 10

// The carried text is the last line of a check run's text, where people do not
// see it.
const (
	carryStart = "<!-- qa-action:carry:v1 "
	carryEnd   = " -->"
)

// carrying is the text of a check run with something for later runs behind it.
// The text gives way: what is carried may not be cut.
func carrying(text, carry string) string {
	if carry == "" || len(carry) > MaxCarry || strings.ContainsAny(carry, "<>\n") {
		return wording.Bytes(text, maxField)
	}
	last := "\n" + carryStart + carry + carryEnd + "\n"
	return wording.Bytes(text, maxField-len(last)) + last
}

// carried is what [carrying] put behind a text, "" when there is nothing.
func carried(text string) string {
	i := strings.LastIndex(text, carryStart)
	if i < 0 {
		return ""
	}
	carry, _, whole := strings.Cut(text[i+len(carryStart):], carryEnd)
	if !whole || len(carry) > MaxCarry {
		return ""
	}
	return carry
}

// Carried is what a finished check run of ours on a commit carries; "" when no
// check run does. Ours is one that the app of our token made, for the same key
// as place; the same workflow and job are preferred. That nobody but the app can
// write a check run of its own is GitHub's promise; a repository whose workflows
// give checks: write to foreign code has given that away.
func (c *Client) Carried(ctx context.Context, sha string, place Place) (string, error) {
	found, left := "", 3*perPage
	for run, err := range checkRuns(ctx, c, sha, &github.ListCheckRunsOptions{Status: github.String("completed")}) {
		if err != nil {
			return "", failed("read the check runs of "+wording.Bytes(sha, 7), err)
		}
		id := run.GetExternalID()
		if run.GetHeadSHA() == sha && run.GetStatus() == "completed" && c.own(run.GetApp()) && strings.HasPrefix(id, idStart) && strings.HasSuffix(id, ":"+word(place.Key)) {
			text := carried(run.GetOutput().GetText())
			if id == place.ID() && text != "" {
				return text, nil
			}
			found = cmp.Or(found, text)
		}
		if left--; left == 0 {
			break
		}
	}
	return found, nil
}

// own reports whether an app is that of our token: the one that made our check
// run, and before there is one the app that all workflow tokens belong to.
func (c *Client) own(app *github.App) bool {
	if c.app != 0 {
		return app.GetID() == c.app
	}
	return app.GetSlug() == "github-actions"
}

// Ancestors lists a commit and those before it along first parents, nearest
// first, as far as one page of a hundred commits shows them: a shallow checkout
// does not know.
func (c *Client) Ancestors(ctx context.Context, sha string) ([]string, error) {
	page, _, err := c.api.Repositories.ListCommits(ctx, c.owner, c.repo, &github.CommitsListOptions{SHA: sha, ListOptions: github.ListOptions{PerPage: 100}})
	if err != nil {
		return nil, failed("list the commits before "+wording.Bytes(sha, 7), err)
	}
	parent := map[string]string{}
	for _, commit := range page {
		first := ""
		if len(commit.Parents) > 0 {
			first = commit.Parents[0].GetSHA()
		}
		parent[commit.GetSHA()] = first
	}
	var out []string
	for at := sha; ; {
		next, known := parent[at]
		if !known {
			return out, nil
		}
		out = append(out, at)
		delete(parent, at) // so that it ends, whatever was sent
		at = next
	}
}
