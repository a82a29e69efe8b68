package change

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Contents are the files of a commit that paths name, read by one git: asking
// for each on its own starts several programs a file. Paths that the commit does
// not have, or not as files, are left out; so are names that a list of lines
// cannot carry, which [Content] reads.
func Contents(ctx context.Context, dir, commit string, paths []string) (map[string][]byte, error) {
	if !isCommit(commit) {
		return nil, fmt.Errorf("read files: %q is not a full commit id", commit)
	}
	r, err := openRepo(ctx, dir)
	if err != nil {
		return nil, err
	}
	var asked []string
	var list strings.Builder
	for _, p := range paths {
		if fs.ValidPath(p) && !strings.ContainsAny(p, "\n\r") {
			asked = append(asked, p)
			list.WriteString(commit + ":" + p + "\n")
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	out, err := r.gitInput(ctx, list.String(), "none", "cat-file", "--batch")
	if err != nil {
		return nil, fmt.Errorf("read files of %.7s: %w", commit, err)
	}
	return batch(out, asked)
}

// batch reads what git cat-file --batch prints for each name asked for:
// "<id> <type> <size>", the content and a line feed, or "<name> missing".
func batch(out []byte, asked []string) (map[string][]byte, error) {
	found := map[string][]byte{}
	for _, path := range asked {
		head, rest, ok := bytes.Cut(out, []byte("\n"))
		if !ok {
			return nil, fmt.Errorf("git cat-file ended before %s", path)
		}
		out = rest
		if bytes.HasSuffix(head, []byte(" missing")) {
			continue
		}
		fields := bytes.Fields(head)
		if len(fields) != 3 {
			return nil, fmt.Errorf("unexpected line %.80q of git cat-file", head)
		}
		size, err := strconv.Atoi(string(fields[2]))
		if err != nil || size < 0 || size >= len(out) {
			return nil, fmt.Errorf("unexpected size in %.80q of git cat-file", head)
		}
		if string(fields[1]) == "blob" {
			found[path] = out[:size:size]
		}
		out = out[size+1:]
	}
	return found, nil
}
