package diagnosis

import "github.com/org/qa-action/internal/wording"

// node are the words of npm, pnpm, yarn (classic and berry) and bun.
var node = []Cause{
	// What the registry says.
	{Pattern: `(?m)^npm (?:error|ERR!) 404 Not Found - GET \S*/-/(\S+)\.tgz`, Kind: refused, Says: noSuchVersion, Cure: otherVersion},
	{Pattern: `(?m)^➤ YN0035: │ .*\n➤ YN0035: │\s+Response Code: 404.*\n(?:➤ YN0035: │\s+Request Method: .*\n)?➤ YN0035: │\s+Request URL: \S*/-/(\S+)\.tgz`, Kind: refused, Says: noSuchVersion, Cure: otherVersion},
	{Pattern: `(?m)^➤ YN0035: │ (\S+?)@\S+:.*\n➤ YN0035: │\s+Response Code: 404`, Kind: refused, Says: notThere, Cure: correctName},
	{Pattern: `(?m)^npm (?:error|ERR!) 404 Not Found - [A-Z]+ \S*/(@?[^/\s]+)`, Kind: refused, Says: notThere, Cure: correctName},
	{Pattern: `(?m)^\W*ERR_PNPM_FETCH_404\W+GET \S*/(@?[^/\s:]+): `, Kind: refused, Says: notThere, Cure: correctName},
	{Pattern: `(?m)^error (?:Error: )?\S*/(@?[^/\s:"]+): Not found`, Kind: refused, Says: notThere, Cure: correctName},
	{Pattern: `(?m)^➤ YN0035: │ (\S+?)@\S+: Package not found`, Kind: refused, Says: notThere, Cure: correctName},
	{Pattern: `(?m)^error: GET \S*/(@?[^/\s]+) - 404`, Kind: refused, Says: notThere, Cure: correctName},
	{Pattern: `(?m)^npm (?:error|ERR!) 40[13] .*- GET \S*/(@?[^/\s]+)`, Kind: refused, Says: notGiven, Cure: giveToken},
	{Pattern: `(?m)^\W*ERR_PNPM_FETCH_40[13]\W+GET \S*/(@?[^/\s:]+): `, Kind: refused, Says: notGiven, Cure: giveToken},
	{Pattern: `(?m)^error (?:Error: )?https?://\S*/(@?[^/\s:"]+): [^E\n]`, Kind: refused, Says: notGiven, Cure: giveToken},
	{Pattern: `(?m)^➤ YN0041: │ (\S+?)@`, Kind: refused, Says: notGiven, Cure: giveToken},
	{Pattern: `(?m)^➤ YN0035: │ (\S+?)@.*\n➤ YN0035: │\s+Response Code: 40[13]`, Kind: refused, Says: notGiven, Cure: giveToken},
	{Pattern: `(?m)^error: GET \S*/(@?[^/\s]+) - 40[13]`, Kind: refused, Says: notGiven, Cure: giveToken},
	{Pattern: `(?m)^npm (?:error|ERR!) 5\d\d |^\W*ERR_PNPM_FETCH_5\d\d|Response Code: 5\d\d|^➤ YN\d+: │ .*registry appears to be down|^error: GET \S+ - 5\d\d|^error .*Request failed "5\d\d`, Kind: network, Says: "the registry fails", Cure: "run again later, or use a mirror"},
	{Pattern: `(?m)^npm (?:error|ERR!) (?:network |FetchError: )*request to \S+ failed, reason: .*`, Kind: network, Says: notAnswering, Cure: letReach},
	{Pattern: `(?m)No matching version found for (\S+?)\.?(?:\s|$)|^error Couldn't find any versions for "(\S+)" that matches|^➤ YN0082: │ (\S+): No candidates|^error: No version matching "?(\S+?)"? found`, Kind: refused, Says: "the registry has no version that fits $1", Cure: "correct the version in package.json"},
	{Pattern: `(?m)^➤ YN0016: │ (\S+): All versions .* quarantined`, Kind: refused, Says: "$1 is younger than yarn allows", Cure: "wait, or name it in npmPreapprovedPackages of .yarnrc.yml"},

	// What the lock file says.
	{Pattern: `(?m)^npm (?:error|ERR!) (?:Missing|Invalid): .*lock file|can only install packages when your package\.json and`, Kind: Lock, Says: "package-lock.json does not fit package.json", Cure: commitLock, run: "npm install --package-lock-only"},
	{Pattern: `(?m)^\W*ERR_PNPM_(?:OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH|LOCKFILE_BREAKING_CHANGE|BROKEN_LOCKFILE)`, Kind: Lock, Says: "pnpm-lock.yaml does not fit package.json", Cure: commitLock, run: "pnpm install --lockfile-only"},
	{Pattern: `(?m)^error Your lockfile needs to be updated`, Kind: Lock, Says: "yarn.lock does not fit package.json", Cure: commitLock, run: "yarn install"},
	{Pattern: `(?m)^➤ YN0028: │ The lockfile would have`, Kind: Lock, Says: "yarn.lock does not fit package.json", Cure: commitLock, run: "yarn install --mode=update-lockfile"},
	{Pattern: `(?m)^error: lockfile had changes, but lockfile is frozen`, Kind: Lock, Says: "bun's lock file does not fit package.json", Cure: commitLock, run: "bun install --lockfile-only"},

	// What does not go together.
	{Pattern: `(?m)^npm (?:error|ERR!) peer (\S+@"[^"\n]*"|\S+) from \S+`, Kind: Version, Says: noPeers, Cure: otherPeers + ", or write legacy-peer-deps=true into .npmrc if it is meant"},
	{Pattern: `(?m)unmet peer (\S+):`, Kind: Version, Says: noPeers, Cure: otherPeers},
	{Pattern: `(?m)^npm (?:error|ERR!) notsup Required: *\{.*?"node": *"([^"]+)"|^Expected version: (\S.*)$|The engine "node" is incompatible with this module\. Expected version "([^"]+)"`, Kind: Version, Says: "it needs another Node.js: $1", Cure: "put such a Node.js on PATH, or let the action provide it with --runtime image"},
	{Pattern: `(?m)ERR_PNPM_BAD_PM_VERSION|This project is configured to use (\S+)|packageManager.*specifies (\S+)`, Kind: Version, Says: "the repository pins another package manager: $1", Cure: "put that version on PATH, or remove packageManager from package.json"},
	{Pattern: `(?m)^npm (?:error|ERR!) JSON\.parse |in JSON at position \d+|JSON Parse error|^error: .*parsing package\.json|^\s*error: Expected .*\n\s+at \S*package\.json`, Kind: Config, Says: "package.json is no valid JSON", Cure: "correct it"},
	{Pattern: `(?m)refers to a non-existing file '"?([^"']+)|Could not install from "([^"]+)" as it does not exist|ENOENT: no such file or directory, lstat '([^']+)'|package\.json not found for "(?:file:)?([^"]+)" dependency|^error: .*(?:ENOENT|FileNotFound|MissingPackageJSON).*?(\S+)`, Kind: directory, Says: "a dependency is a folder that does not exist: $1", Cure: "correct its path in package.json, or check it out beside the repository"},
	{Pattern: `(?m)([\w@/.-]+@git\S+): Invalid URL`, Kind: directory, Says: "the address of a dependency is not valid: $1", Cure: "correct it in package.json"},
	{Pattern: `(?m)Workspace dependency "?(\S+?)"? not found|ERR_PNPM_WORKSPACE_PKG_NOT_FOUND.*"(\S+)@`, Kind: directory, Says: "$1 is no package of the workspace", Cure: "correct its name, or the workspace's patterns"},
	{Pattern: `(?m)Cannot find module '(node:[\w/]+)'|No such built-in module: (\S+)`, Kind: Version, Says: "it needs a newer Node.js, with $1", Cure: "put such a Node.js on PATH, or let the action provide it with --runtime image"},
}

