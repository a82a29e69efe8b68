// Package interpreter reads how a script starts Python, in whose place an adapter starts
// it. Start at [Read].
package interpreter

import (
	"strings"

	"github.com/org/qa-action/internal/shell"
)

// Python is how a script starts a module of Python.
type Python struct {
	Module  bool     // by python -m, which looks for modules in the folder where it runs
	Options []string // of the interpreter, for which no variable stands
}

// byVariable are the options of the interpreter that a variable sets as well: an adapter
// starts the interpreter by itself. What only shows in the output is set by none.
var byVariable = map[string]string{
	"-O": "PYTHONOPTIMIZE=1", "-OO": "PYTHONOPTIMIZE=2", "-s": "PYTHONNOUSERSITE=1", "-P": "PYTHONSAFEPATH=1", "-Xdev": "PYTHONDEVMODE=1", "-Xutf8": "PYTHONUTF8=1",
	"-u": "", "-B": "", "-q": "", "-v": "", "-Xfaulthandler": "",
}

// Read gives the variables that stand for options of Python, and those that stand
// before what an adapter starts; false where one goes with neither, so that only the
// command as it stands does what it says.
func Read(options []shell.Word, warnings string) (env, given []string, ok bool) {
	for i := 0; i < len(options); i++ {
		option := options[i].Text
		if (option == "-W" || option == "-X") && i+1 < len(options) {
			i++
			option += options[i].Text
		}
		kv, known := byVariable[option]
		if filter, ok := strings.CutPrefix(option, "-W"); ok {
			warnings = strings.TrimPrefix(warnings+","+filter, ",")
			kv, known = "PYTHONWARNINGS="+warnings, true
		}
		switch {
		case option == "-b", option == "-bb":
			given = append(given, option)
		case !known:
			return nil, nil, false
		case kv != "":
			env = append(env, kv)
		}
	}
	return env, given, true
}
