package javascript

// nodeReporterFile is the name of the reporter, nodeReportFile that of its report in
// the folder above, nodeCoverageFile that of what was measured.
const (
	nodeReporterFile = "qa_nodetest.mjs"
	nodeSelectedFile = "qa_nodetest.json"
	nodeReportFile   = "nodetest.json"
	nodeCoverageFile = "nodetest.info"
)

// nodeReporter writes what node's own runner tells its reporters, as a report of
// the shape of jest's, because JUnit of node names neither file nor line. A test
// is a leaf: one with subtests is told only where it failed by itself. What was
// selected is picked here: node matches names without their suites.
const nodeReporter = `import { writeFileSync, readFileSync, readdirSync, existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

const home = dirname(fileURLToPath(import.meta.url))
const cwd = process.cwd()
const chosen = existsSync(join(home, 'qa_nodetest.json')) ? JSON.parse(readFileSync(join(home, 'qa_nodetest.json'), 'utf8')) : null
const strips = Boolean(process.features.typescript)

function local (file) { return file ? relative(cwd, file).split(sep).join('/') : '' }

function said (error) {
  const cause = error && error.cause !== undefined ? error.cause : error
  if (cause === undefined || cause === null) return 'failed without saying why'
  if (typeof cause === 'string') return cause
  if (typeof cause === 'object' && typeof cause.stack === 'string') {
    const head = String(cause.message || '')
    return cause.stack.includes(head) ? cause.stack : head + '\n' + cause.stack
  }
  return inspect(cause)
}

class Report {
  files = new Map()
  path = [] // titles of what is running, by depth
  below = [] // what has ended below each depth: tests
  printed = new Map() // of each file, what it printed to standard error
  twins = new Map()
  own = new Set() // the files that were started
  late = [] // errors after the tests

  file (name) {
    if (!this.files.has(name)) this.files.set(name, { name, status: 'passed', message: '', assertionResults: [] })
    return this.files.get(name)
  }

  whole (d) { return d.nesting === 0 && Boolean(d.file) && d.name !== '' && resolve(cwd, d.name) === d.file }

  event (type, d) {
    switch (type) {
      case 'test:enqueue':
        if (this.whole(d)) this.own.add(d.file)
        break
      case 'test:start':
        this.path.length = d.nesting
        this.path[d.nesting] = d.name
        break
      case 'test:diagnostic':
        // What goes wrong after its test is counted for the whole file, and told in these
        // words alone, where a test of it fails as well.
        if (/^(Error|Warning): .*generated asynchronous activity/.test(d.message)) this.late.push(d)
        break
      case 'test:stderr':
        this.printed.set(d.file, ((this.printed.get(d.file) || '') + d.message).slice(-20000))
        break
      case 'test:pass':
      case 'test:fail':
        this.ended(type === 'test:pass', d)
    }
  }

  ended (passed, d) {
    const kids = this.below[d.nesting + 1] || []
    this.below.length = d.nesting + 1
    const error = d.details && d.details.error
    const line = d.line > 0 && (strips || !/\.[cm]?tsx?$/.test(d.file || '')) ? { line: d.line, column: d.column } : null
    const test = {
      ancestorTitles: this.path.slice(0, d.nesting), title: d.name, status: 'passed',
      duration: (d.details && d.details.duration_ms) || 0, failureMessages: [], location: line
    }
    if (d.skip !== undefined && d.skip !== false) test.status = 'pending'
    if (!passed) {
      test.status = d.todo !== undefined && d.todo !== false ? 'todo' : 'failed'
      if (test.status === 'failed') test.failureMessages.push(said(error))
    }
    const all = this.below[d.nesting] || (this.below[d.nesting] = [])
    if (this.whole(d)) return this.script(d, test, error)
    const leaf = kids.length === 0 && !(d.details && d.details.type === 'suite' && test.status === 'passed')
    const bad = kids.filter(k => k.status === 'failed')
    const itself = test.status === 'failed' && !(error && error.failureType === 'subtestsFailed')
    if (itself && kids.length > 0) {
      for (const k of bad) if (k.cancelled) k.failureMessages.push(test.failureMessages[0])
    }
    test.cancelled = Boolean(error && error.failureType === 'cancelledByParent')
    // What fails in a test beside its subtests is no matter of theirs.
    const own = leaf || (test.status === 'failed' && (bad.length === 0 || (itself && bad.some(k => !k.cancelled))))
    all.push(...kids, ...(own ? [test] : []))
    if (own) this.add(d, test)
  }

  // script is a file as a whole: a test where it has no other, and what went wrong
  // outside of its tests.
  script (d, test, error) {
    const f = this.file(d.file)
    test.title = local(d.file)
    test.ancestorTitles = []
    if (test.status !== 'failed') {
      if (f.assertionResults.length === 0) this.add(d, test)
      return
    }
    if (chosen && !chosen.some(c => this.of(c, d))) return
    f.status = 'failed'
    const code = error && error.exitCode !== undefined && error.exitCode !== null ? ' with exit code ' + error.exitCode : error && error.signal ? ' by ' + error.signal : ''
    f.message = (this.printed.get(d.file) || '').trim() || (error && error.failureType === 'testTimeoutFailure' ? said(error) : 'the file ended' + code + ', and no test of it says why')
    f.outside = true
  }

  of (c, d) { return c.file === '' || c.file === local(d.file) }

  add (d, test) {
    if (chosen) {
      const suite = test.ancestorTitles.join(' > ')
      const key = JSON.stringify([d.file, suite, test.title])
      const n = (this.twins.get(key) || 0) + 1
      this.twins.set(key, n)
      const title = n > 1 ? test.title + ' (' + n + ')' : test.title
      if (test.status === 'pending' && d.skip === 'test name does not match pattern') return
      if (!chosen.some(c => this.of(c, d) && (c.name === '' || (c.suite === suite && c.name === title)))) return
      test.title = title
    }
    this.file(d.file || '').assertionResults.push(test)
  }

  write () {
    const out = [...this.files.values()].filter(f => f.status === 'failed' || f.assertionResults.length > 0)
    const tests = out.flatMap(f => f.assertionResults)
    const failed = tests.filter(t => t.status === 'failed').length
    // A file that failed beside failing tests is told as a file of its own.
    const results = []
    for (const f of out) {
      if (f.outside && f.assertionResults.length > 0) {
        results.push({ name: f.name, status: 'failed', message: f.message, assertionResults: [] }, { ...f, status: 'passed' })
      } else results.push(f)
    }
    const outside = this.late.map(d => {
      const at = d.file || (/ at (\S+?)(:\d+)* generated /.exec(d.message) || [])[1] || ''
      return { file: at && resolve(cwd, at), message: d.message }
    }).filter(o => !(this.files.get(o.file) || {}).outside) // which is told by itself
    if (outside.length > 0) writeFileSync(join(home, '..', 'outside.json'), JSON.stringify({ outsideOfTests: outside }))
    writeFileSync(join(home, '..', 'nodetest.json'), JSON.stringify({
      numTotalTests: tests.length, numFailedTests: failed, success: failed === 0 && !out.some(f => f.status === 'failed'), testResults: results
    }))
  }

  // measured writes what node measured; a file that no test loaded was not run.
  measured (summary) {
    const out = []
    const seen = new Set()
    for (const f of summary.files) {
      seen.add(f.path)
      if (this.aside(f.path)) continue
      out.push('SF:' + f.path)
      for (const fn of f.functions || []) out.push('FN:' + fn.line + ',' + (fn.name || '(anonymous_' + fn.line + ')'))
      for (const fn of f.functions || []) out.push('FNDA:' + fn.count + ',' + (fn.name || '(anonymous_' + fn.line + ')'));
      (f.branches || []).forEach((b, i) => out.push('BRDA:' + b.line + ',' + i + ',0,' + b.count))
      const missed = new Set((f.uncoveredLineNumbers || []).map(l => typeof l === 'object' ? l.line : l))
      const lines = Array.isArray(f.lines) ? f.lines : Array.from({ length: f.totalLineCount }, (_, i) => ({ line: i + 1, count: missed.has(i + 1) ? 0 : 1 }))
      for (const l of lines) out.push('DA:' + l.line + ',' + l.count)
      out.push('end_of_record')
    }
    for (const file of this.sources(cwd, 0, [])) {
      if (seen.has(file) || this.aside(file)) continue
      let text = ''
      try { text = readFileSync(file, 'utf8') } catch { continue }
      out.push('SF:' + file)
      text.replace(/\n$/, '').split('\n').forEach((_, i) => out.push('DA:' + (i + 1) + ',0'))
      out.push('end_of_record')
    }
    writeFileSync(join(home, '..', 'nodetest.info'), out.join('\n') + '\n')
  }

  // aside is what is no product code.
  aside (file) {
    const at = local(file)
    return this.own.has(file) || at.startsWith('..') || /(^|\/)(node_modules|tests?|__tests__|__mocks__|fixtures?|coverage|dist|build|examples?|bench(mark)?s?|docs)\//.test(at) ||
      /(^|\/)\.|[._-](test|spec|bench)\.[^/]*$|\.config\.[^/]*$|\.d\.[cm]?ts$|(^|\/)test\.[cm]?[jt]s$/.test(at)
  }

  sources (dir, depth, out) {
    if (depth > 12 || out.length > 5000) return out
    let entries = []
    try { entries = readdirSync(dir, { withFileTypes: true }) } catch { return out }
    if (depth > 0 && entries.some(e => e.name === 'package.json')) return out // a project of its own
    for (const e of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
      const at = join(dir, e.name)
      if (e.isDirectory() && !this.aside(at + '/x')) this.sources(at, depth + 1, out)
      else if (e.isFile() && /\.[cm]?js$/.test(e.name)) out.push(at)
    }
    return out
  }
}

export default async function * (source) {
  const report = new Report()
  try {
    for await (const e of source) {
      if (e.type === 'test:coverage') report.measured(e.data.summary)
      else report.event(e.type, e.data)
    }
  } finally {
    report.write()
  }
}
`
