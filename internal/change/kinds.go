package change

var styleExts = map[string]bool{
	".css": true, ".scss": true, ".sass": true, ".less": true, ".styl": true, ".pcss": true,
}

var docExts = map[string]bool{
	".md": true, ".mdx": true, ".markdown": true, ".rst": true, ".adoc": true, ".asciidoc": true, ".tex": true,
	".pdf": true, ".org": true, ".txt": true,
}

// docNames are documents without an extension.
var docNames = map[string]bool{
	"readme": true, "license": true, "licence": true, "copying": true, "changelog": true, "changes": true,
	"contributing": true, "authors": true, "notice": true, "codeowners": true, "maintainers": true,
}

var configExts = map[string]bool{
	".json": true, ".json5": true, ".jsonc": true, ".yml": true, ".yaml": true, ".toml": true, ".ini": true,
	".cfg": true, ".conf": true, ".properties": true, ".env": true, ".lock": true, ".mod": true, ".sum": true,
	".work": true, ".xml": true, ".gradle": true, ".csproj": true, ".sln": true, ".tf": true, ".hcl": true,
	".nix": true, ".cmake": true, ".mk": true, ".bazel": true, ".bzl": true, ".plist": true, ".editorconfig": true,
}

// configNames configure tools of no language in particular.
var configNames = map[string]bool{
	"makefile": true, "gnumakefile": true, "justfile": true, "procfile": true, "jenkinsfile": true, "brewfile": true,
	"vagrantfile": true, "cmakelists.txt": true, "build": true, "workspace": true, "constraints.txt": true,
}
