package python

import "github.com/org/qa-action/internal/framework/python/steering"

// unittestProgram is the name of the runner, and what unittest shows as its own.
const unittestProgram = "qa_unittest.py"

// unittestRunner runs the tests that "python -m unittest" would run with the same
// arguments, and writes JUnit XML with file and line. Selected tests are picked
// from what is found, so that they are the same whatever way they are found. A
// program of the repository that runs unittest by itself runs as it is.
// Whole classes are shuffled, and the tests in them: a class is set up once.
const unittestRunner = steering.Watch + `
import inspect, random, time, traceback
from xml.sax.saxutils import escape, quoteattr

told = json.loads(sys.argv[1])
home, start = os.path.dirname(os.path.abspath(__file__)), os.getcwd()
told["report"] = os.path.abspath(told["report"])
if told.get("coverage"):
    told["coverage"] = os.path.abspath(told["coverage"])
sys.path[0] = start
cover = None
if told.get("coverage"):
    import coverage
    cover = coverage.Coverage(source=told.get("sources") or None)
    cover.start()


# A test whose class has but one method goes by its id: one of doctest by what it is an
# example of, a function by its name. Many of one name would be taken for one another.
def titled(test):
    own = type(test).__module__ + "." + type(test).__qualname__ + "."
    try:
        known = str(test.id())
    except Exception:
        return test._testMethodName
    return known[len(own):] if known.startswith(own) else known


def place(test):
    try:
        example, function = getattr(test, "_dt_test", None), getattr(test, "_testFunc", None)
        if example is not None:
            return os.path.relpath(example.filename, start), (example.lineno or 0) + 1
        if function is not None:
            return os.path.relpath(inspect.getsourcefile(function), start), function.__code__.co_firstlineno
        cls = type(test)
        method = getattr(cls, test._testMethodName)
        file = inspect.getsourcefile(inspect.unwrap(method)) or ""
        module = sys.modules[cls.__module__].__file__ or ""
        line = inspect.unwrap(method).__code__.co_firstlineno
        if os.path.abspath(file) != os.path.abspath(module):
            file, line = module, 0  # an inherited test belongs to the module that runs it
        return os.path.relpath(file, start), line
    except Exception:
        return "", 0


def wanted(test):
    file, _ = place(test)
    file = file.replace(os.sep, "/")
    for one in told["only"]:
        if one["file"] and one["file"] != file:
            continue
        if one.get("class") and one["class"] != type(test).__qualname__:
            continue
        if one.get("name") and one["name"] != titled(test):
            continue
        return True
    return False


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


# No row keeps its test: unittest lets go of each when it is over, and a suite may
# count on what goes with it. rows are all in their order, running those that began.
rows, running = [], {}


def noted(test):
    is_case = isinstance(test, unittest.TestCase)
    row = {"failed": isinstance(test, unittest.loader._FailedTest), "case": is_case, "shown": str(test), "place": place(test),
           "kind": "", "bad": [], "message": [], "seconds": 0.0}
    if is_case:
        row.update(name=titled(test), module=type(test).__module__, owner=type(test).__qualname__)
    rows.append(row)
    return row


# A coroutine or a generator is only made by a class that does nothing with what a test
# gives back, and no line of it runs.
def only_made(test):
    kind, method = type(test), getattr(test, getattr(test, "_testMethodName", ""), None)
    plain = all(getattr(kind, name, 0) is getattr(unittest.TestCase, name, 1) for name in ("run", "__call__", "_callTestMethod"))
    return plain and (inspect.iscoroutinefunction(method) or inspect.isgeneratorfunction(method) or inspect.isasyncgenfunction(method))


class Rows:
    def row(self, test):
        return running.get(id(test)) or noted(test)

    def startTest(self, test):
        super().startTest(test)
        row = running[id(test)] = noted(test)
        row["began"] = time.time()

    def stopTest(self, test):
        super().stopTest(test)
        qa_trace_test(test)
        row = running.pop(id(test), None)
        if row:
            row["seconds"] = time.time() - row["began"]

    def bad(self, test, kind, err, prefix=""):
        row = self.row(test)
        row["kind"] = "error" if "error" in (kind, row["kind"]) else kind
        said = prefix + "".join(traceback.format_exception_only(err[0], err[1])).strip()
        told_by = getattr(self, "_exc_info_to_string", None)
        row["bad"].append((said, prefix + (told_by(err, test) if told_by else "".join(traceback.format_exception(*err)))))

    def addSuccess(self, test):
        super().addSuccess(test)
        if only_made(test):
            self.row(test).update(kind="skipped", message=["it was not run: nobody awaits what it gives back; it belongs into a class of unittest.IsolatedAsyncioTestCase"])

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.bad(test, "failure", err)

    def addError(self, test, err):
        super().addError(test, err)
        self.bad(test, "error", err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            kind = "failure" if issubclass(err[0], test.failureException) else "error"
            self.bad(test, kind, err, "subtest " + subtest._subDescription().replace(": ", ":") + ": ")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        row = self.row(test)
        row["kind"] = row["kind"] or "skipped"
        row["message"].append(str(reason))

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.row(test)["kind"] = "skipped"
        self.row(test)["message"].append("fails as it is expected to")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.row(test)["kind"] = "failure"
        self.row(test)["bad"].append(("passed although it is expected to fail", ""))


def printable(text):
    return "".join(c if c in "\t\n" or c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff" else "?" for c in text)


def write():
    out = []
    for row in rows:
        attrs, kind = {}, row["kind"]
        bad = row["bad"][:200] or [("\n".join(row["message"]), "")]
        if row["failed"]:
            attrs, kind, bad = {"classname": "", "name": row["name"]}, "error", [("collection failure", "\n".join(text for _, text in bad))]
        elif row["case"]:
            file, line = row["place"]
            module = row["module"]
            if module == "__main__":
                module = os.path.splitext(file)[0].replace(os.sep, ".")
            if module in ("doctest", "unittest.case"):  # its file is another one
                module = ""
            attrs = {"classname": (module + "." + row["owner"]).lstrip("."), "name": row["name"], "file": file, "line": line}
        elif kind == "skipped":
            attrs = {"classname": "", "name": row["shown"]}
        else:  # the set-up of a class or a module
            attrs, bad = {"classname": "", "name": row["shown"]}, [("collection failure", "\n".join(text for _, text in bad))]
        head = " ".join("%s=%s" % (k, quoteattr(printable(str(v)))) for k, v in attrs.items())
        body = ""
        for message, text in bad if kind else []:
            body += "<%s message=%s>%s</%s>" % (kind, quoteattr(printable(message)), escape(printable(text)), kind)
        out.append('<testcase %s time="%.6f">%s</testcase>' % (head, row["seconds"], body))
    with open(told["report"], "w", encoding="utf-8") as f:
        f.write('<?xml version="1.0" encoding="utf-8"?>\n<testsuites><testsuite name="unittest" tests="%d">%s</testsuite></testsuites>\n' % (len(out), "\n".join(out)))


def chosen(suite):
    if not told.get("only") and not told.get("shuffle"):
        return suite
    tests = list(flat(suite))
    if told.get("only"):
        tests = [t for t in tests if isinstance(t, unittest.loader._FailedTest) or wanted(t)]
    if told.get("shuffle"):
        order = random.Random(told.get("seed", 0))
        classes = {}
        for t in tests:
            classes.setdefault(type(t), []).append(t)
        groups = list(classes.values())
        order.shuffle(groups)
        for group in groups:
            order.shuffle(group)
        tests = [t for group in groups for t in group]
    return unittest.TestSuite(tests)


# Whatever runner and result the tests are given, what comes of them is noted in
# between: a program of the repository may bring its own of both, and nose2's result is
# none of unittest's.
began, called = unittest.TextTestRunner.run, unittest.suite.BaseTestSuite.__call__


def run(self, suite):
    try:
        return began(self, chosen(suite))
    finally:
        write()


def call(self, result, *args, **kwargs):
    kind = type(result)
    if hasattr(result, "addFailure") and not isinstance(result, Rows):
        result.__class__ = type(kind.__name__, (Rows, kind), {})
    return called(self, result, *args, **kwargs)


unittest.TextTestRunner.run, unittest.suite.BaseTestSuite.__call__ = run, call


def loaded():
` + loadedModules + `    with open(os.path.join(home, "loaded-%d.json" % os.getpid()), "w") as f:
        json.dump(seen, f)
    qa_trace_tell(home)


code = 1
try:
    if told.get("main"):
        import runpy
        if sys.argv[2] == "-m":
            sys.argv = sys.argv[3:]
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        else:
            sys.argv = sys.argv[2:]
            sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
            runpy.run_path(sys.argv[0], run_name="__main__")
        code = 0
    else:
        program = unittest.main(module=None, argv=["python -m unittest"] + sys.argv[2:], exit=False)
        code = 0 if program.result.wasSuccessful() else 1
        if program.result.testsRun == 0 and not program.result.skipped and code == 0 and sys.version_info >= (3, 12):
            code = 5  # as unittest itself ends
except SystemExit as end:
    code = end.code
finally:
    if rows:
        write()
    if cover is not None:
        cover.stop()
        cover.save()
        try:
            cover.json_report(outfile=told["coverage"])
        except coverage.exceptions.CoverageException as none:
            print(none, file=sys.stderr)
    loaded()
sys.exit(code)
`
