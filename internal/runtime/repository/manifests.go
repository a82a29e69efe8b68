package repository

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// Manifests writes the manifests and lock files of a commit below a directory,
// out of the repository's objects: all that a comparison of dependencies reads.
func (r Repository) Manifests(ctx context.Context, commit, dir string) error {
	all, err := r.TrackedAt(ctx, commit)
	if err != nil {
		return err
	}
	var ask bytes.Buffer
	var names []string
	for name := range all.files {
		if toolchain.MayNeed(name) && filepath.IsLocal(filepath.FromSlash(name)) && !strings.Contains(name, "\n") {
			names = append(names, name)
			fmt.Fprintf(&ask, "%s:%s\n", commit, name)
		}
	}
	res, err := process.Run(ctx, r.git(process.Command{Stdin: &ask, MaxOutput: maxListing}, "cat-file", "--batch"))
	if err != nil || res.ExitCode != 0 || res.Truncated {
		return errors.Join(err, fmt.Errorf("read the manifests of %s: git cat-file: exit code %d: %s", commit, res.ExitCode, diagnosis.Line(res.Stderr)))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	out := bufio.NewReader(bytes.NewReader(res.Stdout))
	for _, name := range names {
		if err := writeBlob(root, name, out); err != nil {
			return fmt.Errorf("read %s of %s: %w", name, commit, err)
		}
	}
	return nil
}

// writeBlob takes the next answer of git: a line "object kind size", the contents
// and a line end.
func writeBlob(root *os.Root, name string, out *bufio.Reader) error {
	head, err := out.ReadString('\n')
	if err != nil {
		return err
	}
	var object, kind string
	var size int64
	if _, err := fmt.Sscan(head, &object, &kind, &size); err != nil {
		return nil //nolint:nilerr // "missing": a submodule's
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(out, data); err != nil {
		return err
	}
	if _, err := out.Discard(1); err != nil || kind != "blob" {
		return err
	}
	if err := root.MkdirAll(filepath.Dir(filepath.FromSlash(name)), 0o755); err != nil {
		return err
	}
	return root.WriteFile(filepath.FromSlash(name), data, 0o644)
}
