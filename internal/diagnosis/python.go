package diagnosis

// python are the words of pip, uv, poetry, pdm and pipenv.
var python = []Cause{
	// What the registry says; the hint of a refusal stands below what came of it.
	{Pattern: `(?ms)Because (\S+) was not found in the package registry.*(?:401 Unauthorized|403 Forbidden)`, Kind: refused, Says: notGiven, Cure: giveToken, Ends: true},
	{Pattern: `(?m)Authorization error accessing \S+/simple/([\w.-]+)|40[13] Client Error: .* for url: \S+/simple/([\w.-]+)|40[13] (?:Unauthorized|Forbidden)\S*\s.*/simple/([\w.-]+)`, Kind: refused, Says: notGiven, Cure: giveToken},
	{Pattern: `(?m)(?:HTTP error|HTTP status (?:client|server) error \(|Server Error: |HTTP )?(?:5\d\d (?:Internal )?Server Error|50[0-4] \w+ (?:Error|Gateway|Unavailable))`, Kind: network, Says: "the registry fails", Cure: "run again later, or use a mirror"},
	{Pattern: `(?m)Python version \(?[\d.]+\)? does not satisfy Python([<>=!~]+[\d.]+)|requires a different Python: \S+ not in '?([^'\s]+)|require a different python version: \S+ Requires-Python (\S+)|Python requirement \S+ is not compatible|is not supported by the project \((\S+?)\)|Python version (?:range )?\S+ is not compatible`, Kind: Version, Says: "it needs another Python: $1", Cure: "put one that fits on PATH, or let the action provide it with --runtime image"},
	{Pattern: `(?m)Python (\S+) was not found on your system|No Python (?:interpreter|that satisfies).*?(\d[\d.]*)|Can't resolve python interpreter|Neither 'pyenv' nor 'asdf' could be found`, Kind: Version, Says: "it needs Python $1, which is not here", Cure: "put it on PATH, or let the action provide it with --runtime image"},
	{Pattern: `(?m)you require (\S+ and \S+?), we can conclude that (?:your|the) requirements are unsatisfiable|Cannot install (.+?) because these package versions have conflicting dependencies`, Kind: Conflict, Says: "requirements contradict each other: $1", Cure: "let them agree, or name those that the tests need in setup-command"},
	{Pattern: `(?m)satisfies the requirement (\S+) \(from versions: none\)`, Kind: refused, Says: "the registry gives no version of $1", Cure: "correct its name, or look whether the registry answers and may be asked"},
	{Pattern: `(?m)Because (\S+) was not found in the package registry|No matching distribution found for (\S+?)(?:\s|$)|Because .* depends on (\S+) \S+ which doesn't match any versions|(?:Unable to find (?:installation )?candidates for|Candidate not found for) (\S+?)(?:\.? |\.?$)|404 Client Error: .*/simple/([\w.-]+)`, Kind: refused, Says: "the registry has no version of $1 that fits", Cure: "correct its name and version, or name the registry that has it"},
	{Pattern: `(?m)Because (?:only|there (?:is|are) no versions?) .*?(?:require|depends? on) (\S+?)(?:,|\s)`, Kind: refused, Says: "the registry has no version of $1 that fits", Cure: "correct its version, or name the registry that has it"},

	// What lock and project files say.
	{Pattern: `(?m)The lockfile at .uv\.lock. needs to be updated|error: .*uv\.lock`, Kind: Lock, Says: "uv.lock does not fit pyproject.toml", Cure: commitLock, run: "uv lock"},
	{Pattern: `(?m)pyproject\.toml changed significantly since poetry\.lock|poetry\.lock .*(?:not up to date|out of date)`, Kind: Lock, Says: "poetry.lock does not fit pyproject.toml", Cure: commitLock, run: "poetry lock"},
	{Pattern: `(?mi)lock file hash doesn't match|pdm\.lock.*(?:not compatible|out of date|hash)|Lockfile is .*outdated`, Kind: Lock, Says: "pdm.lock does not fit pyproject.toml", Cure: commitLock, run: "pdm lock"},
	{Pattern: `(?m)Your Pipfile\.lock \(\S+\) is out of date`, Kind: Lock, Says: "Pipfile.lock does not fit Pipfile", Cure: commitLock, run: "pipenv lock"},
	{Pattern: `(?m)dependency group '([^']+)' was not found`, Kind: Config, Says: "there is no dependency group $1", Cure: "add it to pyproject.toml, or correct the name"},
	{Pattern: "(?m)(?:included file|Could not open requirements file|requirements file)[^\\n]*?[`'\"]?([\\w./-]+\\.(?:txt|in))", Kind: directory, Says: "a file of requirements is not there", Cure: "correct its path"},
	{Pattern: `(?m)TOML parse error|^\S*(?:TOMLDecodeError|UnexpectedCharError|UnclosedTableError|ParseError): |Invalid TOML|is not a valid TOML|(?:pyproject\.toml|Pipfile).*(?:unexpected|Unclosed|expected|Expected)`, Kind: Config, Says: "pyproject.toml or Pipfile is no valid TOML", Cure: "correct it"},
	{Pattern: `(?m)Invalid requirement: '([^'\n]+)'|[Cc]ouldn't parse requirement`, Kind: Config, Says: "a requirement is not valid: $1", Cure: "correct it"},

	// What a build says.
	{Pattern: `(?m)^\s+(?:urllib\.error\.URLError|(?:requests|urllib3|httpx|aiohttp)\.\S*(?:Error|Timeout)|socket\.(?:gaierror|timeout)): .*`, Kind: network, Says: "building it asks a host that does not answer", Cure: "let this machine reach it, or install the dependencies in a step before"},
	{Pattern: `(?m)ModuleNotFoundError: No module named '([\w.]+)'`, Kind: Missing, Says: "the Python module $1 is not found", Cure: "name it in what the build requires (build-system.requires), or install it before with setup-command"},
}

// pythonBuild is a package that cannot be built; what went wrong stands in words of
// its build.
var pythonBuild = []Cause{
	{Pattern: "(?m)Failed to (?:download and )?build [`']?([\\w.-]+)|Failed building wheel for (\\S+)|(?:Building|Preparing metadata|Getting requirements to build) .*?(\\S+) .*did not run successfully|metadata-generation-failed|Unable to build .*?([\\w.-]+)$", Kind: script, Says: "a package cannot be built: $1", Cure: "make what it needs available, or install the dependencies in a step before", elsewhere: true},
}
