package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

func TestPassing(t *testing.T) {
	t.Parallel()
	suite := qa.Suite{Cases: []qa.Case{
		{Name: "test_plain", Status: qa.Passed},
		{Name: "test_all[1-a]", Status: qa.Passed}, {Name: "test_all[2-b]", Status: qa.Passed},
		{Name: "test_one[1-a]", Status: qa.Passed}, {Name: "test_one[2-b]", Status: qa.Failed},
		{Name: "test_not", Status: qa.Failed},
		{Name: "TestCases/one", Status: qa.Passed}, {Name: "TestCases/two", Status: qa.Passed},
		{Name: "TestSome/one", Status: qa.Passed}, {Name: "TestSome/two", Status: qa.Failed},
		{Name: "parse > a/b", Status: qa.Passed},
	}}
	if diff := cmp.Diff([]string{"test_plain", "test_all", "test_all", "TestCases", "TestCases", "parse > a/b"}, passing(suite)); diff != "" {
		t.Error(diff)
	}
}
