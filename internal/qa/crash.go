package qa

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// crash is how a failure begins that no assertion noticed: running the code was enough.
var crash = pattern.New(`^(?:(?:Uncaught )?(?:Type|Reference|Range|Syntax|URI)Error\b|(?:Type|Attribute|Name|Index|Key|Value|Lookup|ZeroDivision|UnboundLocal|Recursion|Runtime|Overflow)Error\b|panic: |fatal error: |WARNING: DATA RACE)`)

// matched is how a matcher of jest begins that was given something it cannot
// judge, such as the length of undefined: it throws a TypeError, and is an
// assertion all the same.
var matched = pattern.New(`^\w*Error: expect\(`)

// Crash reports whether a test's failure is told as one that no assertion noticed.
func Crash(text string) bool { return crash.MatchString(text) && !matched.MatchString(text) }

// unfit is how a failure begins of code that names what is not there, or hands over what is
// not taken: in JavaScript and Python, because others do not compile then.
var unfit = pattern.New(`^(?:Uncaught )?(?:(?:Syntax|Reference|Name|Import|ModuleNotFound|Attribute)Error\b|` +
	`TypeError\b.*(?: is not a (?:function|constructor)\b|cannot be invoked without 'new'|\btakes (?:no|exactly|at|from|\d+) |\bmissing \d+ required |` +
	`unexpected keyword argument|multiple values for |abstract class|object is not callable)|ValueError: (?:not enough|too many) values to unpack)`)

// given is what such a failure says of a value that was there, and was another one: nothing
// at all, or one of the language's own kinds.
var given = pattern.New(`'NoneType' object|'(?:int|str|float|complex|bool|list|dict|tuple|set|frozenset|bytes|generator|coroutine)' object has no attribute|` +
	`\.(?:map|filter|forEach|reduce|some|every|find\w*|includes|indexOf|slice|splice|push|pop|shift|sort|join|concat|keys|entries|values|flat|at|` +
	`toString|toFixed|toUpperCase|toLowerCase|trim\w*|split|replace\w*|match\w*|startsWith|endsWith|padStart|then|catch|finally|getTime|toISOString) is not a function`)

// around is what pytest puts before the words of a failure in a fixture, raised how one begins
// of which code is the reason.
var (
	around = pattern.New(`^failed on \w+ with "`)
	raised = pattern.New(`^(?:[\w.]*(?:Error|Exception)\b|panic: |started and never finished)`)
)

// Unfit reports whether a test's failure is told as one of a test that was written for
// another version of what it calls: by its words, or because the runner could not run it.
func Unfit(c Case) bool {
	text, _, _ := strings.Cut(around.ReplaceAllString(c.Message, ""), "\n")
	return unfit.MatchString(text) && !given.MatchString(text) && !matched.MatchString(text) || c.Status == Errored && !raised.MatchString(text)
}
