package rust

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/pattern"

	"github.com/pelletier/go-toml/v2"
)

// What of a Cargo.toml says which programs of tests are built, and how: a library,
// test or program of its own words, what is built before, profiles, and crates that
// take the place of others.
var (
	steeringTables = []string{"lib", "test", "bin", "example", "profile", "patch", "replace"}
	steeringKeys   = []string{"autotests", "autobins", "autoexamples", "build"} // of the package
)

// steers are files that steer cargo as a whole.
var steers = pattern.New(`(?i)(?:^|/)(?:\.cargo/config(?:\.toml)?|\.config/nextest\.toml|build\.rs|rust-toolchain(?:\.toml)?)$`)

// reach is what of a test reaches for its process and the output of its runner.
var reach = pattern.New(`\bprocess\s*(?:::|as\b|[,;}])|\bextern\s+"|\blink_section\b|\bno_mangle\b|\b(?:libc|nix|rustix|ctor)\b|\bstdout\s*\(|\bset_hook\b|/(?:proc|dev)/|\bos::fd\b|\bfrom_raw_fd\b`)

var (
	inline = pattern.New(`(?m)^[ \t]*#!?\[cfg\([^\n]*\btest\b`)
	tested = pattern.New(`(?m)^[ \t]*#\[(?:\w+::)*test\b`)
)

// Configures reports whether cargo takes its configuration from a file.
func Configures(name string) bool { return steers.MatchString(name) || manifest(name) }

func manifest(name string) bool { return strings.EqualFold(path.Base(name), "Cargo.toml") }

// Steering is the part of a file that steers cargo and its tests; nil when there is
// none.
func Steering(name string, data []byte) []byte {
	switch {
	case steers.MatchString(name):
		return data
	case manifest(name):
		own, _ := split(data)
		if len(own) == 0 {
			return nil
		}
		out, err := json.Marshal(own) // in an order of its own
		if err != nil {
			return data // a number that JSON has not
		}
		return out
	case path.Ext(name) == ".rs":
		_, tests := parts(name, data)
		return adapter.Lines(tests, reach)
	}
	return nil
}

// WithSteering is a file with base's part of that in the place of its own; nil when
// nothing is left of it.
func WithSteering(name string, now, was []byte) []byte {
	switch {
	case now == nil:
		return was
	case manifest(name):
		_, head := split(now)
		own, _ := split(was)
		if head == nil {
			return was
		}
		pkg, _ := head["package"].(map[string]any)
		for key, value := range own {
			if !slices.Contains(steeringKeys, key) {
				head[key] = value
			} else if pkg != nil {
				pkg[key] = value
			}
		}
		if text, err := toml.Marshal(head); err == nil {
			return text
		}
	case path.Ext(name) == ".rs" && !steers.MatchString(name):
		product, _ := parts(name, now)
		if len(product) == 0 {
			return was
		}
		_, tests := parts(name, was)
		return slices.Concat(product, tests)
	}
	return was
}

// split parts a Cargo.toml into what steers and the rest, which is nil for what is
// none. Keys of the package stand beside the tables.
func split(data []byte) (own, rest map[string]any) {
	if toml.Unmarshal(data, &rest) != nil {
		return nil, nil // who reads it says so
	}
	own = map[string]any{}
	for _, name := range steeringTables {
		if value, ok := rest[name]; ok {
			own[name] = value
			delete(rest, name)
		}
	}
	if pkg, ok := rest["package"].(map[string]any); ok {
		for _, name := range steeringKeys {
			if value, ok := pkg[name]; ok {
				own[name] = value
				delete(pkg, name)
			}
		}
	}
	return own, rest
}

// parts splits a source into the product and the tests behind it.
func parts(name string, data []byte) (product, tests []byte) {
	if strings.Contains("/"+name, "/tests/") {
		return nil, data
	}
	if at := inline.FindIndex(data); at != nil {
		return data[:at[0]], data[at[0]:]
	}
	if tested.Match(data) {
		return nil, data
	}
	return data, nil
}
