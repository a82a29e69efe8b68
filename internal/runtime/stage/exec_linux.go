package stage

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/limits"
)

// errNoProgram is a command that does not exist in the sandbox.
var errNoProgram = errors.New("executable file not found in $PATH")

// sandboxExec is the lower half of the helper: it sets up the sandbox around its
// own thread and becomes the command.
func sandboxExec(s Spec, out *os.File) error {
	runtime.LockOSThread()
	program, lookErr := findProgram(s)
	if err := dropCapabilities(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	// When memory runs out the kernel shall take the command, not us.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	if err := setLimits(s.Limits, s.Threads); err != nil {
		return err
	}
	if err := yield(s); err != nil {
		return err
	}
	if s.Landlock > 0 {
		if err := raiseLandlock(s); err != nil {
			return fmt.Errorf("raise landlock: %w", err)
		}
	}
	if s.Seccomp {
		listener, err := raiseSeccomp(s.Network.Connect)
		if err != nil {
			return fmt.Errorf("raise seccomp: %w", err)
		}
		if listener >= 0 {
			if err := unix.Sendmsg(parentFD, []byte{0}, unix.UnixRights(listener), nil, 0); err != nil {
				return fmt.Errorf("hand over the seccomp listener: %w", err)
			}
			_ = unix.Close(listener)
		}
	}
	if s.Probe {
		err := tryConnects(s)
		say(out, Status{Ready: err == nil})
		return err
	}
	// Whoever started us may have left descriptors open for everybody.
	if err := unix.CloseRange(specFD, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close inherited descriptors: %w", err)
	}
	say(out, Status{Ready: true})
	if lookErr != nil {
		return lookErr
	}
	err := syscall.Exec(program, s.Argv, s.Env)
	if errors.Is(err, syscall.ENOEXEC) && isText(program) { // it names no interpreter: shells take it for one of theirs
		err = syscall.Exec("/bin/sh", append([]string{"sh", program}, s.Argv[1:]...), s.Env)
	}
	return fmt.Errorf("start %s: %w", program, err)
}

// isText reports whether a program begins with a line that a shell could read, as an empty one
// does. What is for another machine is none.
func isText(program string) bool {
	f, err := os.Open(program)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 256)
	n, _ := f.Read(head)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	return !bytes.Contains(line, []byte{0})
}

func failure(err error) Status {
	return Status{Error: err.Error(), NotFound: errors.Is(err, errNoProgram) || errors.Is(err, fs.ErrNotExist)}
}

// findProgram looks the program up as the command's user, on its PATH.
func findProgram(s Spec) (string, error) {
	if s.Probe {
		return "", nil
	}
	name := s.Argv[0]
	if strings.Contains(name, "/") {
		return name, nil
	}
	for _, dir := range filepath.SplitList(environ.Lookup(s.Env, "PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && unix.Access(path, unix.X_OK) == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, errNoProgram)
}

// tryConnects sees whether connect calls are answered as they should be.
func tryConnects(s Spec) error {
	if s.Network.Connect == "" || s.Network.Connect == ConnectDeny {
		return nil
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("try connect: %w", err)
	}
	defer func() { _ = unix.Close(fd) }()
	err = unix.Connect(fd, &unix.SockaddrInet4{Port: 1, Addr: [4]byte{127, 0, 0, 1}})
	if err != nil && err != unix.ECONNREFUSED {
		return fmt.Errorf("try connect to loopback: %w", err)
	}
	return nil
}

// dropCapabilities gives up what init needed in a user namespace.
func dropCapabilities() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("drop ambient capabilities: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}

// setLimits sets what the kernel keeps per process or per user. Processes are
// counted by the watch; the kernel's limit is the bound behind it that a fork
// bomb cannot outrun. It counts threads, and all that the user has anyway.
func setLimits(l limits.Limits, threads int) error {
	bounds := map[int]uint64{unix.RLIMIT_CORE: 0}
	if l.FileSize > 0 {
		bounds[unix.RLIMIT_FSIZE] = uint64(l.FileSize)
	}
	if l.Processes > 0 {
		bounds[unix.RLIMIT_NPROC] = uint64(threads + l.Threads())
	}
	for what, n := range bounds {
		var now unix.Rlimit
		if err := unix.Getrlimit(what, &now); err != nil {
			return fmt.Errorf("read resource limit %d: %w", what, err)
		}
		n = min(n, now.Max)
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n}); err != nil {
			return fmt.Errorf("set resource limit %d: %w", what, err)
		}
	}
	return nil
}

// yield gives init a turn among many busy processes of the command. With
// namespaces it needs few: there one call ends them all.
func yield(s Spec) error {
	if s.Namespaces {
		return nil
	}
	const weightOfATenth = 10 // nine of such processes weigh as much as init
	if err := unix.Setpriority(unix.PRIO_PROCESS, 0, weightOfATenth); err != nil && !errors.Is(err, unix.EACCES) {
		return fmt.Errorf("lower priority: %w", err)
	}
	return nil // EACCES: somebody has lowered ours further
}

// ThreadsOf counts the threads of a user's processes.
func ThreadsOf(uid int) int {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	n := 0
	for _, dir := range dirs {
		var st unix.Stat_t
		if unix.Stat(dir, &st) == nil && int(st.Uid) == uid {
			tasks, _ := filepath.Glob(dir + "/task/*")
			n += len(tasks)
		}
	}
	return n
}

// raiseLandlock allows reading what is not hidden, listing directories everywhere,
// and writing below the writable directories; it scopes signals and abstract
// sockets to the command's own tree where the kernel can.
func raiseLandlock(s Spec) error {
	configs := []landlock.Config{landlock.V1, landlock.V2, landlock.V3, landlock.V4, landlock.V5, landlock.V6, landlock.V7}
	config := configs[min(s.Landlock, len(configs))-1]
	// Ports say nothing about whom one talks to; see seccomp. All the rest must
	// be one ruleset: each one more would forbid moving files between
	// directories.
	config.HandledAccessNet = 0
	read := readable(s.Files.Hide, s.Files.Keep, listNames)
	rules := []landlock.Rule{
		landlock.PathAccess(accessReadDir, "/"),
		landlock.RODirs(ofKind(read, true)...).IgnoreIfMissing(),
		landlock.ROFiles(ofKind(read, false)...).IgnoreIfMissing(),
	}
	write := landlock.RWDirs(s.Files.Write...).IgnoreIfMissing()
	devices, terminals := landlock.RWFiles(devicePaths(false)...).IgnoreIfMissing(), landlock.RWDirs(devicePaths(true)...).IgnoreIfMissing()
	if s.Landlock >= 2 {
		write = write.WithRefer()
	}
	if s.Landlock >= 5 {
		devices, terminals = devices.WithIoctlDev(), terminals.WithIoctlDev()
	}
	return config.Restrict(append(rules, write, devices, terminals)...)
}

// devicePaths are what lies in /dev, directories or the rest. Shared memory is none of
// it: somebody's files may lie there, and a spec says whether it may be written to.
func devicePaths(dirs bool) []string {
	var all []string
	for _, name := range listNames("/dev") {
		if path := filepath.Join("/dev", name); path != ownShared {
			all = append(all, path)
		}
	}
	return ofKind(all, dirs)
}

// accessReadDir is LANDLOCK_ACCESS_FS_READ_DIR.
const accessReadDir landlock.AccessFSSet = 1 << 3

// ofKind keeps the directories of some paths, or the files.
func ofKind(paths []string, dirs bool) []string {
	return each.Where(paths, func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir() == dirs
	})
}
