package finding

import (
	"github.com/org/qa-action/internal/qa"
)

// Result is what a scan found and what it did.
type Result struct {
	// Findings are ranked: new ones first, then the worst. Known ones stood
	// before the change and are meant to be folded.
	Findings []qa.Finding `json:"findings"`
	// Cut holds what MinSeverity left out, so that [Join] can decide again.
	Cut     []qa.Finding `json:"cut,omitempty"`
	Engines []qa.Engine  `json:"engines"`
	// Folded counts what is not shown by reason: "below min-severity medium".
	Folded map[string]int `json:"folded"`
	// Skipped names files that were not looked at and why.
	Skipped map[string]string `json:"skipped"`
	// Warnings are loud: unreadable places, ignored dismissals.
	Warnings []string `json:"warnings"`
}
