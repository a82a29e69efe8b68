package toolchain

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestRustup(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	home := fstest.MapFS{"toolchains/stable-x86_64-unknown-linux-gnu/x": file(""), "toolchains/nightly-2024-01-01-x86_64-unknown-linux-gnu/x": file(""), "toolchains/own/x": file("")}
	for _, tc := range []struct{ name, file, text, dir, want string }{
		{"only components", "rust-toolchain.toml", "[toolchain]\ncomponents = [\"rust-src\"]\n", ".", "0"},
		{"a channel that is there", "rust-toolchain.toml", "[toolchain]\nchannel = \"stable\"\ntargets = [\"wasm32-wasip1\"]\n", "crates/a", "0"},
		{"one that is not", "rust-toolchain.toml", "[toolchain]\nchannel = \"1.80\"\n", ".", "1"},
		{"another day", "rust-toolchain", "nightly\n", ".", "1"},
		{"of one line", "rust-toolchain", "nightly-2024-01-01\n", ".", "0"},
		{"by a name of its own", "crates/rust-toolchain", "[toolchain]\nchannel = \"own\"\n", "crates/a", "0"},
		{"elsewhere", "other/rust-toolchain", "own\n", ".", ""},
	} {
		want := strings.TrimSuffix("RUSTUP_AUTO_INSTALL="+tc.want, "RUSTUP_AUTO_INSTALL=")
		if got := strings.Join(Rustup(fstest.MapFS{tc.file: file(tc.text)}, tc.dir, home), " "); got != want {
			t.Errorf("%s: %q, want %q", tc.name, got, want)
		}
	}
}