const (
	noSuchVersion = "the registry has no $1"
	otherVersion  = "name the registry that has it in the installer's configuration, or take a version into the lock file that is there"
	notThere      = "$1 is not in the registry"
	correctName   = "correct its name in package.json, or name the registry that has it, with a token, in the installer's configuration"
	notGiven      = "the registry refuses $1"
	giveToken     = "give the job a token for it, or use a mirror that allows it"
	notAnswering  = "the registry does not answer"
	letReach      = "let this machine reach it (a proxy, or the registry in the installer's configuration), or install the dependencies in a step before"
	noPeers       = "the peer rules of the dependencies cannot be met: $1 is asked for"
	otherPeers    = "correct the versions in package.json, or commit a lock file with which it installs"
	commitLock    = "bring it up to date and commit it"
)

// packaged are the scripts that packages run when they are installed.
var packaged = []Cause{
	{Pattern: `(?m)^npm (?:error|ERR!) path \S*node_modules/((?:@[^/\s]+/)?[^/\s]+)$`, Kind: script, Says: failsScript, Cure: mendScript, elsewhere: true},
	{Pattern: `(?m)node_modules/((?:@[^/\s]+/)?[^/\s]+) (?:pre|post)?install: Failed`, Kind: script, Says: failsScript, Cure: mendScript, elsewhere: true},
	{Pattern: `(?m)^error \S*node_modules/((?:@[^/\s]+/)?[^/\s:]+): Command failed`, Kind: script, Says: failsScript, Cure: mendScript, elsewhere: true},
	{Pattern: `(?m)^➤ YN0009: │ (\S+?)@\S+ couldn't be built`, Kind: script, Says: failsScript, Cure: mendScript, elsewhere: true},
	{Pattern: `(?m)^error: (?:pre|post)?install script from "(\S+)" exited`, Kind: script, Says: failsScript, Cure: mendScript, elsewhere: true},
}

