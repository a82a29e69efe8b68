package assurance

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// maxFormer bounds the files that are put back to what they were.
const maxFormer = 20

// onFormer runs a test that was evidence in an earlier run on the code on which it
// failed: the best mutant there is, because somebody made that mistake. Where that
// commit cannot be read, as in a shallow checkout, the earlier run's word stands.
func (t trial) onFormer(ctx context.Context) (err error) {
	o := t.v.Origin
	if o == nil || t.Former == nil {
		return nil
	}
	then := map[string][]byte{}
	for _, name := range each.Sorted([]string{t.v.Candidate.Source}, each.Of(t.Change, func(f qa.FileChange) string { return f.Path })) {
		now, err := t.Read(name)
		if err != nil || len(then) == maxFormer {
			continue
		}
		was, err := t.Former(ctx, o.Commit, name)
		if err != nil && name == t.v.Candidate.Source {
			t.v.former = fmt.Sprintf("it failed on %.7s, as the run of that commit recorded", o.Commit)
			return nil
		}
		if err == nil && !bytes.Equal(was, now) {
			then[name] = was
		}
	}
	if len(then) == 0 {
		return nil
	}
	defer func() {
		for name := range then {
			now, readErr := t.Read(name)
			if readErr == nil {
				readErr = t.Head.Write(name, now)
			}
			err = errors.Join(err, readErr)
		}
	}()
	for name, text := range then {
		if err := t.Head.Write(name, text); err != nil {
			return err
		}
	}
	failed, err := t.again(ctx, nil)
	if err == nil && !failed.late && (failed.status == qa.Failed || failed.status == qa.Errored) {
		t.v.former = fmt.Sprintf("it fails with the code of %.7s", o.Commit)
	}
	return err
}
