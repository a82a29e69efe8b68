package qa

import "github.com/org/qa-action/internal/each"

// Focus is one changed function that tests should reach, highest risk first.
type Focus struct {
	Path   string  `json:"path"`
	Symbol string  `json:"symbol"`
	Lines  Range   `json:"lines"`
	Risk   float64 `json:"risk"` // 0..100, formula in docs/severity.md
	// Reasons name the terms of the risk: "7 uncovered changed lines".
	Reasons   []string `json:"reasons,omitempty"`
	Uncovered []Range  `json:"uncovered,omitempty"`
	Findings  []string `json:"findings,omitempty"` // finding ids
	// Like is the function with the same edit of which tests are asked for in its stead,
	// as "symbol of path".
	Like string `json:"like,omitempty"`
}

// LayerPlan is a layer the strategist selected, or not, and why.
type LayerPlan struct {
	Layer     Layer    `json:"level"`
	Name      string   `json:"name"`
	Selected  bool     `json:"selected"`
	Target    float64  `json:"target_coverage"` // percent, 0..100
	Focus     []string `json:"focus"`           // paths or symbols
	Rationale string   `json:"rationale"`
}

// Conventions are the repository's own test habits.
type Conventions struct {
	Framework string   `json:"framework"`
	Version   string   `json:"version,omitempty"`
	Location  string   `json:"location,omitempty"` // colocated, __tests__, tests/
	Naming    string   `json:"naming,omitempty"`   // "{name}.test.ts"
	Style     []string `json:"style,omitempty"`    // "describe/it", "table-driven", "ESM imports"
	Examples  []string `json:"examples,omitempty"` // nearest test files
}

// RiskRow is one row of the risk table.
type RiskRow struct {
	Path     string `json:"path"`
	Change   string `json:"change"` // what was done to it
	Impact   string `json:"impact"`
	Priority string `json:"priority"` // P0, P1, P2
}

// Strategy is what the strategist decided for one target.
type Strategy struct {
	Scope struct {
		TotalChanged int      `json:"total_changed"`
		SourceFiles  int      `json:"source_files"`
		TestFiles    int      `json:"test_files"`
		Issues       int      `json:"issue_count"`
		Baseline     *float64 `json:"baseline_coverage"` // 0..1
	} `json:"scope"`
	Framework      string      `json:"test_framework"`
	Conventions    Conventions `json:"conventions"`
	Layers         []LayerPlan `json:"layers"`
	Focus          []Focus     `json:"focus"`
	PriorityIssues []string    `json:"priority_issues"` // finding ids, at most 10
	Risks          []RiskRow   `json:"risks"`
	Order          []string    `json:"execution_order"`
	Notes          string      `json:"notes,omitempty"` // a model's risk notes: hostile text
}

// Name is how a function is told that stands for others.
func (f Focus) Name() string { return f.Symbol + " of " + f.Path }

// Layer looks a layer's plan up.
func (s Strategy) Layer(l Layer) (LayerPlan, bool) {
	return each.First(s.Layers, func(p LayerPlan) bool { return p.Layer == l })
}
