package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/runtime/user"
)

// hideMemory keeps processes of our own user from reading our memory and
// environment. Not where there are namespaces: to make one for an ordinary user,
// we must be readable.
func hideMemory(u *user.User) {
	if u == nil {
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	}
}

// secretInParents looks whether a process above us, which we can read and so can
// the code, has a secret in its environment.
func secretInParents(secrets []string) string {
	for pid := os.Getppid(); pid > 0; {
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		for _, s := range secrets {
			if err == nil && s != "" && bytes.Contains(env, []byte(s)) {
				return fmt.Sprintf("process %d", pid)
			}
		}
		pid = parentOf(pid)
	}
	return ""
}

// parentOf reads who started a process; 0 when that is not to be known.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name stands in brackets and may hold anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil || parent == pid {
		return 0
	}
	return parent
}
