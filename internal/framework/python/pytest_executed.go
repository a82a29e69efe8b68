package python

// executedPlugin is the name of the plugin that notes what each test file executes.
const executedPlugin = "qa_executed"

// executedPython notes which functions each test file enters. The suite itself runs as
// ever; when it is over, a copy of the process from before its first test runs it again:
// once as it was, and each test file in one more copy, alone, so that no file finds what
// another one left, such as a cache that is filled. What both see counts together. What was
// entered before the first test belongs to all files. Said are, too: files of which not all
// can be known, as they start programs, threads that nobody follows or another trace
// function, draw by chance, or end otherwise alone than with the others; who reads a source
// as text; and why nothing at all is known. Nothing is until all of it is over.
const executedPython = `import _thread, gc, json, linecache, os, random, select, signal, sys, threading, time
import pytest, qa_shared
from unittest import TestCase

limit = float(os.environ.get("QA_EXECUTED_SECONDS") or 0)
root, out, library = os.getcwd(), os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.__file__)
programs = {"subprocess.Popen", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.system", "socket.connect", "cpython.PyInterpreterState_New"}
readers = ("pathlib", "pathlib._local", "pathlib._abc", "tokenize", "codecs", "io", "linecache", "inspect", __name__)


class Note:
    def __init__(self, name, test=""):
        self.name, self.test, self.seen, self.reads, self.outcomes, self.scopes = name, test, {}, set(), {}, set()
        self.unknown = self.whole = ""  # why not all of the test, of the file is known


everybody = Note("")  # what happens before the first test
now, apart = everybody, False
outcomes, written, links, at, started = {}, set(), {}, {}, time.time() - 0.05


def entered(frame, event, arg):
    note, code = now, frame.f_code
    if note is not None and id(code) not in note.seen:
        note.seen[id(code)] = code


def called_by(frame, names):
    while frame is not None and frame.f_globals.get("__name__") in names:
        frame = frame.f_back
    return (frame.f_globals.get("__name__") or "") if frame is not None else ""


def lose(why, whole=False):
    now.unknown = now.unknown or why
    if whole:
        now.whole = now.whole or why


def opened(path, mode, flags, frame):
    if not isinstance(path, (str, bytes)):
        return
    name, called = os.path.realpath(os.fsdecode(path)), os.path.abspath(os.fsdecode(path))
    if name != called:
        links[called] = name
    if isinstance(mode, str) and set("wax+") & set(mode) or flags & (os.O_WRONLY | os.O_RDWR):
        written.add(name)
    elif apart and not os.path.exists(name):
        written.add(name)
    elif apart and name not in written and os.path.isfile(name) and os.stat(name).st_mtime >= started:
        lose("it reads what another one wrote", True)
    if name.endswith(".py") and not called_by(frame, readers).startswith(("importlib._bootstrap", "_frozen_importlib", "_pytest.assertion", "doctest")):
        if own(name):
            now.reads.add(name)


def heard(event, args):
    if now is None:
        return
    try:
        if event == "open":
            opened(args[0], args[1], args[2] or 0, sys._getframe(1))
        elif event == "os.rename" and os.path.realpath(os.fsdecode(args[0])) in written:
            written.add(os.path.realpath(os.fsdecode(args[1])))
        elif event == "sqlite3.connect" and args[0] != ":memory:":
            opened(args[0], "r", 0, sys._getframe(1))
        elif event in programs:
            if called_by(sys._getframe(1), ("subprocess", "os")) not in ("platform", "ctypes.util", "uuid"):
                lose("a program is started, or another one asked: " + event)
        elif event in (("sys.settrace", "sys.monitoring.register_callback") if apart else ("sys.setprofile", "sys.monitoring.register_callback")[tool is not None:]):
            if sys._getframe(1).f_globals.get("__name__") not in ("threading", "doctest", __name__):  # doctest puts back what it found
                lose("another trace function is set")
    except Exception as e:
        lose("what happens cannot be heard: %s" % e, True)


def unit(item):
    at = getattr(item, "path", None) or item.fspath
    return os.path.relpath(os.path.realpath(str(at)), os.path.realpath(root)).replace(os.sep, "/")


def pytest_runtest_logreport(report):
    (now.outcomes if apart else outcomes).setdefault(report.nodeid, []).append(report.outcome)


` + namedPython + `

@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef, request):
    if apart and now is not None and fixturedef.scope != "function" and fixturedef.argname not in ("tmp_path_factory", "tmpdir_factory", "pytestconfig", "doctest_namespace", "record_testsuite_property"):
        kind = getattr(request, "cls", None)
        if fixturedef.argname.startswith("_unittest_setUpClass_fixture") and all(getattr(getattr(kind, name, None), "__func__", kind) is getattr(TestCase, name).__func__ for name in ("setUpClass", "tearDownClass")):
            return  # which do nothing
        now.scopes.add("%s %s" % (fixturedef.baseid, fixturedef.argname))


watch = getattr(sys, "monitoring", None)  # which says each function once, and costs little
tool = None
if watch is not None:
    tool = next((i for i in (4, 3, 0, 5, 2, 1) if watch.get_tool(i) is None), None)


def begun(code, at):
    note = now
    if note is not None:
        note.seen[id(code)] = code
    return watch.DISABLE


def thrown(code, at, error):
    if now is not None:
        now.seen[id(code)] = code


def follow():
    """Has what is entered from now on noted."""
    if tool is None:
        threading.settrace(entered)
        sys.settrace(entered)
        return
    events = watch.events
    if watch.get_tool(tool) != __name__:
        watch.use_tool_id(tool, __name__)
        watch.register_callback(tool, events.PY_START, begun)
        watch.register_callback(tool, events.PY_RESUME, begun)
        watch.register_callback(tool, events.PY_THROW, thrown)
        watch.set_events(tool, events.PY_START | events.PY_RESUME | events.PY_THROW)
    watch.restart_events()


def unfollow():
    """Has nothing noted any more: the suite itself runs as ever."""
    if tool is None:
        sys.setprofile(None)
        threading.setprofile(None)
    else:
        watch.set_events(tool, 0)
        for event in (watch.events.PY_START, watch.events.PY_RESUME, watch.events.PY_THROW):
            watch.register_callback(tool, event, None)
        watch.free_tool_id(tool)


def followed():
    if tool is None:
        return sys.gettrace() is entered and threading._trace_hook is entered
    events = watch.events
    return watch.get_tool(tool) == __name__ and watch.get_events(tool) == events.PY_START | events.PY_RESUME | events.PY_THROW


def run(items):
    """Runs tests in this copy of the process and gives a note for each of them."""
    global now
    notes = {}
    chance = random.getstate()
    for item, then in zip(items, items[1:] + [None]):
        now = None
        follow()
        now = notes.setdefault(item.nodeid, Note(unit(item), named(item)))
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            lose("it draws its cases by chance")
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=then)
        if not followed():
            lose("another trace function is set", tool is not None)
        if random.getstate() != chance:
            lose("it draws by chance")
            chance = random.getstate()
    gc.collect()
    if len(sys._current_frames()) > 1:
        lose("a thread goes on", True)
    if {"greenlet", "numba", "multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver"} & set(sys.modules):
        lose("code runs that is not seen", True)
    now = None
    sys.settrace(None)
    return notes


def own(name):
    return not name.startswith(("<", library + os.sep, out + os.sep)) and "-packages" + os.sep not in name


def place(called):
    if called not in at:
        name = os.path.join(root, called)
        at[called] = own(called) and (links.get(name) or os.path.realpath(name))
    return at[called]


def places(seen):
    """Where functions begin: file and line."""
    out = set()
    for code in seen.values():
        name = place(code.co_filename)
        if name:
            out.add((name, 0 if code.co_name == "<module>" else code.co_firstlineno))
    return out


def loaded():
    for module in list(sys.modules.values()):
        at = getattr(module, "__file__", None)
        if isinstance(at, str) and own(at):
            yield os.path.realpath(at)


before = list(loaded())  # what they executed was not seen


` + executedAlone + `
def say(what):
    with open(os.path.join(out, "executed-%d.json" % os.getpid()), "w") as f:
        json.dump(what, f)


start = _thread.start_new_thread


def followed_by_nobody(*args):
    if now is not None:
        lose("a thread begins that nobody follows")
    return start(*args)


def prepare(config):
    """Makes this copy of the process one that only notes."""
    terminal, capture = config.pluginmanager.getplugin("terminalreporter"), config.option.capture
    with open(os.devnull, "w") as nothing:
        if terminal is not None:
            terminal._tw._file = os.fdopen(os.dup(nothing.fileno()), "w")
        if capture != "fd":
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
    if config.pluginmanager.getplugin("_cov") is not None:
        config.pluginmanager.unregister(name="_cov")  # which measures in each copy, else
    for name in list(linecache.cache):  # so that who asks for one reads it
        if name.endswith(".py") and os.path.isfile(name):
            linecache.cache.pop(name, None)
    for module in [m for m in list(sys.modules.values()) if m is not threading]:  # which follows its own
        for name in [name for name, value in list(getattr(module, "__dict__", {}).items()) if value is start and module.__name__ != __name__]:
            setattr(module, name, followed_by_nobody)
    sys.settrace(None)  # of who measures
    threading.settrace(None)
    for i in range(6 if watch is not None else 0):
        if watch.get_tool(i) is not None:
            watch.set_events(i, 0)
    if hasattr(gc, "freeze"):
        gc.freeze()


def begin(session):
    """Makes the copy that waits, and gives the pipes by which it is told to go on, and says that it is over."""
    unfollow()
    if not hasattr(os, "fork") or limit <= 0 or len(sys._current_frames()) > 1 or everybody.unknown:
        return None
    if hasattr(session.config, "workerinput") or getattr(session.config.option, "dist", "no") != "no":
        return None
    if len({unit(item) for item in session.items}) < 2:
        return None
    go, tell = os.pipe()
    hear, over = os.pipe()
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        os.close(go)
        os.close(over)
        return tell, hear
    try:
        os.close(tell)
        os.close(hear)
        if os.fork() == 0:  # no child of the process that tests see
            with os.fdopen(go) as f:
                whole = f.read()
            if whole:
                prepare(session.config)
                record(session.items, json.loads(whole), time.monotonic() + limit)
                os.write(over, b".")
    finally:
        os.kill(os.getpid(), signal.SIGKILL)


def finish(tell, hear):
    with os.fdopen(tell, "w") as f:
        json.dump(outcomes, f)
    select.select([hear], [], [], limit + 5)
    os.close(hear)


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtestloop(session):
    global now
    if sys.getprofile() is not entered if tool is None else not followed():
        lose("another profile function is set")
    waiting, now = None, None
    try:
        waiting = begin(session)
    except Exception:
        pass
    yield
    if waiting is not None:
        try:
            finish(*waiting)
        except Exception:
            pass


try:
    sys.addaudithook(heard)
    if tool is None:
        threading.setprofile(entered)
        sys.setprofile(entered)
    else:
        follow()
except Exception as e:
    lose("what happens cannot be heard: %s" % e)
`
