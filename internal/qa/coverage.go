package qa

import (
	"math"
	"strconv"
)

// Count is covered of total; percentages are only ever derived from it.
type Count struct {
	Covered int `json:"covered"`
	Total   int `json:"total"`
}

// Rate is covered over total; ok is false when there is nothing to cover.
func (c Count) Rate() (rate float64, ok bool) {
	if c.Total == 0 {
		return 0, false
	}
	return float64(c.Covered) / float64(c.Total), true
}

// Reaches reports, in whole numbers, whether the count reaches percent
// (0..100, up to two decimals are exact): 99.99 is not 100.
// Nothing to cover reaches every percentage: ask for Total first.
func (c Count) Reaches(percent float64) bool {
	return int64(c.Covered)*10000 >= int64(math.Round(percent*100))*int64(c.Total)
}

// Percent is the percentage cut, never rounded up, to two decimals: "91.5",
// "99.99" for 19999/20000, "< 0.01" for 1/20000; "n/a" when there is nothing to
// cover.
func (c Count) Percent() string { return string(c.appendPercent(nil)) }

func (c Count) appendPercent(to []byte) []byte {
	if c.Total <= 0 {
		return append(to, "n/a"...)
	}
	hundredths := int64(c.Covered) * 10000 / int64(c.Total)
	if hundredths == 0 && c.Covered > 0 {
		return append(to, "< 0.01"...)
	}
	to = strconv.AppendInt(to, hundredths/100, 10)
	switch rest := hundredths % 100; {
	case rest == 0:
		return to
	case rest%10 == 0:
		return append(to, '.', byte('0'+rest/10))
	default:
		return append(to, '.', byte('0'+rest/10), byte('0'+rest%10))
	}
}

// Text is the exact fraction with its percentage: "183/200 = 91.5 %".
func (c Count) Text() string { return string(c.AppendText(nil)) }

// AppendText writes [Count.Text] behind what is there: a table may have hundreds of
// thousands of them.
func (c Count) AppendText(to []byte) []byte {
	if c.Total <= 0 {
		return append(to, "n/a"...)
	}
	to = append(strconv.AppendInt(to, int64(c.Covered), 10), '/')
	to = append(strconv.AppendInt(to, int64(c.Total), 10), " = "...)
	return append(c.appendPercent(to), " %"...)
}

// Percentage is the rate of a count in percent, nil when it is unknown.
func (c *Count) Percentage() *float64 {
	if c == nil {
		return nil
	}
	rate, ok := c.Rate()
	if !ok {
		return nil
	}
	rate *= 100
	return &rate
}

// Plus adds two counts.
func (c Count) Plus(o Count) Count { return Count{c.Covered + o.Covered, c.Total + o.Total} }

// LineHit is one executable line.
type LineHit struct {
	Line int32 `json:"line"`
	// Hits saturates at the maximum.
	Hits uint32 `json:"hits"`
	// Branches and BranchesTaken are zero where the line has none or the
	// format cannot tell. 0 < taken < all is a partial line.
	Branches      uint16 `json:"branches,omitempty"`
	BranchesTaken uint16 `json:"branches_taken,omitempty"`
}

// Partial reports a line that ran without taking all its branches.
func (l LineHit) Partial() bool {
	return l.Hits > 0 && l.Branches > 0 && l.BranchesTaken < l.Branches
}

// FuncHit is one function as a coverage report names it.
type FuncHit struct {
	Name string `json:"name"`
	Line int32  `json:"line"`
	Hits uint32 `json:"hits"`
}

// UnitHit is one branch arm or one statement that a report names, so that
// reports of several runs join exactly. ID is unique among the units of a file
// and means the same in all reports of one format, nothing across formats.
type UnitHit struct {
	ID     uint64 `json:"id"`
	Line   int32  `json:"line"` // 0 where the format does not say
	Hits   uint32 `json:"hits"`
	Weight uint32 `json:"weight"` // statements in the unit; 1 for a branch arm
}

// FileCoverage is one file of a coverage report. A nil metric is one that the
// format cannot give.
type FileCoverage struct {
	Path  string    `json:"path"`
	Lines []LineHit `json:"-"` // sorted by line, unique
	Funcs []FuncHit `json:"-"` // sorted by line and name
	// Arms and Units are sorted by ID and empty where the format gives only
	// numbers of branches and statements.
	Arms       []UnitHit `json:"-"`
	Units      []UnitHit `json:"-"`
	LineCount  *Count    `json:"lines"`
	Statements *Count    `json:"statements"`
	Branches   *Count    `json:"branches"`
	Functions  *Count    `json:"functions"`
}

// CoverageSource is one report that a Coverage was read from.
type CoverageSource struct {
	Path   string `json:"path"`
	Format string `json:"format"`
}

// Coverage is one or several coverage reports joined.
type Coverage struct {
	Sources    []CoverageSource `json:"sources,omitempty"`
	Lines      *Count           `json:"lines"`
	Statements *Count           `json:"statements"`
	Branches   *Count           `json:"branches"`
	Functions  *Count           `json:"functions"`
	Files      []FileCoverage   `json:"files"` // sorted by path
	Warnings   []string         `json:"warnings,omitempty"`
	Conflicts  []string         `json:"conflicts,omitempty"` // two reports of one run that disagree
}

// File looks a file up by path.
func (c *Coverage) File(path string) *FileCoverage {
	if c == nil {
		return nil
	}
	for i := range c.Files {
		if c.Files[i].Path == path {
			return &c.Files[i]
		}
	}
	return nil
}

// Missing is the uncovered part of one changed file.
type Missing struct {
	Path   string  `json:"path"`
	Ranges []Range `json:"ranges"`
}

// PatchCoverage is the coverage of changed lines with its whole denominator:
// Changed = Lines.Total + NonCode + Excluded + lines of Unmapped files.
type PatchCoverage struct {
	// Lines counts changed executable lines. Total 0 is "not applicable",
	// never 100 %.
	Lines    Count     `json:"lines"`
	Branches *Count    `json:"branches,omitempty"`
	Missing  []Missing `json:"missing"`
	Changed  int       `json:"changed"`
	NonCode  int       `json:"non_code"`
	Excluded int       `json:"excluded"`
	// Unmapped lists changed source files that no coverage entry maps to;
	// a loud warning wherever it is not empty.
	Unmapped      []string           `json:"unmapped"`
	UnmappedLines int                `json:"unmapped_lines,omitempty"`
	Files         map[string]Count   `json:"files,omitempty"`
	Symbols       map[string][]Range `json:"-"`
}
