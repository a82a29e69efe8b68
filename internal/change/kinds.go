package change

import "regexp"

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

var configNames = map[string]bool{
	"makefile": true, "gnumakefile": true, "justfile": true, "procfile": true, "jenkinsfile": true, "brewfile": true,
	"gemfile": true, "rakefile": true, "vagrantfile": true, "cmakelists.txt": true, "requirements.txt": true,
	"constraints.txt": true, "go.sum": true, "pipfile": true, "build": true, "workspace": true, "setup.py": true,
	"noxfile.py": true, "build.gradle.kts": true, "settings.gradle.kts": true,
}

// configScript matches configuration written in a programming language:
// vite.config.ts, .eslintrc.cjs, karma.conf.js, jest.setup.js stays a test's.
var configScript = regexp.MustCompile(`\.(config|conf)(\.[a-z0-9_-]+)?\.[cm]?[jt]sx?$|^\.[a-z0-9_-]+rc\.[cm]?[jt]s$|^(gulpfile|gruntfile)\.[cm]?[jt]s$`)

func isConfigScript(lower string) bool {
	return configNames[lower] || configScript.MatchString(lower)
}
