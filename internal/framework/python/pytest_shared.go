package python

// sharedPlugin is the name of the module that tells whether a test left something behind.
const sharedPlugin = "qa_shared"

// sharedPython tells whether a test left anything behind in the modules beside it, which are
// those of its folder and conftest.py: what one test leaves there, another one may find,
// which then does not depend on what it enters itself alone. Two walks over all that the modules hold are compared, by identity;
// what was there stays alive between them, so that no new object gets the place of an old
// one. Nothing of the project is asked, so none of its code runs. What cannot be looked into,
// such as a generator, may change unseen: the tests of a file beside which there is such a
// thing are not known one by one. What a lru_cache holds does not count: who finds
// it filled has filled it himself where he ran alone.
const sharedPython = `import collections, enum, functools, logging, opcode, os, sys, types, weakref

most = 60000
aside = {"__builtins__", "__warningregistry__", "__spec__", "__loader__", "__cached__", "@py_builtins", "@pytest_ar", "_abc_impl", "__slotnames__", "_classSetupFailed", "_class_cleanups", "tearDown_exceptions", "__annotations__", "__annotations_cache__", "__annotate__", "__annotate_func__", "__doc__", "__dict__", "__weakref__"}
plain = {int, float, complex, bool, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range, slice, types.CodeType, types.BuiltinFunctionType,
    types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType, types.MethodWrapperType,
    functools._lru_cache_wrapper, collections._tuplegetter, weakref.ref, logging.Logger, type(__import__("_thread").allocate_lock()), type(__import__("_thread").RLock()), types.GenericAlias}
library = {"re", "decimal", "fractions", "datetime", "uuid", "pathlib", "pathlib._local", "typing", "zoneinfo", "ipaddress", "_pytest.mark.structures", "_pytest.fixtures", "_pytest.assertion.rewrite"}
holders = (dict, list, tuple, set, frozenset, collections.deque)
instance, module_of = type.__dict__["__dict__"].__get__, type.__dict__["__module__"].__get__


def python_made(kind):
    names = instance(kind)
    return bool(kind.__flags__ & 1 << 9) and ("__dict__" in names or "__slots__" in names or kind.__base__ is not None and python_made(kind.__base__))


stores = [opcode.opmap[name] for name in ("STORE_GLOBAL", "DELETE_GLOBAL")]


class Opaque(Exception):
    pass


def attributes(o, kind):
    for member in kinds[kind][2]:
        try:
            yield member.__get__(o)
        except AttributeError:
            yield None


kinds = {}


def kind_of(kind):
    """Whose items an object of a kind has, whether its kind is made in Python, and where its attributes are."""
    holder = next((h for h in holders if issubclass(kind, h)), None)
    made = python_made(kind)
    if holder is None and (not made or not all(c is object or python_made(c) for c in kind.__mro__ if module_of(c) not in ("typing", "abc", "collections.abc", "enum"))):
        raise Opaque(kind)
    members = [m for c in kind.__mro__ for name, m in list(instance(c).items()) if type(m) is types.MemberDescriptorType or name == "__dict__" and type(m) is types.GetSetDescriptorType]
    return holder, made, members if made else []


def parts(o, own):
    """What an object holds; None of what holds nothing that changes."""
    kind = type(o)
    if kind in plain or module_of(kind) in library:
        return None
    if kind is types.ModuleType or isinstance(o, types.ModuleType) or enum.Enum in kind.__mro__:
        return None
    if isinstance(o, type):
        if module_of(o) not in own:
            return None
        return [x for name, value in list(instance(o).items()) if name not in aside for x in (name, value)]
    if kind is types.FunctionType:
        return [o.__dict__, o.__defaults__, o.__kwdefaults__, o.__closure__] if o.__module__ in own else None
    if kind is types.GeneratorType and o.gi_frame is None:  # it has ended
        return None
    if kind is types.CellType:
        try:
            return [o.cell_contents]
        except ValueError:
            return []
    if kind is types.MethodType:
        return [o.__self__, o.__func__]
    if kind is property:
        return [o.fget, o.fset, o.fdel]
    if kind in (staticmethod, classmethod):
        return [o.__func__]
    if kind is functools.partial:
        return [o.func, o.args, o.keywords]
    if kind is types.MappingProxyType:
        return [x for kv in o.items() for x in kv]
    if kind not in kinds:
        kinds[kind] = kind_of(kind)
    holder, made, _ = kinds[kind]
    out = list(attributes(o, kind))
    if holder is dict:
        out += [x for kv in dict.items(o) for x in kv]
    elif holder is not None:
        out += holder.__iter__(o)
    return out


def walk(modules, first=False):
    """All that modules hold, by identity; None where it is too much, or cannot be looked into."""
    seen, kept = {}, []
    own = {name for name, _, _ in modules}
    queue = []
    for name, module, _ in modules:
        held = [(k, v) for k, v in list(vars(module).items()) if k not in aside and not isinstance(v, types.ModuleType)]
        seen[name] = [id(x) for kv in held for x in kv]
        kept.append(held)
        queue.extend(v for _, v in held)
    try:
        while queue:
            o = queue.pop()
            if id(o) in seen:
                continue
            inner = parts(o, own)
            if inner is None:
                seen[id(o)] = None
                continue
            seen[id(o)] = [id(x) for x in inner]
            kept.append((o, inner))
            if first and type(o) is types.FunctionType and rebinds(o.__code__):
                return None
            queue.extend([x for x in inner if type(x) not in plain])
            if len(seen) > most:
                return None
    except Exception:
        return None
    return seen, kept


def rebinds(code):
    """Whether a function gives a name of its module another value, be it an equal one."""
    return any(op in code.co_code[::2] for op in stores) or any(rebinds(c) for c in code.co_consts if type(c) is types.CodeType)


def modules(own):
    """The modules of the project."""
    out = []
    for name, module in list(sys.modules.items()):
        at = getattr(module, "__file__", None)
        if type(module) is types.ModuleType and isinstance(at, str) and own(at):
            out.append((name, module, os.path.realpath(at)))
    return out
`
