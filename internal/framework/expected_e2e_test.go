package framework_test

import "github.com/org/qa-action/internal/qa"

// expected is what a change gives to one target of the sample monorepo.
type expected struct {
	tally    qa.Tally
	exit     int
	problems int
	// executable changed lines of source files and how many of them ran;
	// unmapped files are not in the coverage report.
	patch    qa.Count
	unmapped int
}

var monorepo = map[string]map[string]expected{
	"base": {
		"libs/calc":    {tally: qa.Tally{Tests: 4, Passed: 4}},
		"packages/web": {tally: qa.Tally{Tests: 2, Passed: 2}},
		"services/api": {tally: qa.Tally{Tests: 4, Passed: 4}},
	},
	"green": {
		"libs/calc":    {tally: qa.Tally{Tests: 5, Passed: 5}, patch: qa.Count{Covered: 8, Total: 8}},
		"packages/web": {tally: qa.Tally{Tests: 4, Passed: 4}, patch: qa.Count{Covered: 11, Total: 11}},
		"services/api": {tally: qa.Tally{Tests: 6, Passed: 6}, patch: qa.Count{Covered: 4, Total: 4}},
	},
	"uncovered": {
		"libs/calc":    {tally: qa.Tally{Tests: 4, Passed: 4}, patch: qa.Count{Covered: 0, Total: 8}},
		"packages/web": {tally: qa.Tally{Tests: 2, Passed: 2}, patch: qa.Count{Covered: 3, Total: 11}},
		"services/api": {tally: qa.Tally{Tests: 4, Passed: 4}, patch: qa.Count{Covered: 1, Total: 4}},
	},
	"failing": {
		"libs/calc":    {tally: qa.Tally{Tests: 4, Passed: 4}},
		"packages/web": {tally: qa.Tally{Tests: 2, Passed: 2}},
		"services/api": {tally: qa.Tally{Tests: 4, Passed: 3, Failed: 1}, exit: 1, patch: qa.Count{Covered: 1, Total: 1}},
	},
	"flaky": {
		"libs/calc":    {tally: qa.Tally{Tests: 4, Passed: 4}},
		"packages/web": {tally: qa.Tally{Tests: 3, Passed: 2, Failed: 1}, exit: 1, patch: qa.Count{Covered: 2, Total: 2}},
		"services/api": {tally: qa.Tally{Tests: 4, Passed: 4}},
	},
	"broken": {
		"libs/calc":    {exit: 1, problems: 1},
		"packages/web": {tally: qa.Tally{Tests: 2, Passed: 2}},
		"services/api": {tally: qa.Tally{Tests: 4, Passed: 4}},
	},
}
