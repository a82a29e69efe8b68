package measure

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/org/qa-action/internal/each"
)

var yes = map[bool]string{true: "yes", false: "no"}

// Print writes one line per outcome, then the numbers of every run beside each
// other and of all runs together with their intervals.
func Print(w io.Writer, runs []string, all []Outcome) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RUN\tCASE\tCHANGE\tFOUND\tPROVEN\tPOSTED\tTRUE\tTESTS\tBUILT\tSTABLE\tGAIN\tKEPT\tENSHRINED\tMUTANTS\tREQUESTS\tTOKENS")
	for _, o := range all {
		kind, found, proven := "clean", "", ""
		if o.Buggy {
			kind, found, proven = "defect", yes[o.Found], yes[o.Proven]
			if !o.Found && o.Seen {
				found = "folded"
			}
		}
		if o.NotRun != "" {
			fmt.Fprintf(t, "%s\t%s\t%s\tNOT RUN: %s\n", o.Run, o.Case, kind, o.NotRun)
			continue
		}
		end := "\n"
		if o.Unanswered != "" {
			end = "\tWITHOUT AN ANSWER: " + o.Unanswered + end
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d→%d/%d\t%d\t%d%s", o.Run, o.Case, kind, found, proven,
			o.Posted, o.True, o.Written, o.Built, o.Stable, o.Gained, o.Kept, o.Enshrined, o.Before, o.After, o.Mutants, o.Requests, o.Tokens, end)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, line := range metrics(runs, all) {
		fmt.Fprintln(t, strings.Join(line, "\t"))
	}
	return t.Flush()
}

// Markdown writes the numbers alone, as a table for the documentation.
func Markdown(w io.Writer, runs []string, all []Outcome) error {
	lines := metrics(runs, all)
	lines = slices.Insert(lines, 1, slices.Repeat([]string{"---"}, len(lines[0])))
	for _, line := range lines {
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(line, " | ")); err != nil {
			return err
		}
	}
	return nil
}

// metrics are the numbers as lines of cells, the first of them a heading.
func metrics(runs []string, all []Outcome) [][]string {
	out := [][]string{slices.Concat([]string{"metric"}, runs, []string{"all", "95 %", "floor"})}
	out = append(out, table(runs, all, "", rows)...)
	if Sum(all).Micro > 0 {
		out = append(out, table(runs, all, "", prices)...)
	}
	for _, p := range parts {
		if of := each.Where(all, p.has); len(of) > 0 {
			out = append(out, table(runs, of, p.name+": ", p.rows)...)
		}
	}
	return out
}

// table has one line for each row.
func table(runs []string, all []Outcome, before string, rows []row) [][]string {
	columns := []Numbers{}
	for _, run := range runs {
		columns = append(columns, Sum(each.Where(all, func(o Outcome) bool { return o.Run == run })))
	}
	columns = append(columns, Sum(all))
	var out [][]string
	for _, row := range rows {
		line := []string{before + row.name}
		for _, n := range columns {
			line = append(line, row.text(row.share(n)))
		}
		out = append(out, append(line, row.interval(row.share(columns[len(runs)])), row.floor))
	}
	return out
}

type row struct {
	name  string
	share func(Numbers) Share
	floor string
	mean  bool // a number per change, which may be above 1
	whole bool // no share
	money bool // millionths of a dollar per something
}

// prices are told where a price is given.
var prices = []row{
	{name: "USD", share: func(n Numbers) Share { return Share{Of: n.Micro, All: 1} }, money: true},
	{name: "USD per change", share: func(n Numbers) Share { return Share{Of: n.Micro, All: n.Buggy + n.Clean} }, money: true},
	{name: "USD per posted finding", share: func(n Numbers) Share { return Share{Of: n.Micro, All: n.Precision.All} }, money: true},
	{name: "USD per kept test", share: func(n Numbers) Share { return Share{Of: n.Micro, All: n.Kept.Of} }, money: true},
}

// rows has every metric with the floor it is held to.
var rows = []row{
	{name: "finding recall", share: func(n Numbers) Share { return n.Recall }, floor: "45 %"},
	{name: "recall with folded findings", share: func(n Numbers) Share { return n.Seen }},
	{name: "precision of posted findings", share: func(n Numbers) Share { return n.Precision }, floor: "70 %"},
	{name: "precision of the proven tier", share: func(n Numbers) Share { return n.ProvenPrecision }, floor: "98 %"},
	{name: "findings per clean change", share: func(n Numbers) Share { return n.CleanFindings }, floor: "≤ 0.3", mean: true},
	{name: "proven rate", share: func(n Numbers) Share { return n.Proof }, floor: "30 %"},
	{name: "tests that build", share: func(n Numbers) Share { return n.Build }, floor: "85 %"},
	{name: "tests that are stable", share: func(n Numbers) Share { return n.Stable }, floor: "75 %"},
	{name: "tests with gain", share: func(n Numbers) Share { return n.Gain }, floor: "40 %"},
	{name: "tests kept", share: func(n Numbers) Share { return n.Kept }},
	{name: "hardening tests kept", share: func(n Numbers) Share { return n.Hardened }, floor: "40 %"},
	{name: "changes with a capturing test", share: func(n Numbers) Share { return n.Capturing }, floor: "45 %"},
	{name: "enshrined defects", share: func(n Numbers) Share { return n.Enshrined }, floor: "≤ 5 %"},
	{name: "mutation score before", share: func(n Numbers) Share { return n.Before }},
	{name: "mutation score after", share: func(n Numbers) Share { return n.After }, floor: "60 %"},
	{name: "changes with a defect", share: func(n Numbers) Share { return Share{Of: n.Buggy} }, whole: true},
	{name: "clean changes", share: func(n Numbers) Share { return Share{Of: n.Clean} }, whole: true},
	{name: "not run", share: func(n Numbers) Share { return Share{Of: n.NotRun} }, whole: true},
	{name: "requests", share: func(n Numbers) Share { return Share{Of: n.Requests} }, whole: true},
	{name: "tokens", share: func(n Numbers) Share { return Share{Of: n.Tokens} }, whole: true},
	{name: "tokens per token of the diff", share: func(n Numbers) Share { return n.PerDiff }, mean: true},
}

func (r row) text(s Share) string {
	if r.whole {
		return strconv.Itoa(s.Of)
	}
	if s.All == 0 {
		return "–"
	}
	rate := float64(s.Of) / float64(s.All)
	if r.money {
		return fmt.Sprintf("%.4f", rate/1e6)
	}
	if r.mean {
		return fmt.Sprintf("%d/%d = %.2f", s.Of, s.All, rate)
	}
	return fmt.Sprintf("%d/%d = %.0f %%", s.Of, s.All, 100*rate)
}

func (r row) interval(s Share) string {
	if s.All == 0 || r.mean || r.money {
		return ""
	}
	low, high := s.Interval()
	return fmt.Sprintf("%.0f–%.0f %%", 100*low, 100*high)
}
