// Package entered notes which functions each test file of jest enters. Start at [Watch],
// which has it noted, and [Trace], which reads what was noted.
package entered

// File is the name of our file in the folder of traces, Watch what whoever starts jest
// says first: a run of which nothing can be noted is a run all the same.
const (
	File  = "qa_entered.cjs"
	Watch = "try { require('./" + File + "').main(process.argv[1]) } catch {}\n"
)

// Script is loaded by every process of jest before anything else. Jest counts, for its
// coverage, how often each function of a source was entered, and does so for each test file
// apart, whose modules are its own. What the counters do not tell is noted beside them: files
// that a test file loads and that are not counted, sources that are read as texts, and
// test files of which not all can be known, as they start programs or threads, ask other
// processes, read what another one wrote, look at the text of functions, draw by chance, or
// failed. What this process has loaded outside of any test file belongs to all, and so does
// what a transform reads.
//
// A process writes what it knows of a test file when that is over. One that was ended before
// has said nothing of it.
const Script = `'use strict'
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')
const net = require('node:net')
const children = require('node:child_process')
const threads = require('node:worker_threads')
const { fileURLToPath } = require('node:url')

const { apply, construct } = Reflect
const append = fs.appendFileSync, realpath = fs.realpathSync.native, stat = fs.statSync
const out = path.dirname(__dirname)
const to = path.join(__dirname, 'entered-' + process.pid + '.json')
const packages = /[\\/]node_modules[\\/]/
const runtime = /[\\/]node_modules[\\/]jest-runtime[\\/]/
const transforms = /[\\/]node_modules[\\/]@jest[\\/]transform[\\/]/
const jest = /[\\/]node_modules[\\/](?:jest-(?:changed-files|circus|cli|config|docblock|haste-map|jasmine2|message-util|resolve|runner|snapshot|util|validate|worker)|@jest[\\/][^\\/]+|source-map-support|istanbul-[^\\/]+|test-exclude|graceful-fs)[\\/]/
const generators = /[\\/]node_modules[\\/].*(?:faker|fast-check|chance|casual|random|jsverify|testcheck)/i
const source = /\.[cm]?[jt]sx?$/i
const started = fs.statSync(__filename).mtimeMs // just before the run

let now = null // the test file that runs in this process
const shared = new Set()
const servers = new Set()

function say (what) { append(to, JSON.stringify(what) + '\n') }
function begin (unit) { now = { unit, contexts: 0, loads: new Set(), reads: new Set(), wrote: new Set(), lost: '' } }
function lose (why) { if (now && !now.lost) now.lost = why }
function all (name) {
  if (!shared.has(name)) {
    shared.add(name)
    say({ reads: [name] })
  }
}

// callers are the files of the calls that led here, the nearest first. While a stack is made
// into a text, nobody is asked how to do that with another one.
function callers () {
  const was = Error.prepareStackTrace, most = Error.stackTraceLimit
  Error.prepareStackTrace = (_, sites) => sites.map(s => String(s.getFileName() || ''))
  Error.stackTraceLimit = 60
  const stack = new Error().stack
  Error.prepareStackTrace = was
  Error.stackTraceLimit = most
  const files = Array.isArray(stack) ? stack : String(stack).split('\n').slice(1).map(l => (/((?:node:|[\\/]|\w:\\).*?):\d+:\d+\)?$/.exec(l) || ['', ''])[1])
  return files.filter(f => f !== __filename)
}

// place is the file of a name; empty where it is none that matters.
function place (name) {
  if (name && typeof name === 'object' && name.href) name = fileURLToPath(name.href)
  if (Buffer.isBuffer(name)) name = String(name)
  if (typeof name !== 'string' || packages.test(name)) return ''
  let file = path.resolve(name)
  try {
    file = realpath(file)
  } catch {
    try { file = path.join(realpath(path.dirname(file)), path.basename(file)) } catch { return '' }
  }
  return packages.test(file) || file.startsWith(out + path.sep) ? '' : file
}

function wrote (name) {
  const file = place(name)
  if (file && now) now.wrote.add(file)
}

function opened (name) {
  const file = place(name)
  if (!file) return
  const by = callers()
  const begun = by.findIndex(f => !f.startsWith('node:') && !/[\\/]graceful-fs[\\/]/.test(f))
  if (by.slice(0, Math.max(begun, 0)).some(f => f.startsWith('node:internal/modules/'))) return // which stays in require.cache
  const loads = begun >= 0 && runtime.test(by[begun])
  if (!loads && begun >= 0 && jest.test(by[begun])) return
  if (now && !now.lost && !now.wrote.has(file)) {
    const at = stat(file, { throwIfNoEntry: false })
    if (at && at.isFile() && at.mtimeMs >= started) lose('it reads what another one wrote')
  }
  if (loads) {
    if (now) now.loads.add(file)
  } else if (source.test(file) && (!now || by.some(f => transforms.test(f)))) {
    all(file)
  } else if (source.test(file)) {
    now.reads.add(file)
  }
}

// writes reports whether flags of open are such.
function writes (flags) {
  return typeof flags === 'number' ? (flags & 3) !== 0 : typeof flags === 'string' && /[wax+]/.test(flags)
}

// ahead has something done before a function of an object is called.
function ahead (of, name, what) {
  const was = of && of[name]
  if (typeof was !== 'function') return
  of[name] = new Proxy(was, { apply (to, self, args) {
    try { what(args, self) } catch (e) { lose('what happens cannot be heard: ' + e) }
    return apply(to, self, args)
  } })
}

for (const at of [fs, fs.promises]) {
  for (const name of ['readFileSync', 'readFile']) ahead(at, name, args => opened(args[0]))
  for (const name of ['openSync', 'open']) ahead(at, name, args => writes(args[1]) ? wrote(args[0]) : opened(args[0]))
  for (const name of ['copyFileSync', 'copyFile', 'cpSync', 'cp', 'renameSync', 'rename']) {
    ahead(at, name, args => {
      opened(args[0])
      wrote(args[1])
    })
  }
  for (const name of ['writeFileSync', 'writeFile', 'appendFileSync', 'appendFile']) ahead(at, name, args => wrote(args[0]))
}

// jest 27 asks, before a test file has a world of its own, what node and watchman can do.
function program () {
  const by = callers().find(f => f && !f.startsWith('node:') && !/[\\/]node_modules[\\/](?:execa|cross-spawn)[\\/]/.test(f))
  if (now && !now.contexts && by && (runtime.test(by) || jest.test(by))) return
  lose('a program is started')
}

// a worker of jest is told to load this file, too; it is none that a test starts.
ahead(children.ChildProcess.prototype, 'spawn', ([options]) => {
  const args = (options && options.args) || []
  const at = args.findIndex(a => /[\\/]jest-worker[\\/]build[\\/](?:.*[\\/])?processChild\.js$/.test(a))
  if (at > 0 && !(now && now.contexts)) args.splice(at, 0, '--require', __filename)
  else program()
})
for (const name of ['spawnSync', 'execSync', 'execFileSync']) ahead(children, name, program)
threads.Worker = new Proxy(threads.Worker, { construct (to, args, self) {
  lose('a thread begins')
  return construct(to, args, self)
} })

ahead(net.Server.prototype, 'listen', (_, server) => servers.add(new WeakRef(server)))
ahead(net.Socket.prototype, 'connect', args => {
  if (!now || now.lost) return
  const one = Array.isArray(args[0]) ? args[0][0] : args[0]
  const port = one && typeof one === 'object' ? one.port : one
  const own = [...servers].some(ref => {
    const server = ref.deref(), at = server && server.address()
    return at && typeof at === 'object' && at.port === Number(port)
  })
  if (!own || one && one.path) lose('it asks another process')
})
ahead(require('node:dgram').Socket.prototype, 'send', () => lose('it asks another process'))

function looked (text) { if (/\bcov_[0-9a-z]+\b/.test(text)) lose('it looks at the text of a function') }

// drawn: what a package draws while it is loaded names something, and decides nothing, and
// so does what sorts the places of a source map.
function drawn () {
  if (!now || now.lost) return
  const by = callers().filter(f => f && !f.startsWith('node:'))
  if (by.some(f => /[\\/]node_modules[\\/]source-map(?:-support)?[\\/]/.test(f))) return
  const end = by.findIndex(f => runtime.test(f) || !packages.test(f))
  if (end < 0 || !runtime.test(by[end]) || by.some(f => generators.test(f))) lose('it draws by chance')
}

const inside = new vm.Script('(' + function (looked, drawn) {
  const { apply } = Reflect
  const put = (of, name, after) => {
    const how = Object.getOwnPropertyDescriptor(of, name)
    Object.defineProperty(of, name, { ...how, value: new Proxy(how.value, { apply (to, self, args) {
      const said = apply(to, self, args)
      after(said)
      return said
    } }) })
  }
  put(Function.prototype, 'toString', looked)
  put(Math, 'random', drawn)
} + ')')
vm.createContext = new Proxy(vm.createContext, { apply (to, self, args) {
  const context = apply(to, self, args)
  try {
    inside.runInContext(context)(looked, drawn)
    if (now) now.contexts++
  } catch (e) {
    lose('what happens cannot be heard: ' + e)
  }
  return context
} })

// key is a place as one number; 0 is none.
function key (at) {
  return at && at.line > 0 && at.column >= 0 && at.column < 100000 ? at.line * 100000 + at.column : 0
}

// outermost are the entered functions that lie in the body of no other one; null where the
// places are those of another text.
function outermost (file) {
  if (file.inputSourceMap) return null
  const bodies = []
  for (const i of Object.keys(file.fnMap)) {
    const { start, end } = file.fnMap[i].loc
    if (!key(start) || !key(end)) return null
    bodies.push([key(start), key(end), file.f[i] > 0])
  }
  bodies.sort((a, b) => a[0] - b[0] || b[1] - a[1])
  const entered = []
  let end = 0
  for (const [start, stop, ran] of bodies) {
    if (start < end) continue
    end = stop
    if (ran) entered.push(start)
  }
  return entered
}

function outside () {
  const loaded = Object.keys(require.cache).filter(name => !packages.test(name) && !name.startsWith(out + path.sep) && !shared.has('loaded ' + name))
  for (const name of loaded) shared.add('loaded ' + name)
  if (loaded.length > 0) say({ before: loaded })
}

function finish (result) {
  const note = now
  if (!note || !note.contexts) return
  now = null
  outside()
  const entered = {}
  for (const name of Object.keys(result.coverage || {})) {
    const places = outermost(result.coverage[name])
    if (places) {
      entered[name] = places
      note.loads.delete(name)
    } else {
      note.loads.add(name)
    }
  }
  const again = (result.testResults || []).some(t => t.status === 'failed' || t.invocations > 1 || (t.retryReasons || []).length > 0)
  if (again || result.testExecError || result.failureMessage || result.numFailingTests > 0) note.lost = note.lost || 'it failed'
  if (!result.coverage) note.lost = note.lost || 'nothing of it is counted'
  note.loads.delete(note.unit)
  note.reads.delete(note.unit)
  say({ unit: note.unit, entered, reads: [...note.loads, ...note.reads], lost: note.lost })
}

if (process.send) { // a worker of jest is told by messages what to run
  const at = process.execArgv.indexOf(__filename)
  if (at > 0) process.execArgv.splice(at - 1, 2)
  ahead(process, 'emit', ([event, m]) => {
    const told = event === 'message' && Array.isArray(m) && m[0] === 1 && m[3] && m[3][0]
    if (told && told.globalConfig && typeof told.path === 'string') begin(told.path)
  })
  ahead(process, 'send', ([m]) => {
    if (Array.isArray(m) && m[0] === 0 && m[1] && now && m[1].testFilePath === now.unit) finish(m[1])
  })
}

// apart are the files of the project that a configuration has jest load for itself: what of
// them is no module of CommonJS, and what it imports in turn, is not seen.
function apart (global, config) {
  const names = [config.testEnvironment, config.runner, config.testRunner, config.resolver, config.globalSetup, config.globalTeardown, config.snapshotResolver, config.dependencyExtractor,
    config.runtime, config.prettierPath, (config.haste || {}).hasteImplModulePath, global.testSequencer, global.globalSetup, global.globalTeardown, global.testResultsProcessor, global.filter,
    ...(config.transform || []).map(t => t[1]), ...(global.reporters || []).map(r => r[0])]
  return names.filter(n => typeof n === 'string' && path.isAbsolute(n) && !packages.test(n)).map(n => { try { return realpath(n) } catch { return n } })
}

// unknown says why nothing is known of a run.
function unknown (global, contexts, results) {
  const projects = [...contexts].map(c => c.config)
  if (/--(?:import|loader|experimental-loader)\b/.test([...process.execArgv, process.env.NODE_OPTIONS].join(' '))) return 'code is loaded that is not seen'
  if (global.coverageProvider && global.coverageProvider !== 'babel') return 'functions are not counted'
  if (global.randomize || global.workerThreads || global.bail) return 'tests run in another way each time'
  if (projects.length !== 1) return 'there are several projects'
  if (!/[\\/]node_modules[\\/]jest-runner[\\/]/.test(projects[0].runner)) return 'another one runs the tests'
  if (results.wasInterrupted || results.runExecError) return 'the run did not end'
  return ''
}

exports.main = function (program) {
  const { createRequire } = require('node:module')
  const core = createRequire(createRequire(realpath(program)).resolve('@jest/core'))
  const reporter = core('@jest/reporters').CoverageReporter.prototype
  const first = (name, what) => {
    const was = reporter[name]
    reporter[name] = function (...args) {
      try { apply(what, this, args) } catch (e) { say({ unknown: String(e) }) }
      return was && apply(was, this, args)
    }
  }
  first('onTestStart', test => begin(test.path))
  first('onTestResult', (test, result) => {
    if (now && now.unit === test.path) finish(result)
  })
  first('onRunComplete', function (contexts, results) {
    now = null
    outside()
    const why = unknown(this._globalConfig, contexts, results)
    say({ units: results.testResults.map(r => r.testFilePath), unknown: why, apart: why ? [] : apart(this._globalConfig, [...contexts][0].config) })
  })
}
`