var ofPackages = New(packaged)

// Package is the package whose own script ended an installation, what it said of it;
// empty where something else did.
func Package(stderr, stdout []byte) (name, said string) {
	for _, e := range ofPackages {
		for _, out := range []string{string(stderr), string(stdout)} {
			if m := e.pattern.FindStringSubmatch(end(out)); m != nil {
				return wording.Line(m[1], 100), Line(stderr, stdout)
			}
		}
	}
	return "", ""
}

// scripts are those of packages and of the repository that an installer runs. What
// went wrong stands in words of theirs.
var scripts = []Cause{
	{Pattern: `(?m)^EOFError: EOF when reading a line|^\? .*(?:\([yY]/[nN]\)|›)\s*$|Do you want to continue\?|\[y/N\]:?\s*$`, Kind: script, Says: "it asks a question, which nobody answers here", Cure: "answer it in the command's options"},
	{Pattern: `(?m)^error TS\d+|\): error TS\d+`, Kind: Build, Says: "TypeScript does not compile", Cure: "correct it, or install what it looks for"},
	{Pattern: `(?m)Cannot find (?:module|package) '([^']+)'`, Kind: Missing, Says: "module $1 is not found", Cure: "name it in package.json, or build what makes it before"},
	{Pattern: `(?m)ModuleNotFoundError: No module named '([\w.]+)'`, Kind: Missing, Says: "the Python module $1 is not found", Cure: "name it in what the build requires (build-system.requires), or install it before with setup-command"},
	{Pattern: `(?m)^npm (?:error|ERR!) command sh -c (.+)$|^> (?:node|tsc|\w[\w-]*) .*$\n[\s\S]*ELIFECYCLE`, Kind: script, Says: "a script of the repository fails: $1", elsewhere: true},
	{Pattern: `(?m)^\$ (.+)\n`, Kind: script, Says: "a script of the repository fails: $1", elsewhere: true},
	{Pattern: `(?m)^error: (?:pre|post)?(?:install|prepare) script from "`, Kind: script, Says: "a script of the repository fails", elsewhere: true},
}

const (
	failsScript = "the install script of $1 fails"
	mendScript  = "make what it needs available, or install the dependencies in a step before"
)
