package ci

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"gopkg.in/yaml.v3"
)

// nearest is the row of a job's matrix that is most like this machine.
func nearest(job *yaml.Node, has Has) map[string]string {
	matrix := field(job, "strategy", "matrix")
	if matrix == nil || matrix.Kind != yaml.MappingNode {
		return nil
	}
	rows := withIncludes(matrix, product(matrix))
	axes := languages(job)
	best, score := map[string]string(nil), 0
	for _, row := range rows {
		if s := likeness(row, axes, has); best == nil || s > score {
			best, score = row, s
		}
	}
	return best
}

// rows are the tests that other rows of the matrix run with other words, where these rows
// ask for the same machine and versions as the nearest one.
func (r *jobReader) rows(id string) (out []Command) {
	matrix := field(r.node, "strategy", "matrix")
	if matrix == nil || matrix.Kind != yaml.MappingNode {
		return nil
	}
	aside := r.aside()
	known := func(c Command) bool {
		same := func(o Command) bool { return slices.Equal(o.Argv, c.Argv) && o.Dir == c.Dir }
		return slices.ContainsFunc(r.job.Commands, same) || slices.ContainsFunc(out, same)
	}
	read := 0
	for _, row := range withIncludes(matrix, product(matrix)) {
		other := func(axis string) bool { return row[axis] != r.row[axis] && !aside(axis) }
		if len(row) == 0 || maps.Equal(row, r.row) || slices.ContainsFunc(slices.Concat(slices.Collect(maps.Keys(row)), slices.Collect(maps.Keys(r.row))), other) {
			continue
		}
		if read++; read > maxRead {
			break
		}
		again := jobReader{file: r.file, name: r.name, has: r.has, top: r.top, node: r.node, row: row}
		for _, c := range again.read(id, r.job.Line).Commands {
			if c.Kind == Test && c.Certain && !known(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// maxRead is how many rows beside the nearest one are read.
const maxRead = 32

var (
	inCommand = pattern.New(`(?m)^.*\bmatrix\.[\w.-]+.*$`)
	// toolchains are lines that put another version in place; keeps are actions that only
	// name what they keep by an axis.
	toolchains = pattern.New(`\brustup\b|\s\+\$\{\{`)
	keeps      = pattern.New(`(?i)cache|upload|codecov|coveralls`)
)

// aside tells which axes stand in the words of commands and say nothing of the machine.
func (r *jobReader) aside() func(axis string) bool {
	spoken, machine := map[string]bool{}, map[string]bool{}
	note := func(in map[string]bool, text string) {
		for _, m := range axisOf.FindAllStringSubmatch(text, -1) {
			in[m[1]] = true
		}
	}
	var values func(n *yaml.Node)
	values = func(n *yaml.Node) { // what an alias stands for is written elsewhere, or contains itself
		if n == nil {
			return
		}
		note(machine, n.Value)
		for _, in := range n.Content {
			values(in)
		}
	}
	for _, name := range []string{"runs-on", "container", "services"} {
		values(field(r.node, name))
	}
	steps := items(field(r.node, "steps"))
	for _, step := range steps[:min(len(steps), maxSteps)] {
		if !keeps.MatchString(text(field(step, "uses"))) {
			values(field(step, "with"))
		}
		for _, line := range inCommand.FindAllString(text(field(step, "run")), -1) {
			in := spoken
			if toolchains.MatchString(line) {
				in = machine
			}
			note(in, line)
		}
	}
	return func(axis string) bool { return spoken[axis] && !machine[axis] }
}

// product are the combinations of the axes without those that are excluded.
func product(matrix *yaml.Node) []map[string]string {
	rows := []map[string]string{{}}
	pairs(matrix, func(axis string, _, v *yaml.Node) {
		values := items(v)
		if axis == "include" || axis == "exclude" || len(values) == 0 {
			return
		}
		var next []map[string]string
		for _, row := range rows {
			for _, value := range values {
				if len(next) < maxRows {
					next = append(next, set(row, axis, value))
				}
			}
		}
		rows = next
	})
	for _, ex := range items(field(matrix, "exclude")) {
		out := set(nil, "", ex)
		rows = slices.DeleteFunc(rows, func(row map[string]string) bool { return len(out) > 0 && agrees(row, out, true) })
	}
	return rows
}

// withIncludes adds to rows what an entry of include says of them; one that fits none
// is a row of its own.
func withIncludes(matrix *yaml.Node, rows []map[string]string) []map[string]string {
	for _, in := range items(field(matrix, "include")) {
		add := set(nil, "", in)
		fits := false
		for _, row := range rows {
			if len(row) > 0 && agrees(row, add, false) {
				fits = true
				maps.Copy(row, add)
			}
		}
		if !fits && len(rows) < maxRows {
			rows = append(rows, add)
		}
	}
	if len(rows) > 1 && len(rows[0]) == 0 {
		rows = rows[1:]
	}
	return rows
}

// agrees reports whether a row has the values of an entry: all of them, or those that
// it has at all.
func agrees(row, entry map[string]string, all bool) bool {
	for k, v := range entry {
		if has, ok := row[k]; ok && has != v || !ok && all {
			return false
		}
	}
	return true
}

// set is a row with a value more; the fields of a value that is a mapping count by
// their paths.
func set(row map[string]string, axis string, value *yaml.Node) map[string]string {
	out := map[string]string{}
	maps.Copy(out, row)
	value = at(value)
	if value != nil && value.Kind == yaml.ScalarNode && axis != "" {
		out[axis] = plain(value.Value)
	}
	pairs(value, func(key string, _, v *yaml.Node) {
		if v != nil && v.Kind == yaml.ScalarNode {
			out[strings.TrimPrefix(axis+"."+key, ".")] = plain(v.Value)
		}
	})
	return out
}

var axisOf = pattern.New(`matrix\.([\w.-]+)`)

// languages says which axes are versions of which language: those that setup actions
// are given.
func languages(job *yaml.Node) map[string]string {
	out := map[string]string{}
	steps := items(field(job, "steps"))
	for _, step := range steps[:min(len(steps), maxSteps)] {
		action, _, _ := strings.Cut(text(field(step, "uses")), "@")
		language := setups[action[strings.LastIndexByte(action, '/')+1:]]
		if language == "" {
			continue
		}
		for _, m := range axisOf.FindAllStringSubmatch(text(field(step, "with", language+"-version")), -1) {
			out[m[1]] = language
		}
	}
	return out
}

// likeness is how near a row is to this machine: the system before the versions.
func likeness(row map[string]string, axes map[string]string, has Has) int {
	score := 0
	for axis, value := range row {
		low := strings.ToLower(value)
		switch {
		case axes[axis] != "":
			score -= distance(value, has(axes[axis]))
		case strings.Contains(low, "windows") || strings.Contains(low, "macos"):
			score -= 100_000
		case strings.Contains(low, "experimental") || strings.Contains(low, "nightly") || strings.Contains(low, "canary"):
			score -= 1000
		}
	}
	return score
}

var plainVersion = pattern.New(`^v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?$`)

// distance is how far two versions are apart; of an unknown one the newest is
// nearest.
func distance(want, has string) int {
	w := plainVersion.FindStringSubmatch(want)
	if w == nil {
		if strings.HasPrefix(want, "lts") || want == "latest" || strings.HasSuffix(want, ".x") {
			return 300
		}
		return 50_000
	}
	h := plainVersion.FindStringSubmatch(has)
	if h == nil {
		h = []string{"", "99", "99", ""}
	}
	d := 0
	for i, weight := range []int{100, 1} {
		a, errA := strconv.Atoi(w[i+1])
		b, errB := strconv.Atoi(h[i+1])
		if errA == nil && errB == nil && a < 10_000 && b < 10_000 {
			d += weight * cmp.Compare(a, b) * (a - b)
		}
	}
	return min(d, 40_000)
}

// plain is a value that stands there as it is.
func plain(value string) string {
	if strings.Contains(value, "${{") || len(value) > maxValue {
		return unknown
	}
	return value
}
