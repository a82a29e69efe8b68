package runtime

import (
	"context"
	"fmt"
	"syscall"

	"github.com/org/qa-action/internal/process"
)

type walls struct{}

func (w *Workspace) raiseWalls(context.Context) {
	if w.user != nil {
		w.levels = append(w.levels, fmt.Sprintf("uid: commands run as %d, without groups", w.user.uid))
	} else {
		w.levels = append(w.levels, "uid: commands run as ourselves, because we are not root")
	}
	w.levels = append(w.levels, "env: allow-list")
}

func (w *Workspace) runWalled(ctx context.Context, _ Command, pc process.Command) (process.Result, error) {
	if w.user != nil {
		pc.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{
			Uid: uint32(w.user.uid), Gid: uint32(w.user.gid)}}
	}
	return process.Run(ctx, pc)
}
