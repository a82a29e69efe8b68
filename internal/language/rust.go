package language

import (
	"github.com/org/qa-action/internal/pattern"
)

var rust = Language{
	Name: "rust", Title: "Rust", Extensions: []string{".rs"},
	Tests: Tests{
		Names: pattern.New(`^tests?\.rs$|_test\.rs$`),
		Mark:  pattern.New(`(?m)^\s*#\[(?:\w+::)*test\b|^\s*#\[cfg\(test\)\]`), Inline: true,
	},
	Project: Project{
		Manifests: []string{"Cargo.toml"}, Locks: []string{"Cargo.lock"}, Versions: []string{"rust-toolchain", "rust-toolchain.toml"},
		Built: []string{"target"}, Stale: []string{"target"},
	},
	Tools: Tools{
		Absent: true,
		Pass:   []string{"RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_NET_OFFLINE", "CARGO_HTTP_CAINFO"},
		Lint:   []string{"RUSTUP_HOME", "CARGO_HOME"},
		Homes: []Home{
			{Variable: "RUSTUP_HOME", Default: ".rustup", Own: "rustup", Lay: []string{"toolchains", "settings.toml"}, Depth: 1},
			// Beside what cargo has fetched lie its credentials.
			{Variable: "CARGO_HOME", Default: ".cargo", Own: "cargo", Lay: []string{"registry", "git"}, Depth: 3},
		},
	},
	Text: Text{Comment: "//", Fences: map[string]string{".rs": "rust"}},
}
