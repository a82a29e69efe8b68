package change

import (
	"context"
	"fmt"
	"strings"
)

// mostMessages is how many commits of a change are read for what they say.
const mostMessages = 20

// Messages are what the commits between two say of themselves, the newest first;
// merges say nothing of their own.
func Messages(ctx context.Context, dir, base, head string) ([]string, error) {
	if !isCommit(base) || !isCommit(head) {
		return nil, fmt.Errorf("read commit messages: %q and %q are not full commit ids", base, head)
	}
	r, err := openRepo(ctx, dir)
	if err != nil {
		return nil, err
	}
	// Unlike git log, rev-list starts no program to look at signatures.
	out, err := r.git(ctx, "rev-list", "--no-merges", fmt.Sprintf("--max-count=%d", mostMessages), "--format=%B%x00", head, "^"+base)
	if err != nil {
		return nil, fmt.Errorf("read commit messages: %w", err)
	}
	var all []string
	for part := range strings.SplitSeq(string(out), "\x00") {
		_, text, _ := strings.Cut(strings.TrimLeft(part, "\n"), "\n") // "commit" and its id
		if text = strings.TrimSpace(text); text != "" {
			all = append(all, text)
		}
	}
	return all, nil
}
