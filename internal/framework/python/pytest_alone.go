package python

// executedAlone is the part of the plugin that runs copies of the process and puts together
// what they say: the whole suite, each file alone, and each test of a file alone, as long as
// there is time. A test that ran alone has set up all that it needs, of whatever scope, and
// found nothing that another one left. The tests of a file are known one by one where they
// end alone as ever, leave nothing behind in modules beside them, share no fixture that
// outlives a test, and enter nothing beside others that they do not enter alone; those that
// share a fixture count as one.
const executedAlone = `def copy(items, until, look=None):
    """What another copy of the process says of some tests; None where it did not end."""
    global apart
    answer = os.path.join(out, "executed.tmp")
    pid = os.fork()
    if pid == 0:
        try:
            apart = True
            notes, seen, keys = run(items), {}, []
            for n in notes.values():
                keys.append([seen.setdefault(p, len(seen)) for p in places(n.seen)])
            left = look is not None and qa_shared.walk(look[0])
            left = look is not None and (not left or left[0] != look[1])
            with open(answer, "w") as f:
                json.dump([list(seen), [[n.name, n.test, k, sorted(n.reads), n.unknown, n.whole, sorted(n.scopes), n.outcomes] for n, k in zip(notes.values(), keys)], left], f)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)  # and nothing that waits for an end
    pause = 0.0005
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        if time.monotonic() > until:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise TimeoutError
        time.sleep(pause)
        pause = min(pause * 1.2, 0.005)
    try:
        with open(answer) as f:
            seen, notes, left = json.load(f)
        os.unlink(answer)
    except (OSError, ValueError):
        return None
    seen = [tuple(p) for p in seen]
    return [[name, test, {seen[k] for k in keys}] + more for name, test, keys, *more in notes], left


class Unit:
    """A test file, and what is known of it."""

    def __init__(self, name, items):
        self.name, self.items, self.always, self.whole, self.reads = name, items, False, "", set()
        self.seen, self.alone, self.scopes = {named(item): set() for item in items}, {}, {}
        self.unknown, self.apart = set(), False

    def hear(self, test, seen, reads, unknown, whole, scopes, ended, all):
        self.seen[test] |= seen
        self.reads.update(reads)
        if unknown:
            self.always = True
            self.unknown.add(test)
        for nodeid, outcome in ended.items():
            if sorted(outcome) != sorted(all.get(nodeid, [])):
                whole = whole or "it ends otherwise alone"
        if whole or not ended:
            self.always, self.whole = True, self.whole or whole or "it did not end"

    def apart_from_others(self, whole, modules, files, until, most):
        """Runs each test alone; whether they are known one by one then."""
        if self.whole or len(self.items) < 2 or len(self.seen) < len(self.items):
            return False
        look = self.beside_it(modules, files)
        were = qa_shared.walk(look, True)
        if were is None:
            return False
        for item in self.items:
            if spent() > most:
                raise TimeoutError
            test = named(item)
            said = copy([item], until, (look, were[0]))
            if said is None or said[1] or len(said[0]) != 1:
                return False
            _, _, seen, *more = said[0][0]
            self.hear(test, seen, *more, whole)
            self.scopes[test], self.alone[test] = set(more[3]), seen
            if self.whole or not self.beside[test] <= seen:
                return False
        return True

    def beside_it(self, modules, files):
        """The modules of the project in the folder of the file and below it, but other test files, and conftests."""
        here = os.path.realpath(root)
        folder, own = os.path.join(here, os.path.dirname(self.name), ""), os.path.join(here, self.name)
        return [(name, m, at) for name, m, at in modules if (at == own or at not in files) and (at.startswith(folder) or name.rpartition(".")[2] == "conftest")]

    def join(self):
        """Gives tests that share a fixture what each of them enters."""
        changed = True
        while changed:
            changed = False
            for a in self.seen:
                for b in self.seen:
                    if a < b and self.scopes[a] & self.scopes[b] and (self.seen[a], self.scopes[a], a in self.unknown) != (self.seen[b], self.scopes[b], b in self.unknown):
                        self.seen[a] = self.seen[b] = self.seen[a] | self.seen[b]
                        self.scopes[a] = self.scopes[b] = self.scopes[a] | self.scopes[b]
                        if {a, b} & self.unknown:
                            self.unknown |= {a, b}
                        changed = True

    def tests(self):
        """What is known of tests one by one: of each function the runs of those that enter it."""
        names = list(self.seen)
        files = {}
        for i, name in enumerate(names):
            for file, line in self.seen[name]:
                runs = files.setdefault(file, {}).setdefault(line, [])
                if runs and runs[-1] == i:
                    runs[-1] = i + 1
                else:
                    runs += [i, i + 1]
        return {"names": names, "always": [i for i, name in enumerate(names) if name in self.unknown], "entered": {file: [[line] + runs for line, runs in lines.items()] for file, lines in files.items()}}


def record(items, whole, until):
    units = {}
    for item in items:
        units.setdefault(unit(item), []).append(item)
    units = {name: Unit(name, own) for name, own in units.items()}
    for some in [items] + [u.items for u in units.values()]:
        said = copy(some, until)
        for name in {unit(item) for item in some} if said is None else ():
            units[name].always, units[name].whole = True, "it did not end"
        for name, test, seen, *more in said[0] if said is not None else ():
            units[name].hear(test, seen, *more, whole)
        if len(some) == len(items):
            for u in units.values():
                u.beside = {test: set(seen) for test, seen in u.seen.items()}
    one_by_one(units, whole, until, spent() + max(60, 4 * spent()))
    files, reads, tests = {}, {"": sorted(everybody.reads)}, {}
    for file, line in places(everybody.seen):
        files.setdefault(file, {}).setdefault("", []).append(line)
    for name, u in units.items():
        reads[name] = sorted(u.reads)
        for file, line in set().union(*u.seen.values()):
            files.setdefault(file, {}).setdefault(name, []).append(line)
        if u.apart:
            tests[name] = u.tests()
    say({"units": sorted(units), "always": sorted(name for name, u in units.items() if u.always), "before": before, "reads": reads, "files": files, "tests": tests})


def spent():
    """Processor time of all copies so far: what else the machine does costs none of it."""
    t = os.times()
    return t.children_user + t.children_system


def one_by_one(units, whole, until, most):
    modules = qa_shared.modules(own)
    files = {os.path.join(os.path.realpath(root), name) for name in units}
    for module in list(sys.modules.values()):  # once, and not in each copy
        if isinstance(getattr(module, "__file__", None), str):
            place(module.__file__)
    try:
        for u in sorted(units.values(), key=lambda u: len(u.items)):
            u.apart = u.apart_from_others(whole, modules, files, until, most)
            if u.apart:
                u.join()
    except TimeoutError:
        pass  # those that are known are
`
