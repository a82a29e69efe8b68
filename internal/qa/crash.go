package qa

import "github.com/org/qa-action/internal/pattern"

// crash is how a failure begins that no assertion noticed: running the code was enough.
var crash = pattern.New(`^(?:(?:Uncaught )?(?:Type|Reference|Range|Syntax|URI)Error\b|(?:Type|Attribute|Name|Index|Key|Value|Lookup|ZeroDivision|UnboundLocal|Recursion|Runtime|Overflow)Error\b|panic: |fatal error: |WARNING: DATA RACE)`)

// matched is how a matcher of jest begins that was given something it cannot
// judge, such as the length of undefined: it throws a TypeError, and is an
// assertion all the same.
var matched = pattern.New(`^\w*Error: expect\(`)

// Crash reports whether a test's failure is told as one that no assertion noticed.
func Crash(text string) bool { return crash.MatchString(text) && !matched.MatchString(text) }
