package gh

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// dismissed is a finding that a comment on the pull request sets aside. Who may do
// that is asked of the host each time: nothing is remembered that code of the change
// could have written.
type dismissed struct {
	Print  string // the finding's mark: the first digits of its fingerprint
	Reason string // hostile
	By     string
	At     time.Time
}

const (
	// maxReason bounds the words of a dismissal, in characters.
	maxReason = 300
	// maxCommentPages bounds how many comments are looked through, a hundred each.
	maxCommentPages = 30
)

// mark is how a comment names a finding.
var mark = pattern.New(`^[0-9a-f]{8,16}$`)

// parseDismissal reads "/qa dismiss MARK reason" from the first line of a comment. ok
// is false when it is something else; the error says what is wrong with it.
func parseDismissal(body string) (d dismissed, ok bool, err error) {
	line, _, _ := strings.Cut(strings.TrimLeft(body, " \t\r\n"), "\n")
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "/qa" || !strings.EqualFold(words[1], "dismiss") {
		return dismissed{}, false, nil
	}
	if len(words) < 4 {
		return dismissed{}, true, errors.New("/qa dismiss wants the mark of a finding and a reason: /qa dismiss 3f2a9c0d the value is a public test key")
	}
	if !mark.MatchString(words[2]) {
		return dismissed{}, true, fmt.Errorf("/qa dismiss: %q is no mark of a finding, which has 8 to 16 digits and stands below it", wording.Line(words[2], 40))
	}
	return dismissed{Print: words[2], Reason: wording.Line(strings.Join(words[3:], " "), maxReason)}, true, nil
}

// Dismissals are what comments of people with write access set aside, by the mark of
// the finding. Of one that does not count say tells why; without a client or a pull
// request there is none.
func Dismissals(ctx context.Context, c *Client, pull *Pull, say func(string, ...any)) map[string]qa.Dismissal {
	if c == nil || pull == nil || pull.Number == 0 {
		return nil
	}
	said, ignored, err := dismissals(ctx, c, pull.Number)
	if err != nil {
		ignored = append(ignored, "no dismissal in a comment counts: "+err.Error())
	}
	for _, why := range ignored {
		say("%s", why)
	}
	out := map[string]qa.Dismissal{}
	for _, d := range said {
		out[d.Print] = qa.Dismissal{Reason: d.Reason, By: d.By, At: d.At.Format(time.RFC3339)}
	}
	return out
}

// spoken is what dismissals are read from, of either kind of comment.
type spoken struct {
	body string
	by   Comment
	at   time.Time
}

// dismissals reads the comments on a pull request and those at its lines, where people
// answer ours, oldest first; ignored says which do not count.
func dismissals(ctx context.Context, c *Client, number int) (said []dismissed, ignored []string, err error) {
	comments, whole, err := spokenIn(comments(ctx, c, number))
	if err != nil {
		return nil, nil, failed("list the comments", err)
	}
	answers, all, err := spokenIn(lineComments(ctx, c, number))
	if err != nil {
		ignored = append(ignored, "no dismissal at a line counts: "+failed("list the comments on lines", err).Error())
	}
	if !whole || !all {
		ignored = append(ignored, fmt.Sprintf("only the first %d comments were looked through for dismissals", maxCommentPages*perPage))
	}
	comments = append(comments, answers...)
	slices.SortStableFunc(comments, func(a, b spoken) int { return a.at.Compare(b.at) })
	allowed := map[string]error{}
	for _, comment := range comments {
		d, ok, wrong := parseDismissal(comment.body)
		if !ok {
			continue
		}
		d.By, d.At = comment.by.Author, comment.at
		if wrong == nil {
			refused, asked := allowed[d.By]
			if !asked {
				refused = c.MayWrite(ctx, comment.by)
				allowed[d.By] = refused
			}
			wrong = refused
		}
		if wrong != nil {
			ignored = append(ignored, "the dismissal by "+wording.Line(d.By, 60)+" does not count: "+wrong.Error())
			continue
		}
		said = append(said, d)
	}
	return said, ignored, nil
}

// comment is one of either kind.
type comment interface {
	GetBody() string
	GetUser() *github.User
	GetAuthorAssociation() string
	GetCreatedAt() github.Timestamp
}

// spokenIn takes comments up to a bound; whole is false where it ends there.
func spokenIn[T comment](list iter.Seq2[T, error]) (all []spoken, whole bool, err error) {
	for k, err := range list {
		if err != nil {
			return nil, true, err
		}
		if len(all) == maxCommentPages*perPage {
			return all, false, nil
		}
		all = append(all, spoken{k.GetBody(), Comment{Author: k.GetUser().GetLogin(), Association: k.GetAuthorAssociation()}, k.GetCreatedAt().UTC()})
	}
	return all, true, nil
}
