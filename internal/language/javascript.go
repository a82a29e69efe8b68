package language

import (
	"encoding/json"

	"github.com/org/qa-action/internal/pattern"
)

var javaScript = Language{
	Name: "javascript", Title: "JavaScript", Extensions: []string{".js", ".jsx", ".mjs", ".cjs"}, Interpreters: []string{"node"}, Grammar: "javascript",
	Tests: Tests{
		Names:  pattern.New(`[.\-_](test|spec|e2e|cy)\.[cm]?jsx?$|^(test|spec)\.[cm]?jsx?$`),
		Checks: scriptChecks,
	},
	Project: nodeProject, Tools: nodeTools, Policy: scriptPolicy, Smells: scriptSmells, Formatters: scriptFormatters, Style: scriptStyle,
	Text: Text{Comment: "//", Opaque: cText, Fences: map[string]string{".js": "js", ".jsx": "jsx"}},
}

// Everything of a project's but the names of its files is the same for both.
var typeScript = Language{
	Name: "typescript", Title: "TypeScript", Extensions: []string{".ts", ".tsx", ".mts", ".cts"}, Interpreters: []string{"deno"}, Grammar: "typescript",
	Tests: Tests{
		Names:  pattern.New(`[.\-_](test|spec|e2e|cy|test-d)\.[cm]?tsx?$|^(test|spec)\.[cm]?tsx?$`),
		Checks: scriptChecks,
	},
	Project: nodeProject, Tools: nodeTools, Policy: scriptPolicy, Smells: scriptSmells, Formatters: scriptFormatters, Style: scriptStyle,
	Text: Text{Comment: "//", Opaque: cText, Fences: map[string]string{".ts": "ts", ".tsx": "tsx"}},
}

var nodeProject = Project{
	Manifests: []string{"package.json"},
	Locks:     []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock"},
	Settings:  []string{".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", "pnpm-workspace.yaml", ".pnpmfile.cjs"},
	Versions:  []string{".nvmrc", ".node-version"},
	// vite.config.ts, .eslintrc.cjs, karma.conf.js; jest.setup.js stays a test's.
	Scripts:   pattern.New(`\.(config|conf)(\.[a-z0-9_-]+)?\.[cm]?[jt]sx?$|^\.[a-z0-9_-]+rc\.[cm]?[jt]s$|^(gulpfile|gruntfile)\.[cm]?[jt]s$`),
	Installed: []string{"node_modules", "bower_components"}, Vendored: []string{".yarn"}, Built: []string{"dist", "build"},
	Caches: pattern.New(`^\.nyc_output$`), Traces: pattern.New(`^(coverage|\.vite|\.cache)$`),
	Generated: pattern.New(`_pb\.(js|d\.ts|ts)$|\.(min|bundle)\.(js|mjs|cjs|css)$|\.(js|mjs|cjs|css|ts)\.map$`),
}

var nodeTools = Tools{
	Pass: []string{"NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "COREPACK_NPM_REGISTRY", "npm_config_registry", "NPM_CONFIG_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "NODEJS_ORG_MIRROR"},
	// pnpm looks at the packages ahead of each script, and installs where they are not as it
	// left them: here they are laid out once, and only to be read.
	Set:  []string{"pnpm_config_verify_deps_before_run=false"},
	Lint: []string{"NODE_PATH"},
	// JavaScript, too, where the configuration asks for it.
	Types: &TypeChecker{Config: "tsconfig.json", Program: "node_modules/.bin/tsc", Args: []string{"--noEmit", "--composite", "false", "--incremental", "false", "--pretty", "false"}},
	Caches: []Cache{
		{Variable: "npm_config_cache", Folder: "npm", Download: true, Machine: "$npm_config_cache $NPM_CONFIG_CACHE $HOME/.npm"},
		{Variable: "YARN_CACHE_FOLDER", Folder: "yarn", Download: true, Machine: "$YARN_CACHE_FOLDER $XDG_CACHE_HOME/yarn $HOME/.cache/yarn"},
	},
}

var scriptChecks = pattern.New(`(?i)\b\w*(expect|assert|should|verify|check|throw|reject|snapshot|validate|ensure|fail|done)\w*\b|\b(tspl|RuleTester|cy)\b|\bprocess\.exit|` +
	`\b(get|find)(All)?By\w+\(|\bwaitFor\w*\(|(^|[^\w.$])(equals?|deepEquals?|deepStrictEqual|strictEqual|notEqual|notStrictEqual|notDeepEqual|eq|same|is|not|ok|notOk|truthy|falsy|like|match(es)?|pass|plan|ifError)\(`)

// ESLintConfigs are the files that may configure eslint.
var ESLintConfigs = []string{
	"eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", "eslint.config.mts", "eslint.config.cts",
	".eslintrc.js", ".eslintrc.cjs", ".eslintrc.yaml", ".eslintrc.yml", ".eslintrc.json", ".eslintrc",
}

var scriptFormatters = []Formatter{
	{
		Name: "eslint", Program: "node_modules/.bin/eslint", Args: []string{"--fix-dry-run", "--format", "json", "--stdin", "--stdin-filename", "{file}"},
		Configs: ESLintConfigs, Inside: map[string]string{"package.json": `"eslintConfig"`},
		Mended: func(printed []byte) []byte {
			var files []struct{ Output string } // absent where nothing was mended
			if json.Unmarshal(printed, &files) != nil || len(files) != 1 {
				return nil
			}
			return []byte(files[0].Output)
		},
	},
	{Name: "biome lint", Configs: []string{"biome.json", "biome.jsonc"}, Program: "node_modules/.bin/biome", Args: []string{"lint", "--write", "--stdin-file-path={file}"}, Mended: whole},
	{Name: "biome", Configs: []string{"biome.json", "biome.jsonc"}, Program: "node_modules/.bin/biome", Args: []string{"format", "--stdin-file-path={file}"}},
	{
		Name: "prettier", Program: "node_modules/.bin/prettier", Args: []string{"--stdin-filepath", "{file}"},
		Configs: []string{".prettierrc", ".prettierrc.json", ".prettierrc.yaml", ".prettierrc.yml", ".prettierrc.json5", ".prettierrc.toml", ".prettierrc.js", ".prettierrc.cjs", ".prettierrc.mjs", "prettier.config.js", "prettier.config.cjs", "prettier.config.mjs", "prettier.config.ts"},
		Inside:  map[string]string{"package.json": `"prettier":`},
	},
}

