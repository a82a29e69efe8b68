package golang

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/shell"
)

// goDropped are options of a script that choose reports, stop early or are ours
// to give; goValues are followed by a value.
var (
	goDropped = map[string]bool{
		"-v": false, "-json": false, "-cover": false, "-coverprofile": true, "-covermode": true, "-coverpkg": true, "-failfast": false, "-shuffle": true,
		"-benchmem": false, "-cpuprofile": true, "-memprofile": true, "-trace": true, "-outputdir": true,
	}
	goBools  = strings.Fields("-a -race -short -msan -asan -trimpath -work -x -linkshared -buildvcs -fullpath -modcacherw -artifacts")
	goValues = strings.Fields("-bench -benchtime -count -fuzztime -fuzzminimizetime -buildmode -compiler -gccgoflags -installsuffix -tags -testlogfile -run -skip -timeout -mod -modfile -ldflags -gcflags -asmflags -cpu -p -parallel -vet -exec -toolexec -pkgdir -overlay -pgo")
)

// goArgs splits what a script gives go test into options and packages; ok is
// false for what is no run of tests, or in another folder.
func goArgs(args []string) (options, packages []string, ok bool) {
	if len(args) == 0 || args[0] != "test" {
		return nil, nil, false
	}
	args = slices.Clone(args[1:])
	for i, a := range args { // --race is -race
		if strings.HasPrefix(a, "--") && a != "--" {
			args[i] = a[1:]
		}
	}
	if i := slices.Index(args, "-args"); i >= 0 {
		return nil, nil, false
	}
	args = shell.Without(args, goDropped)
	unknown := false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case unknown && !strings.HasPrefix(a, "-"), strings.HasPrefix(a, "-fuzz=") || a == "-fuzz":
			return nil, nil, false // an argument of the test programs; no suite
		case a == "-c" || a == "-C" || a == "-o" || a == "-n" || a == "-list" || strings.HasPrefix(a, "-C=") || strings.HasPrefix(a, "-list=") || strings.HasSuffix(a, ".go"):
			return nil, nil, false
		case !strings.HasPrefix(a, "-"):
			packages = append(packages, a)
		case slices.Contains(goValues, a) && i+1 < len(args):
			options = append(options, a, args[i+1])
			i++
		default:
			options = append(options, a)
			unknown = unknown || !goKnows(a)
		}
	}
	if len(packages) == 0 {
		packages = []string{"."}
	}
	return options, packages, true
}

// goEnvironment takes out of a script's GOFLAGS what goArgs takes out of its
// arguments: go adds them to every command. measured is its -coverpkg, count its -count,
// which ours on the command line would outdo.
func goEnvironment(env []string) (out []string, measured, count string) {
	for _, kv := range env {
		if flags, ok := strings.CutPrefix(kv, "GOFLAGS="); ok {
			list := strings.Fields(strings.ReplaceAll(" "+flags, " --", " -"))
			measured = strings.Trim(shell.LastOption(list, "-coverpkg"), `"'`)
			count = shell.LastOption(list, "-count")
			kv = "GOFLAGS=" + strings.Join(shell.Without(list, goJoined), " ")
		}
		out = append(out, kv)
	}
	return out, measured, count
}

// goJoined are the options of goDropped as GOFLAGS has them, with their values.
var goJoined = func() map[string]bool {
	out := map[string]bool{}
	for name := range goDropped {
		out[name] = false
	}
	return out
}()

// goBuild are the options of a script by which go list tells which files are
// built.
func goBuild(args []string) []string {
	known, _ := goFlags(args)
	var out []string
	for i := 0; i < len(known); i++ {
		name, _, joined := strings.Cut(known[i], "=")
		n := 1
		if slices.Contains(goValues, name) && !joined && i+1 < len(known) {
			n = 2
		}
		if slices.Contains(goListed, name) {
			out = append(out, known[i:i+n]...)
		}
		i += n - 1
	}
	return out
}

var goListed = strings.Fields("-tags -race -msan -asan -mod -modfile -compiler -overlay -installsuffix -buildmode")

// goKnows reports whether a flag is go's own; others are for the test programs.
func goKnows(flag string) bool {
	name, _, _ := strings.Cut(flag, "=")
	return slices.Contains(goBools, name) || slices.Contains(goValues, name)
}

// goFlags parts the flags that go knows from the test programs' own.
func goFlags(args []string) (known, own []string) {
	for i := 0; i < len(args); i++ {
		n := 1
		if slices.Contains(goValues, args[i]) && i+1 < len(args) {
			n = 2
		}
		if !goKnows(args[i]) {
			own = append(own, args[i])
			continue
		}
		known = append(known, args[i:i+n]...)
		i += n - 1
	}
	return known, own
}
