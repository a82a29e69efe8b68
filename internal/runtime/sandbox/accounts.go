package sandbox

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/org/qa-action/internal/runtime/user"
)

// maxAccounts bounds a file of users or groups.
const maxAccounts = 4 << 20

// Hand gives the directories that the code may write to its user, and its user a name.
func (b *Sandbox) Hand() error {
	if err := b.Place.Hand(b.User); err != nil || b.User == nil {
		return err
	}
	for file, line := range map[string]string{
		"passwd": fmt.Sprintf("%s:x:%d:%d:%s:%s:/bin/sh\n", user.Name, b.User.UID, b.User.GID, user.Remark, b.Shown(b.Place.UserHome())),
		"group":  fmt.Sprintf("%s:x:%d:\n", user.Name, b.User.GID),
	} {
		text := accounts(filepath.Join("/etc", file))
		if err := os.WriteFile(filepath.Join(b.Place.Home, file), append(text, line...), 0o644); err != nil { //nolint:gosec // everybody reads them
			return fmt.Errorf("name the code's user: %w", err)
		}
	}
	return nil
}

// accounts are the machine's, whole lines; none where there are none.
func accounts(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxAccounts))
	if err != nil || len(text) == 0 {
		return nil
	}
	return append(bytes.TrimRight(text, "\n"), '\n')
}
