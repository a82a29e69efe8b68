package framework_test

import "github.com/org/qa-action/internal/qa"

// expected is what a change of a sample project gives; testdata/repo/README.md
// shows the same numbers.
type expected struct {
	tally    qa.Tally
	exit     int
	problems int
	// executable changed lines of source files and how many of them ran;
	// unmapped files are not in the coverage report.
	patch    qa.Count
	unmapped int
}

var fixtures = map[string]map[string]expected{
	"vitest": {
		"base":      {tally: qa.Tally{Tests: 11, Passed: 11}},
		"green":     {tally: qa.Tally{Tests: 14, Passed: 14}, patch: qa.Count{Covered: 4, Total: 4}},
		"failing":   {tally: qa.Tally{Tests: 11, Passed: 10, Failed: 1}, exit: 1, patch: qa.Count{Covered: 1, Total: 1}},
		"uncovered": {tally: qa.Tally{Tests: 11, Passed: 11}, patch: qa.Count{Covered: 0, Total: 4}},
		"flaky":     {tally: qa.Tally{Tests: 13, Passed: 12, Failed: 1}, exit: 1, patch: qa.Count{Covered: 1, Total: 1}},
		"broken":    {exit: 1, problems: 2, unmapped: 1},
	},
	"jest": {
		"base":      {tally: qa.Tally{Tests: 6, Passed: 6}},
		"green":     {tally: qa.Tally{Tests: 8, Passed: 8}, patch: qa.Count{Covered: 6, Total: 6}},
		"failing":   {tally: qa.Tally{Tests: 6, Passed: 5, Failed: 1}, exit: 1, patch: qa.Count{Covered: 1, Total: 1}},
		"uncovered": {tally: qa.Tally{Tests: 6, Passed: 6}, patch: qa.Count{Covered: 0, Total: 6}},
		"flaky":     {tally: qa.Tally{Tests: 8, Passed: 7, Failed: 1}, exit: 1, patch: qa.Count{Covered: 1, Total: 1}},
		"broken":    {tally: qa.Tally{Tests: 3, Passed: 3}, exit: 1, problems: 1, unmapped: 1},
	},
	"mocha": {
		"base":      {tally: qa.Tally{Tests: 7, Passed: 7}},
		"green":     {tally: qa.Tally{Tests: 9, Passed: 9}, patch: qa.Count{Covered: 10, Total: 10}},
		"failing":   {tally: qa.Tally{Tests: 7, Passed: 6, Failed: 1}, exit: 1, patch: qa.Count{Covered: 1, Total: 1}},
		"uncovered": {tally: qa.Tally{Tests: 7, Passed: 7}, patch: qa.Count{Covered: 2, Total: 10}},
		"flaky":     {tally: qa.Tally{Tests: 9, Passed: 8, Failed: 1}, exit: 1, patch: qa.Count{Covered: 4, Total: 4}},
		"broken":    {exit: 1},
	},
	"pytest": {
		"base":      {tally: qa.Tally{Tests: 9, Passed: 9}},
		"green":     {tally: qa.Tally{Tests: 12, Passed: 12}, patch: qa.Count{Covered: 8, Total: 8}},
		"failing":   {tally: qa.Tally{Tests: 9, Passed: 8, Failed: 1}, exit: 1, patch: qa.Count{Covered: 1, Total: 1}},
		"uncovered": {tally: qa.Tally{Tests: 9, Passed: 9}, patch: qa.Count{Covered: 1, Total: 8}},
		"flaky":     {tally: qa.Tally{Tests: 11, Passed: 10, Failed: 1}, exit: 1, patch: qa.Count{Covered: 2, Total: 2}},
		"broken":    {exit: 1, problems: 2, unmapped: 1},
	},
	"gotest": {
		"base":      {tally: qa.Tally{Tests: 5, Passed: 5}},
		"green":     {tally: qa.Tally{Tests: 6, Passed: 6}, patch: qa.Count{Covered: 9, Total: 9}},
		"failing":   {tally: qa.Tally{Tests: 5, Passed: 4, Failed: 1}, exit: 1, patch: qa.Count{Covered: 1, Total: 1}},
		"uncovered": {tally: qa.Tally{Tests: 5, Passed: 5}, patch: qa.Count{Covered: 0, Total: 2}},
		"flaky":     {tally: qa.Tally{Tests: 7, Passed: 6, Failed: 1}, exit: 1, patch: qa.Count{Covered: 1, Total: 1}},
		"broken":    {exit: 1, problems: 2, unmapped: 1},
	},
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
