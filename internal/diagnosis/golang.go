package diagnosis

// golang are the words of go where it downloads and builds.
var golang = []Cause{
	{Pattern: `(?m)^go: ([^\s@]+@[^\s:]+): reading \S+: (?:404|410)`, Kind: refused, Says: "the module proxy has no $1", Cure: "correct its path and version in go.mod, or name a proxy that has it in GOPROXY"},
	{Pattern: `(?m)^go: ([^\s@]+@[^\s:]+): reading \S+: 40[13]`, Kind: refused, Says: "the module proxy refuses $1", Cure: giveToken},
	{Pattern: `(?m)^go: (?:\S+: )?.*requires go >= ([\d.]+)`, Kind: Version, Says: "it needs Go $1 or later", Cure: "put it on PATH, or let the action provide it with --runtime image"},
	{Pattern: `(?m)cannot find module providing package (\S+?):|no required module provides package (\S+?)[;:]|missing go\.sum entry for module providing package (\S+)|updates to go\.mod needed`, Kind: Lock, Says: "go.mod or go.sum is incomplete: $1", Cure: commitLock, run: "go mod tidy"},
	{Pattern: `(?m)errors parsing go\.(?:mod|work):\n(.*)`, Kind: Config, Says: "go.mod or go.work is not valid: $1", Cure: "correct it"},
	{Pattern: `(?m)^\S+\.go:\d+:\d+: .*`, Kind: Build, Says: "a package does not compile", Cure: "correct it, or run what generates its code before with setup-command"},
}
