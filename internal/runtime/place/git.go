package place

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/runtime/user"
)

// SetUpGit writes what a workflow sets for git into the home of the code.
func (p Place) SetUpGit(settings []ci.Variable, u *user.User) error {
	if len(settings) == 0 {
		return nil
	}
	var text strings.Builder
	for _, s := range settings {
		section, key, _ := strings.Cut(s.Name, ".")
		sub := ""
		if i := strings.LastIndexByte(key, '.'); i >= 0 {
			sub, key = " "+strconv.Quote(key[:i]), key[i+1:]
		}
		fmt.Fprintf(&text, "[%s%s]\n\t%s = %s\n", section, sub, key, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s.Value)+`"`)
	}
	name := filepath.Join(p.user, ".gitconfig")
	if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
		return fmt.Errorf("set git up: %w", err)
	}
	return u.Own(name)
}
