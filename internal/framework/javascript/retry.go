package javascript

import "github.com/org/qa-action/internal/framework/adapter"

// forbiddenJS are those of all frameworks for JavaScript: a test that is written
// for one of them may be run by another.
var forbiddenJS = adapter.Retries(`\bjest\.retryTimes\s*\(|\bthis\.retries\s*\(|\bretry\s*:\s*\d`)
