package quality

import "github.com/org/qa-action/internal/qa"

// Groups are the failing tests by triage and normalised message, the largest
// group first; every test is in exactly one. The grouping itself stands below, in
// [qa.GroupFailures]: reporters need it too, for reports that have no groups.
func Groups(failing []qa.FailingTest) []qa.FailureGroup { return qa.GroupFailures(failing) }
