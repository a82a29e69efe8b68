package toolchain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"

	"github.com/Masterminds/semver/v3"
)

// nodeLTS are the code names of Node.js' long-term lines.
var nodeLTS = map[string]string{
	"argon": "4", "boron": "6", "carbon": "8", "dubnium": "10", "erbium": "12", "fermium": "14",
	"gallium": "16", "hydrogen": "18", "iron": "20", "jod": "22", "krypton": "24",
}

// newestLTS stands for "lts/*" and for no wish at all.
const newestLTS = "24"

// PickNode chooses the newest of the versions that fits a wish of nvm, fnm,
// volta or npm: "20", "v20.1", "^20 || >=22", "lts/*", "lts/iron", "latest".
func PickNode(spec string, versions []string) (string, error) {
	spec = strings.ToLower(strings.TrimSpace(spec))
	switch {
	case spec == "" || spec == "lts/*" || spec == "lts" || spec == "lts/-0" || spec == "--lts":
		spec = newestLTS
	case Newest(spec):
		spec = ">=0"
	case strings.HasPrefix(spec, "lts/"), strings.HasPrefix(spec, "lts-"):
		major, ok := nodeLTS[spec[len("lts/"):]]
		if !ok {
			return "", fmt.Errorf("node %q: unknown long-term line", spec)
		}
		spec = major
	}
	return PickSemver("node", strings.TrimPrefix(spec, "v"), versions)
}

// LongTerm is the long-term line where a wish for Node.js allows all of it, else the
// wish: of ">=18" most people have that line, and not what came out last.
func LongTerm(spec string) string {
	if !strings.Contains(spec, ">") {
		return spec
	}
	if first, err := PickSemver("node", spec, []string{newestLTS + ".0.0"}); err != nil || first == "" {
		return spec
	}
	return newestLTS
}

// Newest reports whether a wish is for whatever came out last, for which a
// version that is at hand does not do.
func Newest(spec string) bool {
	return slices.Contains([]string{"node", "latest", "current", "stable", "*"}, strings.ToLower(strings.TrimSpace(spec)))
}

// PickSemver chooses the newest of the versions inside a range of npm; a bare or
// shortened version stands for its line. Previews fit only when named.
func PickSemver(what, spec string, versions []string) (string, error) {
	if spec == "" {
		spec = ">=0"
	}
	constraint, err := semver.NewConstraint(spec)
	if err != nil {
		return "", fmt.Errorf("%s %q: not a version or range: %w", what, spec, err)
	}
	var best *semver.Version
	for _, s := range versions {
		v, err := semver.StrictNewVersion(strings.TrimPrefix(s, "v"))
		if err == nil && constraint.Check(v) && (best == nil || v.GreaterThan(best)) {
			best = v
		}
	}
	if best == nil {
		return "", fmt.Errorf("%s %q: %w", what, spec, ErrNoVersion)
	}
	return best.String(), nil
}

// PickGo chooses for a go or toolchain line: a language version ("1.22") stands
// for its newest release, a full one for itself. Versions are written "1.22.3".
func PickGo(spec string, versions []string) (string, error) {
	if spec == "" {
		return "", fmt.Errorf("go: no version named: %w", ErrNoVersion)
	}
	if slices.Contains(versions, spec) && (strings.Count(spec, ".") == 2 || strings.ContainsAny(spec, "rb")) {
		return spec, nil
	}
	return newest("go", spec, versions, func(v string) bool {
		line, patch, ok := cutLast(v)
		return ok && line == spec && isNumber(patch)
	})
}

// newest is the last of the versions that fit a wish.
func newest(what, spec string, versions []string, fits func(string) bool) (string, error) {
	fitting := each.Where(versions, fits)
	if len(fitting) == 0 {
		return "", fmt.Errorf("%s %q: %w", what, spec, ErrNoVersion)
	}
	return slices.MaxFunc(fitting, compareDotted), nil
}

// PickPython chooses the newest of the versions that fits a version ("3.11"),
// a list of PEP 440 specifiers (">=3.9,<4", "~=3.10", "==3.11.*") or poetry's
// caret and tilde ("^3.9").
func PickPython(spec string, versions []string) (string, error) {
	fits, err := pythonSpec(spec)
	if err != nil {
		return "", err
	}
	return newest("python", spec, versions, fits)
}

var pythonClause = pattern.New(`^(===|==|!=|~=|>=|<=|>|<|\^|~)?\s*v?([0-9]+(?:\.[0-9]+)*)(\.\*)?$`)

var pythonPatch = pattern.New(`^(?:cpython@|python)?-?(?:===?\s*)?v?([0-9]+\.[0-9]+)\.[0-9]+$`)

// PythonLine is the line ("3.11") of a wish for one patch of it ("3.11.9"); another wish
// stays what it is.
func PythonLine(spec string) string {
	if m := pythonPatch.FindStringSubmatch(strings.TrimSpace(spec)); m != nil {
		return m[1]
	}
	return spec
}

func pythonSpec(spec string) (func(version string) bool, error) {
	spec = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(spec), "cpython@"), "python")
	var any []func(string) bool
	for alternative := range strings.SplitSeq(spec, "||") {
		var all []func(string) bool
		for clause := range strings.SplitSeq(alternative, ",") {
			clause = strings.TrimSpace(clause)
			if clause == "" || clause == "*" {
				continue
			}
			m := pythonClause.FindStringSubmatch(clause)
			if m == nil {
				return nil, fmt.Errorf("python %q: cannot read %q as a version or specifier", spec, clause)
			}
			all = append(all, func(v string) bool { return pythonFits(m[1], m[2], m[3] != "", v) })
		}
		any = append(any, func(v string) bool {
			return !slices.ContainsFunc(all, func(f func(string) bool) bool { return !f(v) })
		})
	}
	return func(v string) bool { return slices.ContainsFunc(any, func(f func(string) bool) bool { return f(v) }) }, nil
}

func pythonFits(op, want string, wild bool, v string) bool {
	prefix := v == want || strings.HasPrefix(v, want+".")
	order := compareDotted(v, want)
	switch op {
	case "": // a version file: the line, or exactly this one
		return prefix
	case "==", "===":
		return wild && prefix || order == 0
	case "!=":
		return wild && !prefix || !wild && order != 0
	case ">=":
		return order >= 0
	case "<=":
		return order <= 0 || prefix && strings.Count(want, ".") < 2
	case ">":
		return order > 0 && !prefix
	case "<":
		return order < 0
	case "~=": // all but the last part stay
		line, _, _ := cutLast(want)
		return order >= 0 && strings.HasPrefix(v, line+".")
	case "^":
		major, _, _ := strings.Cut(want, ".")
		return order >= 0 && strings.HasPrefix(v, major+".")
	}
	parts := strings.SplitN(want, ".", 3) // "~": the minor version stays
	return order >= 0 && strings.HasPrefix(v, strings.Join(parts[:min(2, len(parts))], ".")+".")
}

// compareDotted compares versions of numbers; missing parts are 0.
func compareDotted(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(as), len(bs)) {
		x, y := 0, 0
		if i < len(as) {
			x, _ = strconv.Atoi(as[i])
		}
		if i < len(bs) {
			y, _ = strconv.Atoi(bs[i])
		}
		if c := cmp.Compare(x, y); c != 0 {
			return c
		}
	}
	return 0
}

func cutLast(v string) (before, after string, ok bool) {
	i := strings.LastIndexByte(v, '.')
	if i < 0 {
		return v, "", false
	}
	return v[:i], v[i+1:], true
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil
}
