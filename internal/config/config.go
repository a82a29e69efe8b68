// Package config turns flags, action inputs and the config file into one
// validated [Config]. Start at [Load].
//
// Precedence is flag, action input, config file, default, field by field.
// Every problem of every source is reported at once, each with where it stands
// and what would be valid. Secrets never appear in an error or in [Config.Digest].
package config

import (
	"time"

	"github.com/org/qa-action/internal/qa"
)

// Mode is which pipeline to run; auto decides by the task's words.
type Mode string

// The modes.
const (
	Auto      Mode = "auto"
	Discovery Mode = "discovery"
	Testing   Mode = "testing"
	Full      Mode = "full"
)

// Depth shapes the testing part; auto decides by the size of the change.
type Depth string

// The depths.
const (
	DepthAuto     Depth = "auto"
	Targeted      Depth = "targeted"
	Standard      Depth = "standard"
	Comprehensive Depth = "comprehensive"
)

// Model is how to reach a model; the zero value means none.
type Model struct {
	BaseURL   string
	APIKey    string
	Name      string
	Fallback  string
	Tokens    int           // budget, 0 for none
	USD       float64       // budget, 0 for none
	Timeout   time.Duration // of one call
	MustWork  bool          // on-model-failure: fail
	Prices    map[string]Price
	Configure string // what is missing, when only a part is configured
}

// Configured reports whether a model is to be used.
func (m Model) Configured() bool { return m.Name != "" && (m.APIKey != "" || m.BaseURL != "") }

// Price is what a model costs, in USD per million tokens. Cached is for those of a prompt
// that the endpoint had from an earlier request; without it they cost as much as others.
type Price struct {
	Prompt     float64  `yaml:"prompt"`
	Completion float64  `yaml:"completion"`
	Cached     *float64 `yaml:"cached"`
}

// Target is one package of a monorepo with its own commands. Empty fields fall
// back to the inputs of the same name; the setup command of a package runs after
// that of the input, and its end-to-end command beside that of the input.
type Target struct {
	Name         string `yaml:"name"`
	Dir          string `yaml:"dir"`
	Framework    string `yaml:"framework"`
	TestCommand  string `yaml:"test-command"`
	TestReport   string `yaml:"test-report"`
	CoverageFile string `yaml:"coverage-file"`
	SetupCommand string `yaml:"setup-command"`
	E2eCommand   string `yaml:"e2e-command"`
	Install      string `yaml:"install"`
	Targets      string `yaml:"coverage-targets"`
	// Coverage are its own coverage targets, nil where those of the run hold.
	Coverage map[qa.Layer]float64 `yaml:"-"`
}

// Linter is a user-defined engine: a command whose lines errorformat reads, or
// SARIF files another tool wrote. The fields are those of scan/linter.Linter.
type Linter struct {
	Name        string   `yaml:"name"`
	Command     string   `yaml:"command"`     // split into words, no shell runs it; "{files}" stands for the changed files
	Format      string   `yaml:"format"`      // a named errorformat
	Errorformat []string `yaml:"errorformat"` // own patterns
	Sarif       string   `yaml:"sarif"`       // path or glob of SARIF files; "-" is the command's output
	Paths       []string `yaml:"paths"`       // globs of the files it is for
	Perspective string   `yaml:"perspective"`
	Severity    string   `yaml:"severity"`
}

// Quarantine sets a test aside until a day, the last one it holds.
type Quarantine struct {
	Test    string `yaml:"test"` // as reports name it
	Reason  string `yaml:"reason"`
	Expires string `yaml:"expires"` // 2006-01-02
}

// Instruction is text for the generator and the scout, per glob.
type Instruction struct {
	Paths string `yaml:"paths"`
	Text  string `yaml:"text"`
}

// Config is everything a run was told, validated.
type Config struct {
	Subject
	Model Model
	Scanning
	Suite
	Place
	Effort
	Judgement
	Publishing
}

// Subject is what a run is about.
type Subject struct {
	Task             string
	Mode             Mode
	Depth            Depth
	All              bool // scope all
	Base             string
	WorkingDirectory string
	File             string // the config file's path
}

// Scanning is what the scan looks for.
type Scanning struct {
	Perspectives []qa.Perspective
	MinSeverity  qa.Severity
	MaxFindings  int
	Exclude      []string
	Engines      []Linter
	Instructions []Instruction
}

// Suite is the project's own tests.
type Suite struct {
	Framework    string
	TestCommand  string
	TestReport   []string
	CoverageFile []string
	SetupCommand string
	E2eCommand   string
	Targets      []Target
	// Workflow is how base's own workflow runs the tests: no input. It is asked where
	// nothing else tells of them, and for what no configuration file says; what else it
	// runs is said.
	Workflow []WorkflowTest
}

// WorkflowTest is a test command of a workflow, as a shell line, with where it stands:
// "tests.yml:31". Needs says that its job has services, or installs packages of the machine;
// Bare is the line without variables that do not say what is run. Less says that a variable
// is missing whose value only the workflow's run knows, Afar that the job has what only that
// run has: a secret, an image, another kind of machine, something that it puts in place.
// Row says that it is of a row of the job's matrix beside the one that is nearest to here.
type WorkflowTest struct {
	Line, Bare, Source     string
	Needs, Less, Afar, Row bool
}

// Place is where the repository's code runs, and what somebody accepts there.
type Place struct {
	Install         string
	Runtime         string
	RuntimeImage    string
	AcceptUntrusted bool
	AcceptWeak      bool
}

// Shard says which part of how many is run, from 1; 1 of 1 is the whole.
type Shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// Impacted is the value of the input tests by which those run that a change can reach.
const Impacted = "impacted"

// MaxShards is how many jobs a matrix may have.
const MaxShards = 256

// Whole reports whether nothing is left to others.
func (s Shard) Whole() bool { return s.Of < 2 }

// Effort is how much a run does.
type Effort struct {
	Concurrency       int
	TargetConcurrency int
	Tests             string // all or [Impacted]
	// Learn says that [Impacted] was asked for where everything runs: what each test
	// executes is worth knowing to later runs.
	Learn            bool
	Shard            Shard
	Timeout          time.Duration
	TaskTimeout      time.Duration
	MaxRounds        int
	MaxFixIterations int
	Repeat           int
	Continue         bool
}

// Judgement is what a run is held to.
type Judgement struct {
	Coverage   map[qa.Layer]float64 // targets in percent
	FailOn     []string
	Quarantine []Quarantine
}

// Publishing is where results go.
type Publishing struct {
	GithubToken string
	Comment     bool
	Annotations bool
	// ReviewComments asks for comments at lines of the diff.
	ReviewComments bool
	Deliver        string
	OutputDir      string
	History        string // directory, branch or none
}