var scriptStyle = []Feature{
	{"describe/it blocks", pattern.New(`(?m)^\s*it\(`)},
	{"test() blocks", pattern.New(`(?m)^\s*test\(`)},
	{"ES module imports", pattern.New(`(?m)^import .* from `)},
	{"CommonJS require", pattern.New(`(?m)\brequire\(['"]`)},
	{"expect assertions", pattern.New(`\bexpect\(`)},
	{"node:assert", pattern.New(`\bassert\.(equal|strictEqual|deep|ok|throws)`)},
	{"parametrized tests", pattern.New(`\b(it|test)\.each`)},
}

var scriptPolicy = &Policy{
	Imports: pattern.New(`^(node:)?(net|http|https|http2|tls|dgram|dns|dns/promises|child_process|cluster|worker_threads|inspector|repl)$|^(axios|node-fetch|got|undici|ws|superagent|request|execa|shelljs|cross-spawn)$`),
	Env:     pattern.New(`^(process\.env|import\.meta\.env|Deno\.env|Bun\.env)$`),
	Writes:  pattern.New(`^((fs|fsp|fsPromises|fs\.promises|promises)\.)?(writeFile|appendFile|rm|rmdir|unlink|rename|mkdir|copyFile|cp|createWriteStream|truncate|symlink|link|chmod|chown)(Sync)?$`),
	Reads:   pattern.New(`^((fs|fsp|fsPromises|fs\.promises|promises)\.)?(readFile|readdir|createReadStream|open|readlink)(Sync)?$`),
	Sleeps:  pattern.New(`(?i)(^|\.)(setTimeout|setInterval|sleep|delay|wait|waitForTimeout|pause)$`),
	Servers: []string{"http", "https", "http2", "net", "tls"},
	Dials:   pattern.New(`^(fetch|get|request|connect|createConnection|post|put|delete|head|default|got|axios)$`),
}

// focus matches what the fix of a focused test takes away.
var focus = pattern.New(`(^|[^\w.$])(?:(describe|context|suite|it|test|bench)\.only\b|f(describe|context|it)\b)`)

var scriptSmells = []Smell{
	{
		Rule: "focused", Call: pattern.New(`^(it|test|describe|suite|context|specify)(\.\w+)*\.only(\.\w+)*$|^f(it|describe|context)$`), Why: "runs alone and switches the others off",
		Line:   pattern.New(`(^|[^\w.$])((describe|context|suite|it|test|bench)\.only|fdescribe|fcontext|fit)\s*(\.each\b|[(<` + "`" + `])`),
		Review: "A focused test switches every other test of its file off.", Cure: "Remove the focus before merging.",
		Fix: func(line string) string { return focus.ReplaceAllString(line, "$1$2$3") },
	},
	{
		Rule: "skipped", Call: pattern.New(`^(it|test|describe|suite|context|specify)(\.\w+)*\.(skip|todo|fails|failing|skipIf|runIf)(\.\w+)*$|^x(it|describe|test|context|specify)$|^(this|ctx|context|t)\.(skip|todo)$|^pending$`), Why: "does not run, or is expected to fail",
		Line:   pattern.New(`(^|[^\w.$])((describe|context|suite|it|test)\.skip|xdescribe|xcontext|xit|xtest)\s*(\.each\b|[(<` + "`" + `])`),
		Review: "A test that is skipped protects nothing.", Cure: "Repair it, or delete it with the reason in the commit.",
	},
	{
		Rule: "sleep", Line: pattern.New(`new Promise\b.{0,60}\bsetTimeout\b.{0,40}\b[1-9][\d_]{2,}\b`), Unless: pattern.New(`useFakeTimers`),
		Review: slow, Cure: "Wait for the condition itself, or use fake timers.",
	},
	{Rule: "network", Call: pattern.New(`^(fetch|XMLHttpRequest|WebSocket|EventSource|navigator\.sendBeacon)$`), Why: "reaches for the network"},
	{Rule: "exit", Call: pattern.New(`^process\.(exit|kill|abort|reallyExit)$|^(Deno|Bun)\.exit$`), Why: "ends the process"},
	{Rule: "subprocess", Call: pattern.New(`^(Deno|Bun)\.(Command|run|spawn|spawnSync)$|^eval$|^(\w+\.)?(exec|execSync|spawn|spawnSync|execFile|execFileSync|fork)$`), Why: "runs another program"},
	{Rule: "clock", Line: pattern.New(`(?m)\bMath\.random\s*\(|\bDate\.now\s*\(|\bnew\s+Date\s*\(\s*\)`), Why: chance},
}

// Installs maps lockfiles to the command that installs exactly what they name.
var Installs = []struct{ File, Install string }{
	{"package-lock.json", "npm ci"},
	{"npm-shrinkwrap.json", "npm ci"},
	{"pnpm-lock.yaml", "pnpm install --frozen-lockfile"},
	{"yarn.lock", "yarn install --frozen-lockfile"},
	{"bun.lock", "bun install --frozen-lockfile"},
	{"bun.lockb", "bun install --frozen-lockfile"},
}
