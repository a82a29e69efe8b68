package mode

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/session"
)

// tasks binds the rows of the table to their work.
func (r *run) tasks() []pipeline.Task[result] {
	var out []pipeline.Task[result]
	for _, id := range r.order {
		out = append(out, r.task(r.rows[id]))
	}
	return out
}

func (r *run) task(row Row) pipeline.Task[result] {
	t := pipeline.Task[result]{ID: row.ID, Needs: row.Needs, After: row.After}
	switch row.Role {
	case Scout:
		t.Run = r.scout
		if row.Regression {
			t.Run = r.rescan
		}
	case Strategist:
		// It waits for the baseline, whose commands have limits of their own.
		t.Run, t.Timeout = r.plan, r.Config.Timeout
	case Generator:
		t.Run = func(ctx context.Context) (result, error) { return r.generate(ctx, row) }
	case Executor:
		t.Run = func(ctx context.Context) (result, error) { return r.execute(ctx, row) }
	case Analyst:
		t.Run, t.Always = r.analyse, true
	}
	return t
}

// sessionTasks are the rows of tasks.csv.
func (r *run) sessionTasks(table []Row) []session.Task {
	var out []session.Task
	for _, row := range table {
		out = append(out, r.sessionTask(row))
	}
	return out
}

func (r *run) sessionTask(row Row) session.Task {
	t := session.Task{
		ID: row.ID, Title: row.Title, Description: row.Title, Role: row.Role, Layer: string(row.Layer),
		Deps: slices.Concat(row.Needs, row.After), ContextFrom: slices.Concat(row.Needs, row.After),
		ExecMode: session.OneShot, Status: session.Pending,
	}
	if r.Config.Task != "" {
		t.Description += ": " + r.Config.Task
	}
	switch row.Role {
	case Scout:
		for _, p := range r.Config.Perspectives {
			t.Perspectives = append(t.Perspectives, string(p))
		}
	case Executor:
		t.ExecMode = session.Interactive
	}
	if row.Layer != "" {
		target := r.Config.Coverage[row.Layer]
		t.CoverageTarget = &target
	}
	return t
}

// treeDigest tells uncommitted states of one commit apart: it is empty for a
// clean working copy, else a digest of the changed files as they are.
func treeDigest(root string, c qa.Change) string {
	if !c.Dirty {
		return ""
	}
	h := sha256.New()
	tree, err := os.OpenRoot(root)
	if err != nil {
		return "+" // of no session
	}
	defer func() { _ = tree.Close() }() // only read
	for _, f := range c.Files {
		fmt.Fprintf(h, "%s\x00%s\x00", f.Path, f.Status)
		if to, err := tree.Readlink(filepath.FromSlash(f.Path)); err == nil {
			fmt.Fprintf(h, "-> %s", to)
			continue
		}
		if file, _, err := rooted.Open(tree, f.Path); err == nil {
			_, err = io.Copy(h, file)
			if err = errors.Join(err, file.Close()); err != nil {
				fmt.Fprintf(h, "unreadable")
			}
		}
	}
	return "+" + hex.EncodeToString(h.Sum(nil)[:6])
}

// file writes an artifact of the session as indented JSON.
func (r *run) file(rel string, value any) {
	raw, err := json.MarshalIndent(value, "", "  ")
	if err == nil {
		err = r.session.WriteFile(rel, append(raw, '\n'))
	}
	r.notes.Note(err)
}

// listed is a value as files of the session show it: lists are [], never null.
func listed[T any](r *run, value T) T {
	own, err := qa.WithLists(value)
	r.notes.Note(err)
	return own
}
