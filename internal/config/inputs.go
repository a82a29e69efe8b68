package config

// Bool is the text of a boolean input: "true", "false" or empty for unset. On
// the command line the bare flag means true.
type Bool string

// Inputs are all inputs as text, one field each, in groups. The same struct makes the
// flags (--coverage-targets), the action inputs (INPUT_COVERAGE-TARGETS) and
// the keys of the config file; an empty field is unset. The name is the field
// name in kebab case unless the name tag says otherwise.
//
// Tags: help is the one-line description shown by --help and action.yml;
// fallback is used when no source sets the input; oneof lists the valid values.
// (kong has tags of its own named default and enum, which would hide from us
// whether a flag was given.)
type Inputs struct {
	AboutInputs
	ModelInputs
	ScanInputs
	SuiteInputs
	GateInputs
	EffortInputs
	TrustInputs
}

// AboutInputs are what a run is about, and where it tells of it.
type AboutInputs struct {
	Task             string `help:"What to look at, in words; whole words choose the mode when mode is auto."`
	Mode             string `help:"Which pipeline to run." fallback:"auto" oneof:"auto,discovery,testing,full"`
	Depth            string `help:"How deep the testing part goes; auto decides by the size of the change." fallback:"auto" oneof:"auto,targeted,standard,comprehensive"`
	Scope            string `help:"Look at the change, or at everything tracked." fallback:"changed" oneof:"changed,all"`
	Base             string `help:"Commit, branch or tag to compare with; default: the pull request's base, the upstream default branch, or the previous commit."`
	WorkingDirectory string `help:"Directory to work in, relative to the repository root." fallback:"."`
	Config           string `help:"Config file, relative to the repository root." fallback:".github/qa.yml"`
	GithubToken      string `name:"github-token" help:"Token for comment, check run and API reads; read-only is enough for the verdict."`
	Comment          Bool   `help:"Post one comment on the pull request, edited in place." fallback:"true"`
	Annotations      Bool   `help:"Annotate lines in the check run or the log." fallback:"true"`
	ReviewComments   Bool   `help:"Comment on the changed lines where findings stand, with a suggestion to commit where the fix is mechanical or a generated test fits. At most 30 come with one push; they go when their reason does." fallback:"false"`
}

// ModelInputs are how a model is reached.
type ModelInputs struct {
	ModelBaseURL   string `name:"model-base-url" help:"Base URL of an OpenAI-compatible endpoint."`
	ModelAPIKey    string `name:"model-api-key" help:"Key for the model endpoint."`
	Model          string `help:"Model name; without it the run uses no model."`
	ModelFallback  string `help:"Model to try when the first one fails."`
	ModelBudget    string `help:"Ceiling for model use: tokens, and USD when prices are configured (\"200000\", \"200000,$1.50\")." fallback:"400000"`
	ModelTimeout   string `help:"How long one reply of the model may take; a call that takes longer is tried again." fallback:"2m"`
	OnModelFailure string `help:"What a missing model part means for the verdict." fallback:"neutral" oneof:"fail,neutral"`
}

// ScanInputs are what the scan looks for and shows.
type ScanInputs struct {
	Perspectives string `help:"Comma-separated perspectives of the scan." fallback:"bug,security,test-coverage,code-quality"`
	MinSeverity  string `help:"Findings below are folded away." fallback:"low" oneof:"critical,high,medium,low"`
	MaxFindings  string `help:"Findings shown in full; new critical and high ones always are, the others are counted. SARIF, report.json and outputs have all." fallback:"50"`
}

// SuiteInputs are how and where the project's own tests run.
type SuiteInputs struct {
	Framework    string `help:"Test framework; auto looks for evidence." fallback:"auto" oneof:"auto,vitest,jest,mocha,nodetest,ava,tap,tape,bun,deno,pytest,unittest,gotest,cargo,maven,gradle,command"`
	TestCommand  string `help:"Command that runs the tests, instead of the framework's own."`
	TestReport   string `help:"Report files the test command writes (globs, comma-separated)."`
	CoverageFile string `help:"Coverage files the test command writes (globs, comma-separated)."`
	SetupCommand string `help:"Command to run once before the tests."`
	E2eCommand   string `name:"e2e-command" help:"Command that runs the end-to-end tests; selects layer L3."`
	Install      string `help:"Install dependencies where they are missing: from the lock file, else from what the manifests name." fallback:"auto" oneof:"auto,always,never"`
	Runtime      string `help:"Where the tests run." fallback:"auto" oneof:"auto,image,job-container,container,host"`
	RuntimeImage string `help:"Image for runtime container."`
}

// GateInputs are what a run is held to, and what it hands over.
type GateInputs struct {
	CoverageTargets string `help:"Coverage targets per layer in percent, or a preset (strict, standard, minimum)." fallback:"L1=80,L2=60,L3=40"`
	FailOn          string `help:"Further gates that fail the run, comma-separated."`
	Deliver         string `help:"How kept generated tests are handed over: as a patch in the report, or also as a commit on the branch of the pull request or as a pull request against it. The latter two need contents: write, never write to forks, default or protected branches, and a commit by the job's own token starts no workflows; use the token of an app for that." fallback:"patch" oneof:"patch,commit,pull-request"`
}

// EffortInputs are how much a run does, and where its files are.
type EffortInputs struct {
	Concurrency       string `help:"Tasks of one wave that run at once." fallback:"3"`
	TargetConcurrency string `help:"Suites of targets that run at once, for repositories of several packages whose tests do not get in each other's way. A suite that does not simply pass runs again, alone." fallback:"1"`
	Tests             string `help:"Which of the project's tests run on a pull request: all, or those that the change can reach (impacted), where that can be told and base was seen whole; what is left out is counted. Runs of the default branch and of merge queues always run all." fallback:"all" oneof:"all,impacted"`
	Shard             string `help:"Run one of several parts of every suite, as in 2/4; qa merge joins them. For jobs of a matrix: qa plan --matrix --shards 4 makes the list." fallback:"1/1"`
	Timeout           string `help:"Wall clock of the whole run." fallback:"25m"`
	TaskTimeout       string `help:"Wall clock of one task; then it has 2 minutes to finish with partial results." fallback:"15m"`
	MaxRounds         string `help:"Generator-critic rounds per layer." fallback:"3"`
	MaxFixIterations  string `help:"Repair iterations of one executor task." fallback:"5"`
	Repeat            string `help:"Runs a generated test must survive." fallback:"5"`
	Continue          Bool   `help:"Go on with an unfinished session of the same commit and configuration." fallback:"false"`
	History           string `help:"Where what a series of runs teaches is kept: in the directory QA_HISTORY_DIR or <output-dir>/history, on the branch qa-history that runs of the default branch write (contents: write), or nowhere." fallback:"directory" oneof:"directory,branch,none"`
	OutputDir         string `help:"Directory for reports and sessions, relative to the repository root." fallback:"qa-report"`
}

// TrustInputs are what somebody accepts with open eyes.
type TrustInputs struct {
	AcceptUntrustedEvent Bool `help:"Run pull request code under pull_request_target, workflow_run or issue_comment, where it can reach secrets." fallback:"false"`
	AcceptWeakIsolation  Bool `help:"Run the tests even where they could read a secret of the job, because neither namespaces nor Landlock are to be had." fallback:"false"`
}
