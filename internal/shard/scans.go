package shard

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/task"
)

// Scan unites the shards' scans.
func (all Shards) Scan(id string, least qa.Severity) task.Result {
	var parts []finding.Result
	var risks []string
	for _, s := range all {
		if v := s.results[id].Scan; v != nil {
			parts = append(parts, *v)
		}
		risks = append(risks, s.results[id].Advice...)
	}
	joined := joinScans(least, parts)
	return task.Result{Scan: &joined, Findings: scout.Text(joined), Advice: risks}
}

// Read is what second readers said in the shards.
func (all Shards) Read(id string) scout.Readings {
	var out scout.Readings
	for _, s := range all {
		out = append(out, s.results[id].Read...)
	}
	return out
}

// joinScans unites the scans of shards, each of its own directory. An engine
// has one row: that of the shard that tells most of it. A file is outside only where no shard looked at it.
func joinScans(least qa.Severity, parts []finding.Result) finding.Result {
	out := finding.Join(least, parts...)
	found := map[string]int{}
	for _, f := range slices.Concat(out.Findings, out.Cut) {
		for _, name := range f.Engines {
			found[name]++
		}
	}
	var rows []qa.Engine
	for _, e := range out.Engines {
		e.Findings = found[e.Name]
		i := slices.IndexFunc(rows, func(o qa.Engine) bool { return o.Name == e.Name })
		switch {
		case i < 0:
			rows = append(rows, e)
		case telling(e) > telling(rows[i]):
			e.Unseen, e.Alike, e.Reviewed = together(e.Unseen, rows[i].Unseen), together(e.Alike, rows[i].Alike), slices.Concat(e.Reviewed, rows[i].Reviewed)
			rows[i] = e
		default:
			rows[i].Unseen, rows[i].Alike, rows[i].Reviewed = together(rows[i].Unseen, e.Unseen), together(rows[i].Alike, e.Alike), slices.Concat(rows[i].Reviewed, e.Reviewed)
		}
	}
	for i, e := range rows {
		slices.Sort(e.Reviewed)
		rows[i].Reviewed = slices.DeleteFunc(slices.Compact(e.Reviewed), func(path string) bool { return e.Unseen[path] != "" })
	}
	out.Engines = rows
	for path, why := range out.Skipped {
		for _, part := range parts {
			if other, skipped := part.Skipped[path]; why == engine.Outside && other != engine.Outside {
				if delete(out.Skipped, path); skipped {
					out.Skipped[path] = other
				}
			}
		}
	}
	// Shards of one directory folded the same hits; what is cut was counted anew.
	for reason := range out.Folded {
		if strings.HasPrefix(reason, finding.BelowSeverity) {
			continue
		}
		out.Folded[reason] = 0
		for _, part := range parts {
			out.Folded[reason] = max(out.Folded[reason], part.Folded[reason])
		}
	}
	return out
}

// together joins what engines of two shards did not look at.
func together(a, b map[string]string) map[string]string {
	if len(b) == 0 {
		return a
	}
	out := maps.Clone(b)
	maps.Copy(out, a)
	return out
}

// telling ranks the rows of an engine: where it left something unseen, where it
// ran, where it could not, and where there was nothing for it to look at.
func telling(e qa.Engine) int {
	switch {
	case e.Gap != "" || len(e.Unseen) > 0:
		return 3
	case e.State == "ran":
		return 2
	case e.Reason != engine.NoFiles:
		return 1
	}
	return 0
}

// NotRun says why a task is not part of a merge, in the words of the shards.
func (all Shards) NotRun(id string) error {
	for _, s := range all {
		for _, t := range s.report.Manifest.Tasks {
			if t.ID == id && t.Status == string(pipeline.Skipped) {
				return pipeline.Skip(t.Detail)
			}
		}
	}
	return pipeline.Skip("done by the shards")
}
