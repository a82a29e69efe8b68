// Package steering notes which files have a hand in what becomes of tests that know nothing
// of them. Start at [Watch], which our programs in the runners have, and [Read], which
// reads what they noted.
package steering

// Watch shows it in the runner itself, whatever led to it: the functions of hooks, of
// fixtures that nobody asks for, what was put into the modules that judge, and what the
// classes above a test, in other files, or its own object have in the place of what unittest
// and Python do for it. What is only set up there is left out. Another pytest keeps some of
// it in other places, and what cannot be asked hides nothing but itself.
const Watch = `import functools, json, os, sys, types, unittest

steering = set()

def qa_trace_note(function):
    for _ in range(9):
        if isinstance(function, (types.MethodType, staticmethod, classmethod)):
            function = function.__func__
        elif isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, property):
            function = function.fget
        elif isinstance(function, types.FunctionType):
            if not function.__code__.co_filename.startswith("<"):
                steering.add(os.path.abspath(function.__code__.co_filename))
            function = vars(function).get("__wrapped__")
        else:
            function = vars(type(function)).get("__call__")

def qa_trace_all(of, note):
    try:
        for one in list(of()):
            try:
                note(one)
            except Exception:
                pass
    except Exception:
        pass

def qa_trace_module(entry):
    name, module = entry
    if name.partition(".")[0] in ("pytest", "_pytest", "pluggy", "unittest"):
        for value in list(vars(module).values()):
            qa_trace_all(lambda: [value], qa_trace_note)
            if isinstance(value, type):
                qa_trace_all(lambda: vars(value).values(), qa_trace_note)

qa_trace_classes = set()
qa_trace_set_up = ("setUp", "tearDown", "setUpClass", "tearDownClass", "asyncSetUp", "asyncTearDown", "id", "shortDescription")

def qa_trace_file(cls):
    return os.path.abspath(sys.modules[cls.__module__].__file__)

def qa_trace_judges(cls, name):
    if name in qa_trace_set_up or name.startswith("__") and name not in ("__call__", "__new__", "__getattribute__", "__init_subclass__"):
        return False
    of = getattr(unittest, "IsolatedAsyncioTestCase", unittest.TestCase) if issubclass(cls, unittest.TestCase) else object
    return hasattr(of, name) or name == "__call__"

def qa_trace_class(cls):
    if cls in qa_trace_classes:
        return
    qa_trace_classes.add(cls)
    def note(base):
        meta = issubclass(base, type)
        own = [value for name, value in list(vars(base).items()) if meta or
               qa_trace_judges(cls, name) and (callable(getattr(base, name)) or isinstance(value, property))]
        qa_trace_all(lambda: own, qa_trace_note)  # whatever module a class calls its own
        if meta or own:
            steering.add(qa_trace_file(base))
    heap = 1 << 9  # a type that Python itself does not bring
    qa_trace_all(lambda: [base for base in cls.__mro__ + type(cls).__mro__ if base.__flags__ & heap], note)

def qa_trace_hands(test):
    qa_trace_class(type(test))
    yield from [value for name, value in vars(test).items() if callable(value) and (
        name == getattr(test, "_testMethodName", "") or qa_trace_judges(type(test), name))]
    yield from [one for one in getattr(test, "_type_equality_funcs", {}).values() if not isinstance(one, str)]

# What a file of tests does to its own is the tests'.
def qa_trace_test(test):
    before = set(steering)
    qa_trace_all(lambda: qa_trace_hands(test), qa_trace_note)
    qa_trace_all(lambda: {qa_trace_file(type(test))} - before, steering.discard)

def qa_trace_tell(out):
    qa_trace_all(sys.modules.items, qa_trace_module)
    with open(os.path.join(out, "steers-%d.json" % os.getpid()), "w") as f:
        json.dump(sorted(steering), f)
`
