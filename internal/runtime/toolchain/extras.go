package toolchain

import (
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// testNames are the customary names of extras and groups that tests need.
var testNames = []string{"test", "tests", "testing", "dev"}

type projectGroups struct {
	Project struct {
		Extras map[string]any `toml:"optional-dependencies"`
	} `toml:"project"`
	Groups map[string]any `toml:"dependency-groups"`
}

func testExtras(project string) []string {
	var p projectGroups
	if toml.Unmarshal([]byte(project), &p) != nil {
		return nil
	}
	return named(p.Project.Extras)
}

func testGroups(project string) []string {
	var p projectGroups
	if toml.Unmarshal([]byte(project), &p) != nil {
		return nil
	}
	return named(p.Groups)
}

func named(m map[string]any) []string {
	return slices.DeleteFunc(slices.Clone(testNames), func(name string) bool { _, ok := m[name]; return !ok })
}
