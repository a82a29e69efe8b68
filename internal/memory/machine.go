package memory

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// Machine is the memory of the machine or, when less, of our control group; 0
// when unknown, which is no limit.
func Machine() int64 {
	var total int64
	if f, err := os.Open("/proc/meminfo"); err == nil {
		for lines := bufio.NewScanner(f); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			if len(fields) > 1 && fields[0] == "MemTotal:" {
				kib, _ := strconv.ParseInt(fields[1], 10, 64)
				total = kib << 10
			}
		}
		_ = f.Close()
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil && n > 0 && (total == 0 || n < total) {
			total = n
		}
	}
	return total
}
