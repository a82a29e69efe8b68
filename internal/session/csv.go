package session

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// columns of tasks.csv, in order. Lists are separated by ";".
var columns = []string{
	"id", "title", "description", "role", "perspective", "layer", "coverage_target", "deps", "context_from",
	"exec_mode", "wave", "status", "findings", "issues_found", "pass_rate", "coverage_achieved", "test_files",
	"quality_score", "error",
}

// encodeTasks writes rows as tasks.csv; with context, that of each row stands in a
// column behind the others.
func encodeTasks(tasks []Task, context func(Task) string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	header := columns
	if context != nil {
		header = append(slices.Clip(columns), "prev_context")
	}
	rows := [][]string{header}
	for _, t := range tasks {
		row := []string{
			t.ID, text(t.Title), text(t.Description), t.Role, list(t.Perspectives), t.Layer, decimal(t.CoverageTarget),
			list(t.Deps), list(t.ContextFrom), t.ExecMode, whole(&t.Wave), string(t.Status),
			text(wording.Cut(t.Findings, maxFindings)), whole(t.IssuesFound), decimal(t.PassRate), decimal(t.CoverageAchieved),
			list(t.TestFiles), whole(t.QualityScore), text(t.Error),
		}
		if context != nil {
			row = append(row, text(context(t)))
		}
		for i := range row {
			row[i] = defuse(row[i])
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("encode task table: %w", err)
	}
	return b.Bytes(), nil
}

// decodeTasks reads what [encodeTasks] wrote and returns equal rows. Errors
// name line and column.
func decodeTasks(data []byte) ([]Task, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = len(columns)
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if !slices.Equal(header, columns) {
		return nil, fmt.Errorf("line 1: the columns are %q, expected %q", strings.Join(header, ","), strings.Join(columns, ","))
	}
	var tasks []Task
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return tasks, validate(tasks)
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		t, err := decodeRow(row)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		tasks = append(tasks, t)
	}
}

func decodeRow(row []string) (Task, error) {
	for i := range row {
		row[i] = fuse(row[i])
	}
	t := Task{
		ID: row[0], Title: row[1], Description: row[2], Role: row[3], Perspectives: unlist(row[4]), Layer: row[5],
		Deps: unlist(row[7]), ContextFrom: unlist(row[8]), ExecMode: row[9],
		Outcome: Outcome{Status: Status(row[11]), Findings: row[12], TestFiles: unlist(row[16]), Error: row[18]},
	}
	wave, err := parseWhole("wave", row[10])
	if err != nil {
		return Task{}, err
	}
	if wave != nil {
		t.Wave = *wave
	}
	for _, cell := range []struct {
		to     **float64
		column int
	}{{&t.CoverageTarget, 6}, {&t.PassRate, 14}, {&t.CoverageAchieved, 15}} {
		if *cell.to, err = parseDecimal(columns[cell.column], row[cell.column]); err != nil {
			return Task{}, err
		}
	}
	if t.IssuesFound, err = parseWhole("issues_found", row[13]); err != nil {
		return Task{}, err
	}
	t.QualityScore, err = parseWhole("quality_score", row[17])
	return t, err
}

// text makes line ends uniform: CSV readers do it anyway.
func text(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

var (
	listEscapes   = strings.NewReplacer(`\`, `\\`, ";", `\;`, "\r", `\r`)
	listUnescapes = map[byte]byte{'\\': '\\', ';': ';', 'r': '\r', 'e': 0}
)

// list joins items by ";"; in an item a backslash stands before the ones of
// its own. A list of one empty item is `\e`.
func list(items []string) string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = listEscapes.Replace(item)
		if item == "" {
			out[i] = `\e`
		}
	}
	return strings.Join(out, ";")
}

func unlist(s string) []string {
	if s == "" {
		return nil
	}
	var items []string
	var item []byte
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == ';':
			items, item = append(items, string(item)), nil
		case s[i] == '\\' && i+1 < len(s):
			i++
			if c, ok := listUnescapes[s[i]]; !ok {
				item = append(item, '\\', s[i])
			} else if c != 0 {
				item = append(item, c)
			}
		default:
			item = append(item, s[i])
		}
	}
	return append(items, string(item))
}

// A spreadsheet takes a cell for a formula by its first character, and cuts
// cells at separators that depend on its language. defuse puts an apostrophe
// before such a character wherever a cell could begin; fuse takes it away.
func dangerous(c byte) bool { return strings.IndexByte("=+-@\t\r'", c) >= 0 }
func separates(c byte) bool { return strings.IndexByte(";,|\t\n", c) >= 0 }

func defuse(s string) string {
	var b strings.Builder
	begins := true
	for i := range len(s) {
		if begins && dangerous(s[i]) {
			b.WriteByte('\'')
		}
		b.WriteByte(s[i])
		begins = separates(s[i])
	}
	return b.String()
}

func fuse(s string) string {
	var b strings.Builder
	begins := true
	for i := 0; i < len(s); i++ {
		if begins && s[i] == '\'' {
			if i++; i == len(s) {
				break
			}
		}
		b.WriteByte(s[i])
		begins = separates(s[i])
	}
	return b.String()
}

func decimal(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

func whole(v *int) string {
	if v == nil {
		return ""
	}
	return strconv.Itoa(*v)
}

func parseDecimal(column, s string) (*float64, error) {
	if s == "" {
		return nil, nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v != v || v < 0 || v > 1e9 {
		return nil, fmt.Errorf("column %s: %.40q is not a number", column, s)
	}
	return &v, nil
}

func parseWhole(column, s string) (*int, error) {
	if s == "" {
		return nil, nil
	}
	v, err := strconv.Atoi(s)
	if err != nil || v < 0 {
		return nil, fmt.Errorf("column %s: %.40q is not a whole number", column, s)
	}
	return &v, nil
}
