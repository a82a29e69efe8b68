package script

import (
	"strings"

	"github.com/org/qa-action/internal/shell"
)

// byVariable are the options of the interpreter that a variable sets as well: an adapter
// starts the interpreter by itself. What only shows in the output is set by none.
var byVariable = map[string]string{
	"-O": "PYTHONOPTIMIZE=1", "-OO": "PYTHONOPTIMIZE=2", "-s": "PYTHONNOUSERSITE=1", "-P": "PYTHONSAFEPATH=1", "-Xdev": "PYTHONDEVMODE=1", "-Xutf8": "PYTHONUTF8=1",
	"-u": "", "-B": "", "-q": "", "-v": "", "-Xfaulthandler": "",
}

// interpreted are the variables that stand for options of Python; false where one has
// none, so that only the command as it stands does what it says.
func interpreted(options []shell.Word, warnings string) (env []string, ok bool) {
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
		case !known:
			return nil, false
		case kv != "":
			env = append(env, kv)
		}
	}
	return env, true
}
