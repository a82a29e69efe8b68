package diagnosis

import (
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/wording"
)

// prefix is what installers write before each line of a program that they run.
var prefix = pattern.New(`^(?:npm (?:error|ERR!)(?: notarget| notsup| code| [45]\d\d| network)?|npm warn|➤ YN\d+: [│┌└·]?|\S+@\S+ STD(?:ERR|OUT) |\.\S*node_modules/\S+ \w+: |[│|]|\[stderr\])\s*`)

// noise are lines that stand around an error and tell nothing of it: frames, the
// version of the runtime, where a log lies, what an installer says at its end.
var noise = pattern.New(`^(?:` + strings.Join([]string{
	`at .*`, `Node\.js v[\d.]+`, `Bun v\S+.*`, `\^+`, `~+\^?~*`, `[-=─│└├·\s]+`, `\d+ *\|.*`,
	`A complete log of this run can be found in.*`, `(?:path|command|errno|syscall|code|cwd|gyp verb|gyp info|info|warning|success|hint|notice)\b:? .*`, `command failed`,
	`ELIFECYCLE.*`, `(?:error )?Command failed with exit code \d+\.?`, `Failed`, `Exit status \d+`, `Command: .*`, `Arguments:.*`, `Directory: .*`, `Output:`, `Exit code: \d+`,
	`(?:· )?Failed with errors in .*`, `Completed.*`, `make(?:\[\d+\])?: \*\*\* .*`, `note: .*`, `× Encountered error while .*`, `\[notice\].*`, `\[end of output\]`, `Traceback \(most recent call last\):`, `File ".*", line \d+.*`, `node:internal/.*`, `throw .*`, `\$ .*`, `> .*`,
	`error \S+: Command failed\.`, `\S+ couldn't be built successfully.*`, `\S+@\S+ must be built because.*`, `(?:error: |ERROR: )?(?:Failed to build|subprocess-exited-with-error|metadata-generation-failed).*`, `cause: (?:The build backend returned an error|Call to .* failed.*)`, `\[std(?:err|out)\]`, `.*did not run successfully\.`, `╰─> .*`, `exit code: \d+`,
	`Using (?:Python|CPython) .*`, `(?:Resolved|Prepared|Installed|Uninstalled|Audited|Bytecode compiled) \d+ .* in [\d.]+m?s`, `(?:Building|Downloading|Downloaded) \S+(?: \([\d.]+[KMG]iB\))?`, `[+~-] \S+==\S+`, `\(node:\d+\) .*`, `\(Use .node --trace.*`,
	`This error happened while .*`, `No authorization header was set.*`, `These authorization settings were found:`, `\S+:registry=.*`, `For help, run: .*`, `\{|\}|\[|\]`, `go get (?:-t )?\S+`,
}, `|`) + `)$`)

// errorStart is how the line begins that says what went wrong.
var errorStart = pattern.New(`(?i)^(?:\S*error\b|fatal\b|panic:|×|✘|✗|err_\w+|uncaught\b|usage error|ERR!|\S+: error\b|\S+\(\d+,\d+\): error\b|\S+Exception\b|❌)|\berror(?: TS\d+)?: |\b\w+Error: `)

// continued is how a line begins that goes on with the error before it.
var continued = pattern.New(`^(?:Caused by:|cause:|╰─▶|├─▶|hint:)`)

// Line is what a program says went wrong, for an error message: the first line that
// speaks of an error, in the first of its outputs that has one, with what it says of
// that line's cause; else the last line that tells anything.
func Line(outs ...[]byte) string {
	return line(each.Of(outs, func(out []byte) string { return end(string(out)) })...)
}

func line(outs ...string) string {
	last := ""
	for _, out := range outs {
		var told []string
		tells := ""
		for text := range strings.Lines(out) {
			text = bare(text)
			quiet := text == "" || noise.MatchString(text)
			if !quiet || continued.MatchString(text) {
				told = append(told, text)
			}
			if !quiet {
				tells = text
			}
		}
		for i, text := range told {
			if !errorStart.MatchString(text) {
				continue
			}
			for _, next := range told[i+1:] {
				if !continued.MatchString(next) {
					break
				}
				text += " " + next
			}
			return shown(text)
		}
		if last == "" {
			last = shown(tells)
		}
	}
	return last
}

// bare is a line without what an installer writes before it.
func bare(text string) string {
	text = strings.TrimSpace(text)
	for {
		rest := strings.TrimSpace(prefix.ReplaceAllString(text, ""))
		if rest == text {
			return text
		}
		text = rest
	}
}

// shown is a line as a proof.
func shown(text string) string { return wording.Ends(text, maxProof) }
