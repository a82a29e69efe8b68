// Package tree knows the files of a copy: it writes and puts back the project's, tells
// which of them commands opened, and keeps installed packages as they were installed.
package tree

import (
	"context"
	"io/fs"
	"sync"

	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/sandbox"
)

// Tree is the files of a copy, and what is known of them: what it was opened with,
// which of them commands opened, and the packages that an installation put there. It
// is safe for concurrent use.
type Tree struct {
	box     *sandbox.Sandbox
	Tracked *repository.Tracked
	Commit  string   // whose files the tree has; empty for those of the checkout
	Private []string // files of the checkout that were not copied
	Shares  bool     // installed packages may be second names of files of the checkout
	// read opens a file of the copy as the code does.
	read func(ctx context.Context, path string) error

	Names Names // what came and went

	mu     sync.Mutex
	frozen map[string]fs.FileInfo // the directories of packages that the code cannot change
	own    map[string]bool        // what lay in the code's home and among its temporary files then, or was prepared
	opened stamps                 // the tree when it was ready, but for what Restore made anew
	before []string               // what Afresh put back since Restore did, slash separated
	marks  *marks                 // what is watched for being read; nil is nothing
	access *string                // why times of access tell nothing here, empty when they do; nil is not known
}

// New is the one of a sandbox. read opens a file of the copy as the code does.
func New(b *sandbox.Sandbox, read func(ctx context.Context, path string) error) *Tree {
	return &Tree{box: b, read: read}
}
