package javascript

// vitestReporterFile is the name of our reporter, outsideFile that of its report in the
// folder above.
const (
	vitestReporterFile = "qa_vitest.mjs"
	outsideFile        = "outside.json"
)

// vitestReporter writes the errors that vitest's JSON leaves out: those that nobody
// handles, which it tells at the end, and those of hooks around the tests of a file or a
// block, which do not show where a test fails beside them. A file without tests stands
// in the JSON. Since vitest 3 a run ends with onTestRunEnd, before with onFinished.
const vitestReporter = `import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const to = join(dirname(fileURLToPath(import.meta.url)), '..', 'outside.json')

function said (e) {
  const why = String((e.cause && e.cause.message) || '').split(/\n| imported from /)[0]
  const first = (e.name || 'Error') + ': ' + (e.message || String(e)) + (why && ' (' + why + ')')
  const at = String(e.stack || '').split('\n').filter(l => /^\s+at /.test(l) && !/node_modules|node:internal/.test(l))
  return [first, ...at].join('\n')
}

export default class {
  onInit (vitest) { this.config = vitest.config || {} }

  onFinished (files = [], errors = []) { this.write(files, errors) }

  onTestRunEnd (modules = [], errors = []) { this.write(modules.map(m => m.task), errors) }

  write (files, errors) {
    const out = []
    const walk = (task, file, titles) => {
      if (!task || !task.tasks || task.tasks.length === 0) return
      for (const e of (task.result && task.result.errors) || []) out.push({ file, message: (titles.length ? titles.join(' > ') + ': ' : '') + said(e) })
      for (const t of task.tasks) walk(t, file, [...titles, t.name])
    }
    for (const f of files) if (f) walk(f, f.filepath, [])
    if (!this.config || !this.config.dangerouslyIgnoreUnhandledErrors) {
      for (const e of errors) out.push({ file: e.VITEST_TEST_PATH || '', message: (e.type || 'Unhandled error') + ': ' + said(e) })
    }
    if (out.length > 0) writeFileSync(to, JSON.stringify({ outsideOfTests: out }))
  }
}
`
