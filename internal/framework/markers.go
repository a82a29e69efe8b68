package framework

import (
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/language"
)

// markers are the files that make a folder a project of its own.
func markers() []string {
	return append(language.Manifests(), joined(func(a adapter.Adapter) []string { return a.Signs.Markers })...)
}
