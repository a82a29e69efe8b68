package language

import (
	"github.com/org/qa-action/internal/pattern"
)

var rust = Language{
	Name: "rust", Title: "Rust", Extensions: []string{".rs"}, Grammar: "rust",
	Tests: Tests{
		Compiled: true,
		Names:    pattern.New(`^tests?\.rs$|_test\.rs$`),
		Mark:     pattern.New(`(?m)^\s*#\[(?:\w+::)*test\b|^\s*#\[cfg\(test\)\]`), Inline: true,
		Checks: pattern.New(`\b\w*(assert|panic|unreachable|expect|check|verify|ensure|insta|snapshot|trybuild|proptest|quickcheck)\w*\s*[!(]|should_panic|\.unwrap\w*\(|\?\s*[;.)]|(?i:\w*(assert|expect|check|verify|must|should|compare|validate)\w*\()`),
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
	Text: Text{Comment: "//", Fences: map[string]string{".rs": "rust"}, Opaque: rustText},
	Style: []Feature{
		{"tests in the source file", pattern.New(`(?m)^#\[cfg\(test\)\]`)},
		{"rstest", pattern.New(`#\[rstest\b`)},
		{"tests that return a Result", pattern.New(`#\[test\]\s*fn \w+\(\) -> `)},
	},
	Policy: &Policy{
		Imports:  pattern.New(`^(std::(net|process|env|ffi|os|arch)|libc|nix|winapi|windows\w*|reqwest|ureq|hyper|curl|isahc|surf|tokio::(net|process)|async_std::(net|process)|socket2|mio|libloading)(::|$)`),
		Harmless: pattern.New(`^std::net::(IpAddr|Ipv4Addr|Ipv6Addr|SocketAddr|SocketAddrV4|SocketAddrV6|AddrParseError)$|^std::process::(ExitCode|ExitStatus|Termination)$|^std::ffi::(OsStr|OsString|CStr|CString)$`),
		Env:      pattern.New(`^(std::)?env::(var|vars|var_os|vars_os|set_var|remove_var|args|args_os|set_current_dir)$`),
		Writes:   pattern.New(`(^|\.)fs\.(write|create_dir|create_dir_all|remove_file|remove_dir|remove_dir_all|rename|copy|hard_link|set_permissions)$|(^|\.)(File\.(create|create_new|options)|OpenOptions\.new)$`),
		Reads:    pattern.New(`(^|\.)fs\.(read|read_to_string|read_dir|read_link|canonicalize|metadata)$|(^|\.)File\.open$`),
		Sleeps:   pattern.New(`(^|\.)sleep(_ms)?$`),
		Servers:  []string{"std::net", "tokio::net"},
		Dials:    pattern.New(`^(connect|connect_timeout|send_to|get|post)$`),
	},
	Smells: []Smell{
		{
			Rule: "skipped", Line: pattern.New(`^\s*#\[\s*ignore\b`), Review: "A test that is ignored protects nothing.", Cure: "Repair it, or say in a cfg_attr when it is ignored.",
		},
		{
			Rule: "sleep", Line: pattern.New(`\bsleep\(\s*(\w+::)*Duration::(from_secs\(|from_millis\(\s*\d{3,}|from_secs_f\d+\(\s*([1-9]|0?\.[1-9]))`),
			Review: slow, Cure: "Wait for the condition itself (a channel, a condition variable, polling with a deadline).",
		},
		{Rule: "exit", Call: pattern.New(`(^|\.)process\.(exit|abort)$|^(exit|abort)$`), Why: "ends the process"},
		{Rule: "subprocess", Call: pattern.New(`(^|\.)Command\.new$`), Why: "runs another program"},
		{Rule: "network", Call: pattern.New(`(^|\.)(TcpStream|UnixStream|TcpListener|UdpSocket|UnixListener|UnixDatagram)\.\w+$`), Why: "reaches for the network"},
		{Rule: "swallow", Call: pattern.New(`(^|\.)(catch_unwind|set_hook|take_hook)$`), Why: "hides failures"},
		{Rule: "compile-time", Line: pattern.New(`\b(include(_str|_bytes)?|env|option_env|asm|global_asm|concat_idents|compile_error)\s*!`), Why: "reads or does what cannot be seen in the text"},
		{Rule: "unsafe", Line: pattern.New(`\bunsafe\b|\bextern\b|\bmacro_rules\b`), Why: "what it does cannot be read from the text"},
		{Rule: "attribute", Line: pattern.New(`#!?\s*\[\s*(cfg|cfg_attr|path|link|no_mangle|export_name|global_allocator|panic_handler|expect|allow|deny|ctor|used)\b`), Why: "an attribute that changes what is compiled, or silences a tool"},
		{Rule: "clock", Line: pattern.New(`\b(Instant|SystemTime)::now\s*\(|\b(thread_rng|rand::random|rand::rng)\b`), Why: chance},
	},
}

// rustText matches strings and comments; a quote may also be of a lifetime, which is none.
var rustText = pattern.New("//[^\n]*|(?s:/\\*.*?\\*/)|r##\"(?s:.*?)\"##|r#\"(?s:.*?)\"#|\\br\"[^\"]*\"|\"(?:\\\\(?s:.)|[^\"\\\\])*\"|'(?:\\\\[^\n']*'|[^\\\\\n']')")
