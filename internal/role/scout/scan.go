package scout

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/scan/finding"
)

// anyEngine is every engine that needs no measured coverage.
var anyEngine = []string{"-coverage-gap"}

// Scan scans the change with every engine that needs no measured coverage, and
// with the model, whose words about risks decide nothing.
func (s Scout) Scan(ctx context.Context) (res finding.Result, risks []string, err error) {
	req, err := s.Request(ctx)
	if err != nil {
		return finding.Result{}, nil, err
	}
	req.Engines = anyEngine
	res, err = scan.Run(ctx, req)
	if err != nil || s.Client == nil {
		return res, nil, err
	}
	claimed, risks, err := s.modelScan(ctx, req)
	if err != nil {
		return finding.Result{}, nil, err
	}
	return Join(s.Config.MinSeverity, &res, &claimed), risks, nil
}

// Gaps are the findings of measured coverage.
func (s Scout) Gaps(ctx context.Context, head *qa.Coverage) (finding.Result, error) {
	req, err := s.Request(ctx)
	if err != nil {
		return finding.Result{}, err
	}
	req.Engines, req.Coverage = []string{"coverage-gap"}, head
	return scan.Run(ctx, req)
}

// Rewritten makes findings of tests that a run showed to notice less than on base.
func (s Scout) Rewritten(ctx context.Context, shown []qa.Weakening) (finding.Result, error) {
	req, err := s.Request(ctx)
	if err != nil {
		return finding.Result{}, err
	}
	req.Engines = []string{"weakened-test"}
	req.Weakened = func([]qa.Revision, []qa.Revision) []qa.Weakening { return shown }
	return scan.Run(ctx, req)
}

// Join unites scans of one run; those that are nil were not made.
func Join(least qa.Severity, parts ...*finding.Result) finding.Result {
	var all []finding.Result
	for _, p := range parts {
		if p != nil {
			all = append(all, *p)
		}
	}
	return finding.Join(least, all...)
}

// Text sums a scan up.
func Text(res finding.Result) string {
	n := map[qa.Severity]int{}
	total := 0
	for _, f := range res.Findings {
		if f.Open() {
			n[f.Severity]++
			total++
		}
	}
	if total == 0 {
		return "clean: no new findings"
	}
	return fmt.Sprintf("%d new findings (%d critical, %d high, %d medium, %d low)", total, n[qa.Critical], n[qa.High], n[qa.Medium], n[qa.Low])
}
