package framework

// Construct is something a generated test must not contain.
type Construct struct {
	ID string
	// Pattern is a regular expression (RE2) over one line of source text. It is
	// meant for code with strings and comments taken out, except where Comment
	// is set: then for the comments.
	Pattern string
	Comment bool
	Why     string
}

var forbiddenJS = []Construct{
	{ID: "skip", Pattern: `\b(?:describe|context|suite|it|test|specify)\s*\.\s*(?:skip|todo|fails|failing|skipIf|runIf|concurrent\.skip)\b|\bx(?:describe|context|it|test|specify)\s*\(|\bthis\.skip\s*\(|\bctx\.skip\s*\(`, Why: "a skipped test proves nothing"},
	{ID: "only", Pattern: `\b(?:describe|context|suite|it|test|specify)\s*\.\s*(?:only|concurrent\.only)\b|\bf(?:describe|it)\s*\(`, Why: "it switches all other tests off"},
	{ID: "ts-ignore", Pattern: `@ts-(?:ignore|nocheck|expect-error)|eslint-disable|(?:istanbul|c8|v8)\s+ignore`, Comment: true, Why: "it silences a tool instead of heeding it"},
	{ID: "any", Pattern: `\bas\s+any\b|:\s*any\b|<any>|\bas\s+unknown\s+as\b`, Why: "it takes types out of the test"},
	{ID: "sleep", Pattern: `\bsetTimeout\s*\(\s*(?:resolve|res|r|done)\b|\bwaitForTimeout\s*\(|\bsleep\s*\(|\bAtomics\.wait\s*\(`, Why: "waiting makes tests slow and flaky"},
	{ID: "retry", Pattern: `\bjest\.retryTimes\s*\(|\bthis\.retries\s*\(|\bretry\s*:\s*\d`, Why: "retries hide flakiness"},
	{ID: "clock", Pattern: `\bMath\.random\s*\(|\bDate\.now\s*\(|\bnew\s+Date\s*\(\s*\)`, Why: "the outcome depends on chance or time"},
	{ID: "constant", Pattern: `\bexpect\s*\(\s*(?:true|false|1|0)\s*\)|\bassert(?:\.ok)?\s*\(\s*true\s*\)`, Why: "it asserts a constant"},
	{ID: "network", Pattern: `\bfetch\s*\(\s*$|\b(?:https?|net|dgram)\.(?:get|request|connect|createConnection)\s*\(`, Why: "tests reach no network"},
	{ID: "process", Pattern: `\bprocess\.exit\s*\(|\bchild_process\b|\beval\s*\(|\bnew\s+Function\s*\(`, Why: "tests start no programs and end no runner"},
}

var forbiddenPython = []Construct{
	{ID: "skip", Pattern: `\bpytest\.(?:skip|importorskip)\s*\(|\bmark\.skip(?:if)?\b|\bunittest\.(?:skip|SkipTest)|\bself\.skipTest\s*\(`, Why: "a skipped test proves nothing"},
	{ID: "xfail", Pattern: `\bmark\.xfail\b|\bpytest\.xfail\s*\(|\bexpectedFailure\b`, Why: "an expected failure proves nothing"},
	{ID: "type-ignore", Pattern: `type:\s*ignore|noqa|pragma:\s*no\s*cover|pylint:\s*disable`, Comment: true, Why: "it silences a tool instead of heeding it"},
	{ID: "sleep", Pattern: `\btime\.sleep\s*\(|\basyncio\.sleep\s*\(|^\s*(?:await\s+)?sleep\s*\(`, Why: "waiting makes tests slow and flaky"},
	{ID: "retry", Pattern: `\bmark\.flaky\b`, Why: "retries hide flakiness"},
	{ID: "clock", Pattern: `\brandom\.(?:random|randint|choice|shuffle)\s*\(|\bdatetime\.(?:now|today|utcnow)\s*\(|\btime\.time\s*\(`, Why: "the outcome depends on chance or time"},
	{ID: "constant", Pattern: `^\s*assert\s+(?:True|1|not\s+False)\s*(?:,|$)|\bassertTrue\s*\(\s*True\s*\)`, Why: "it asserts a constant"},
	{ID: "swallow", Pattern: `^\s*except(?:\s+(?:Base)?Exception)?(?:\s+as\s+\w+)?\s*:\s*(?:pass)?\s*$`, Why: "it swallows every error, the assertion's too"},
	{ID: "network", Pattern: `\b(?:requests|httpx|urllib\.request)\.(?:get|post|put|delete|urlopen|request)\s*\(|\bsocket\.(?:create_connection|socket)\s*\(`, Why: "tests reach no network"},
	{ID: "process", Pattern: `\bos\.(?:system|_exit|popen)\s*\(|\bsubprocess\b|\beval\s*\(|\bexec\s*\(|\bsys\.exit\s*\(`, Why: "tests start no programs and end no runner"},
}

var forbiddenGo = []Construct{
	{ID: "skip", Pattern: `\b[tbf]\.(?:Skip|Skipf|SkipNow)\s*\(|\btesting\.Short\s*\(`, Why: "a skipped test proves nothing"},
	{ID: "build-tag", Pattern: `^//go:build\b|^// \+build\b`, Comment: true, Why: "it may keep the test from being built"},
	{ID: "nolint", Pattern: `\bnolint\b|#nosec`, Comment: true, Why: "it silences a tool instead of heeding it"},
	{ID: "sleep", Pattern: `\btime\.(?:Sleep|After|Tick)\s*\(`, Why: "waiting makes tests slow and flaky"},
	{ID: "clock", Pattern: `\brand\.(?:Int|Intn|IntN|Float64|Perm|Shuffle|N)\w*\s*\(|\btime\.Now\s*\(`, Why: "the outcome depends on chance or time"},
	{ID: "recover", Pattern: `\brecover\s*\(\s*\)`, Why: "it swallows a panic, the product's too"},
	{ID: "constant", Pattern: `\bassert\.True\s*\(\s*t\s*,\s*true\b|\bif\s+false\b`, Why: "it asserts a constant"},
	{ID: "network", Pattern: `\bnet\.(?:Dial|DialTimeout|Listen)\s*\(|\bhttp\.(?:Get|Post|Head|DefaultClient)\b`, Why: "tests reach no network; httptest is allowed"},
	{ID: "process", Pattern: `\bos\.(?:Exit|StartProcess)\s*\(|\bexec\.Command|\bsyscall\.|\bunsafe\.`, Why: "tests start no programs and end no runner"},
}
