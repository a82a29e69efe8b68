package scout

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan"
)

// anyEngine is every engine that needs no measured coverage.
var anyEngine = []string{"-coverage-gap"}

// Scan scans the change with every engine that needs no measured coverage, and
// with the model.
func (s Scout) Scan(ctx context.Context) (scan.Result, error) {
	req, err := s.Request(ctx)
	if err != nil {
		return scan.Result{}, err
	}
	req.Engines = anyEngine
	res, err := scan.Run(ctx, req)
	if err != nil || s.Client == nil {
		return res, err
	}
	claimed, err := s.modelScan(ctx, req)
	if err != nil {
		return scan.Result{}, err
	}
	return Join(s.Config.MinSeverity, &res, &claimed), nil
}

// Gaps are the findings of measured coverage.
func (s Scout) Gaps(ctx context.Context, head *qa.Coverage, patch *qa.PatchCoverage) (scan.Result, error) {
	req, err := s.Request(ctx)
	if err != nil {
		return scan.Result{}, err
	}
	req.Engines, req.Coverage, req.Patch = []string{"coverage-gap"}, head, patch
	return scan.Run(ctx, req)
}

// Join unites scans of one run; those that are nil were not made.
func Join(least qa.Severity, parts ...*scan.Result) scan.Result {
	var all []scan.Result
	for _, p := range parts {
		if p != nil {
			all = append(all, *p)
		}
	}
	return scan.Join(scan.Request{MinSeverity: least}, all...)
}

// Text sums a scan up.
func Text(res scan.Result) string {
	n := map[qa.Severity]int{}
	total := 0
	for _, f := range res.Findings {
		if f.Counts() {
			n[f.Severity]++
			total++
		}
	}
	if total == 0 {
		return "clean: no new findings"
	}
	return fmt.Sprintf("%d new findings (%d critical, %d high, %d medium, %d low)", total, n[qa.Critical], n[qa.High], n[qa.Medium], n[qa.Low])
}
