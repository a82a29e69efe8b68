package stage

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// systemV are the objects of System V that outlive their processes: who knows the
// key finds what another command left.
var systemV = []systemVKind{
	{"/proc/sysvipc/shm", func(id uintptr) { _, _, _ = unix.Syscall(unix.SYS_SHMCTL, id, unix.IPC_RMID, 0) }},
	{"/proc/sysvipc/msg", func(id uintptr) { _, _, _ = unix.Syscall(unix.SYS_MSGCTL, id, unix.IPC_RMID, 0) }},
	{"/proc/sysvipc/sem", func(id uintptr) { _, _, _ = unix.Syscall6(unix.SYS_SEMCTL, id, 0, unix.IPC_RMID, 0, 0, 0) }},
}

type systemVKind struct {
	list   string
	remove func(id uintptr)
}

// sweep removes what belongs to a user, unless it is to be kept.
func (k systemVKind) sweep(uid int, keep func(id string) bool) {
	data, err := os.ReadFile(k.list)
	if err != nil {
		return
	}
	lines := strings.Split(string(data), "\n")
	names := strings.Fields(lines[0]) // the key, the number, and then what each kind has
	owner, creator := slices.Index(names, "uid"), slices.Index(names, "cuid")
	for _, line := range lines[1:] {
		fields := strings.Fields(line)
		if owner < 0 || creator < 0 || len(fields) <= max(owner, creator) {
			continue
		}
		if own := strconv.Itoa(uid); fields[owner] != own && fields[creator] != own {
			continue
		}
		if n, err := strconv.ParseUint(fields[1], 10, 32); err == nil && !keep(fields[1]) {
			k.remove(uintptr(n))
		}
	}
}
