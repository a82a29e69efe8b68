package gh

import (
	"context"
	"strings"
)

// Rights are what GitHub says of a token. It tells nobody whether a job's token
// may write comments and check runs: that shows when they are written.
type Rights struct {
	Push bool // may push commits, which deliver and a history branch need
	// Scopes are those of a classic personal token, empty for any other.
	Scopes []string
}

// Rights asks for the repository and for what the token may do there. An error
// that wraps [ErrForbidden] is a token that is wrong or has no access.
func (c *Client) Rights(ctx context.Context) (Rights, error) {
	repo, resp, err := c.api.Repositories.Get(ctx, c.owner, c.repo)
	if err != nil {
		return Rights{}, failed("ask for the repository "+c.owner+"/"+c.repo, err)
	}
	r := Rights{Push: repo.GetPermissions()["push"]}
	for scope := range strings.SplitSeq(resp.Header.Get("X-OAuth-Scopes"), ",") {
		if scope = strings.TrimSpace(scope); scope != "" {
			r.Scopes = append(r.Scopes, scope)
		}
	}
	return r, nil
}
