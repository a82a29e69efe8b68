package language

import (
	"github.com/org/qa-action/internal/pattern"
)

var python = Language{
	Name: "python", Title: "Python", Extensions: []string{".py", ".pyi"}, Unread: []string{".pyx"}, Interpreters: []string{"python"}, Grammar: "python",
	Tests: Tests{
		Names:   pattern.New(`^(test_.*|.*_test|tests?|conftest)\.py$`),
		Support: []string{"conftest.py"},
		Checks: pattern.New(`\bassert\b|(?i:\b\w*(assert|raises|warns|expect|check|verify|validate|fail|should|match|compare|ensure|deprecated_call|skip)\w*\s*\()|` +
			`(?i:\.should\b)|\bsnapshot\b|\bbenchmark\b|\btestdir\b|\bpytester\b|\bdoctest\b|\brun_\w+\(|\b_?test_\w+\(|\braise\b|\bsys\.exit\(|(simplefilter|filterwarnings)\(\s*["']error|@(\w+\.)?given\b`),
	},
	Project: Project{
		Manifests: []string{"pyproject.toml", "setup.py", "setup.cfg"}, Requirements: []string{"requirements.txt", "requirements-dev.txt", "Pipfile"},
		Locks: []string{"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock.toml"}, Settings: []string{"uv.toml", "pip.conf"}, Versions: []string{".python-version", ".python-versions"},
		Scripts:   pattern.New(`^(setup|noxfile)\.py$`),
		Installed: []string{"site-packages", "dist-packages"}, Built: []string{"build", "dist"},
		Caches: pattern.New(`^(__pycache__|\.hypothesis|\.coverage(\..*)?)$`), Traces: pattern.New(`^(\.mypy_cache|\.ruff_cache|htmlcov|.*\.pyc)$`),
		Generated: pattern.New(`_pb2(_grpc)?\.pyi?$`),
	},
	Tools: Tools{
		Pass: []string{"REQUESTS_CA_BUNDLE", "PIP_CERT", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST",
			"UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_PYTHON_INSTALL_MIRROR", "UV_PYTHON_DOWNLOADS_JSON_URL", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS"},
		Set:  []string{"PYTHONNOUSERSITE=1"},
		Lint: []string{"VIRTUAL_ENV", "PYENV_ROOT"},
		Caches: []Cache{
			{Variable: "PIP_CACHE_DIR", Folder: "pip", Download: true, Machine: "$PIP_CACHE_DIR $XDG_CACHE_HOME/pip $HOME/.cache/pip"},
			{Variable: "UV_CACHE_DIR", Folder: "uv", Download: true, Machine: "$UV_CACHE_DIR $XDG_CACHE_HOME/uv $HOME/.cache/uv"},
		},
	},
	Text: Text{Comment: "#", Fences: map[string]string{".py": "python"},
		Opaque: pattern.New(`#[^\n]*|(?s:""".*?""")|(?s:'''.*?''')|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)},
	Formatters: []Formatter{
		{Name: "ruff check", Configs: ruffFiles, Inside: ruffInside, Program: ".venv/bin/ruff", Args: []string{"check", "--fix", "--exit-zero", "--quiet", "--force-exclude", "--stdin-filename", "{file}", "-"}, Mended: whole},
		{Name: "ruff", Configs: ruffFiles, Inside: ruffInside, Program: ".venv/bin/ruff", Args: []string{"format", "--stdin-filename", "{file}", "-"}},
		{Name: "black", Inside: map[string]string{"pyproject.toml": "[tool.black"}, Program: ".venv/bin/black", Args: []string{"-q", "--stdin-filename", "{file}", "-"}},
	},
	Style: []Feature{
		{"plain assert statements", pattern.New(`(?m)^\s+assert `)},
		{"unittest classes", pattern.New(`unittest\.TestCase`)},
		{"parametrized tests", pattern.New(`@pytest\.mark\.parametrize`)},
		{"pytest fixtures", pattern.New(`@pytest\.fixture`)},
	},
	Policy: &Policy{
		Imports:  pattern.New(`^(socket|socketserver|ssl|subprocess|multiprocessing|http|urllib|urllib3|requests|httpx|aiohttp|ftplib|smtplib|telnetlib|xmlrpc|asyncio\.subprocess|pexpect|paramiko|ctypes|webbrowser)(\.|$)`),
		Env:      pattern.New(`^os\.(environb?|getenvb?|putenv|unsetenv)$`),
		Writes:   pattern.New(`^os\.(remove|unlink|rmdir|removedirs|makedirs|mkdir|rename|renames|replace|symlink|link|chmod|chown|truncate|chdir)$|^shutil\.(rmtree|move|copy\w*)$|\.(write_text|write_bytes|unlink|rmdir|mkdir|touch|symlink_to)$|^(io\.|codecs\.)?open$|\.open$`),
		Reads:    pattern.New(`\.(read_text|read_bytes)$|^(io\.|codecs\.|os\.)?open$|^os\.(listdir|scandir|walk|readlink)$`),
		Sleeps:   pattern.New(`(^|\.)sleep$`),
		Harmless: pattern.New(`^urllib\.(parse|error|robotparser)\b|^http\.(HTTPStatus|HTTPMethod|cookies)\b`),
		Servers:  []string{"http", "http.client", "http.server", "socket", "socketserver", "ssl", "urllib", "urllib.request"},
		Dials:    pattern.New(`^(urlopen|urlretrieve|create_connection|connect|HTTPS?Connection|get|post|put|delete|head|request)$`),
		Skips:    pattern.New(`^(pytest\.)?mark\.(skip|skipif|xfail)$|^unittest\.(skip|skipIf|skipUnless|expectedFailure)$`),
	},
	Smells: []Smell{
		{
			Rule: "skipped", Call: pattern.New(`^pytest\.(skip|xfail|importorskip)$|^(self\.)?skipTest$|^(unittest\.)?(skip|skipIf|skipUnless)$|^raise_skip$|^(unittest\.)?SkipTest$`), Why: "does not run, or is expected to fail",
			Line: pattern.New(`^\s*@(pytest\.mark\.skip\b|unittest\.skip\()`), Review: "A test that is skipped protects nothing.", Cure: "Repair it, or say with skipif when it applies.",
		},
		{
			Rule: "sleep", Line: pattern.New(`\b(time|asyncio|anyio|trio)\.sleep\(\s*(0?\.[1-9]|[1-9])`),
			Review: slow, Cure: "Wait for the condition itself, or replace the clock.",
		},
		{Rule: "exit", Call: pattern.New(`^os\.(_exit|abort|kill|killpg)$|^sys\.exit$|^(exit|quit)$`), Why: "ends the process"},
		{Rule: "subprocess", Call: pattern.New(`^os\.(system|popen|fork\w*|exec\w+|spawn\w+|posix_spawn\w*)$|^(eval|exec)$|^pty\.spawn$`), Why: "runs another program"},
		{Rule: "dynamic-import", Call: pattern.New(`^__import__$|^importlib\.import_module$`), Why: "imports what cannot be read from the text"},
		{Rule: "clock", Line: pattern.New(`(?m)\brandom\.(?:random|randint|choice|shuffle)\s*\(|\bdatetime\.(?:now|today|utcnow)\s*\(|\btime\.time\s*\(`), Why: chance},
	},
}

var (
	ruffFiles  = []string{"ruff.toml", ".ruff.toml"}
	ruffInside = map[string]string{"pyproject.toml": "[tool.ruff"}
)
