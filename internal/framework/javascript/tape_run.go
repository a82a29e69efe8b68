package javascript

// tapeRecorderFile is the name of the recorder, tapeSelectedFile that of what it is to
// run, tapeReportFile that of its report in the folder above.
const (
	tapeRecorderFile = "qa_tape.cjs"
	tapeSelectedFile = "qa_tape.json"
	tapeReportFile   = "tape.json"
)

// tapeRecorder notes what every test of tape says while it runs, and writes a report
// of the shape of jest's: the TAP that tape prints names no file and shares its place
// with whatever the tests print. A test is what test() starts; its assertions are no
// tests of their own. Tape asks for the outcome when the process ends, so the report
// is written again for what comes after that.
const tapeRecorder = `'use strict'
const { Module } = require('node:module')
const { writeFileSync, readFileSync, existsSync } = require('node:fs')
const { join, relative, sep } = require('node:path')
const { fileURLToPath } = require('node:url')
const { inspect } = require('node:util')
const { isMainThread } = require('node:worker_threads')

const cwd = process.cwd()
const chosen = existsSync(join(__dirname, 'qa_tape.json')) ? JSON.parse(readFileSync(join(__dirname, 'qa_tape.json'), 'utf8')) : null
const tests = []
const outside = []
let ending = false

function local (file) { return file ? relative(cwd, file).split(sep).join('/') : '' }

// declared is the place in the project that a call comes from.
function declared () {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const stack = String(new Error('x').stack)
  Error.stackTraceLimit = before
  for (const line of stack.split('\n').slice(1)) {
    const m = /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/.exec(line)
    if (!m) continue
    const file = m[1].startsWith('file://') ? fileURLToPath(m[1].replace(/\?.*$/, '')) : m[1]
    if (file === __filename || file.includes('/node_modules/')) continue
    return { file, line: Number(m[2]), column: Number(m[3]) }
  }
  return { file: '', line: 0, column: 0 }
}

function shown (value) {
  try { return inspect(value, { depth: 4 }) } catch { return 'a value that cannot be shown' }
}

function said (r) {
  const out = [String(r.name || 'an assertion failed')]
  if (r.operator && r.operator !== 'fail' && r.operator !== 'end' && ('expected' in r || 'actual' in r)) out.push('expected ' + shown(r.expected) + ', got ' + shown(r.actual))
  const stack = r.error && typeof r.error === 'object' && typeof r.error.stack === 'string' ? r.error.stack : ''
  const at = stack.split('\n').filter(l => /^\s+at /.test(l) && !l.includes('/node_modules/') && !l.includes('node:internal'))
  if (r.operator === 'error' && r.actual && typeof r.actual === 'object' && typeof r.actual.stack === 'string') out.push(r.actual.stack)
  else if (at.length > 0) out.push(at.slice(0, 8).join('\n'))
  return out.join('\n')
}

function path (t) { return t.parent ? [...path(t.parent), t.name] : [t.name] }

// wanted reports whether a selection has a test, something in it or what it is in.
function wanted (t) {
  if (!chosen) return true
  const own = path(t)
  return chosen.some(c => {
    if (c.file !== '' && c.file !== t.file) return false
    if (c.name === '') return true
    const want = [...(c.suite === '' ? [] : c.suite.split(' > ')), c.name.replace(/ \(\d+\)$/, '')]
    const as = [...(c.suite === '' ? [] : c.suite.split(' > ')), c.name]
    return [want, as].some(w => w.every((n, i) => i >= own.length || n === own[i]))
  })
}

function watch (test, parent) {
  const place = declared()
  const t = { test, parent, name: String(test.name), file: parent && !place.file ? parent.file : local(place.file), line: place.line, column: place.column, messages: [], kids: 0, started: 0, ended: false, seconds: 0, todo: Boolean(test._todo), skip: Boolean(test._skip) }
  if (parent) parent.kids++
  tests.push(t)
  if (!wanted(t)) {
    t.left = true
    test._skip = true
  }
  test.on('prerun', () => { t.started = Date.now() })
  test.on('result', r => {
    if (typeof r === 'string' || r === null) return
    if (!r.ok && !r.skip && !(r.todo && !t.todo)) t.messages.push(said(r))
    if (ending) write()
  })
  test.on('end', () => {
    t.ended = true
    if (t.started) t.seconds = Date.now() - t.started
    if (ending) write()
  })
  test.on('test', inner => watch(inner, t))
}

function write () {
  if (tests.length === 0 && outside.length === 0) return
  const files = new Map()
  const of = name => {
    if (!files.has(name)) files.set(name, { name: name ? join(cwd, name) : '', status: 'passed', message: '', assertionResults: [] })
    return files.get(name)
  }
  const twins = new Map()
  for (const t of tests) {
    const titles = path(t)
    const suite = titles.slice(0, -1)
    const key = JSON.stringify([t.file, titles])
    const n = (twins.get(key) || 0) + 1
    twins.set(key, n)
    const title = n > 1 ? t.name + ' (' + n + ')' : t.name
    if (t.left) continue
    if (chosen && !chosen.some(c => (c.file === '' || c.file === t.file) && (c.name === '' || (c.suite === suite.join(' > ') && c.name === title)))) continue
    let status = 'passed'
    const messages = [...t.messages]
    if (messages.length > 0) status = t.todo ? 'todo' : 'failed'
    else if (t.skip || !t.started) status = 'pending'
    else if (!t.ended) {
      status = 'failed'
      messages.push('the process ended before this test did')
    }
    if (t.kids > 0 && status !== 'failed') continue // a test is a leaf
    of(t.file).assertionResults.push({
      ancestorTitles: suite, title: chosen ? title : t.name, status, duration: t.seconds,
      failureMessages: status === 'failed' ? messages.slice(0, 20) : [], location: t.line > 0 ? { line: t.line, column: t.column } : null
    })
  }
  const results = [...files.values()]
  for (const o of outside) results.push({ name: o.file ? join(cwd, o.file) : '', status: 'failed', message: o.message, assertionResults: [] })
  const all = results.flatMap(f => f.assertionResults)
  const failed = all.filter(a => a.status === 'failed').length
  writeFileSync(join(__dirname, '..', 'tape.json'), JSON.stringify({
    numTotalTests: all.length, numFailedTests: failed, success: failed === 0 && outside.length === 0, testResults: results
  }))
}

// thrown is where an error that nobody caught comes from.
function thrown (error) {
  const stack = error && typeof error === 'object' && typeof error.stack === 'string' ? error.stack : String(error)
  for (const line of stack.split('\n')) {
    const m = /(?:\(|at |^)((?:file:\/\/)?\/[^()\s]*?):(\d+)(?::\d+)?\)?$/.exec(line)
    if (!m) continue
    const file = m[1].startsWith('file://') ? fileURLToPath(m[1].replace(/\?.*$/, '')) : m[1]
    if (!file.includes('/node_modules/') && file !== __filename) return { file: local(file), message: stack }
  }
  return { file: local(process.argv[1]), message: stack }
}

// A process that the tests start with our options is none of the run's.
if (isMainThread && !process.env.QA_TAPE) {
  process.env.QA_TAPE = String(process.pid)
  const load = Module._extensions['.js']
  Module._extensions['.js'] = function (module, file) {
    load.apply(this, arguments)
    const Test = module.exports
    if (!/[\\/]lib[\\/]test\.js$/.test(file) || typeof Test !== 'function' || !Test.prototype || !Test.prototype.timeoutAfter || !Test.prototype.on) return
    module.exports = new Proxy(Test, {
      construct (target, args, made) {
        const t = Reflect.construct(target, args, made === module.exports ? target : made)
        watch(t, null)
        return t
      }
    })
  }
  process.on('uncaughtExceptionMonitor', error => outside.push(thrown(error)))
  process.on('exit', () => {
    ending = true
    write()
  })
}
`
