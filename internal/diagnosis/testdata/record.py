"""Records what installers say when something is wrong: `record.py OUT`.

Each case is a folder with a broken manifest; the registry is a server here that
answers by the name of the package. What differs between machines is replaced.
Installers that are not on PATH are left out.
"""
import gzip, http.server, json, os, re, shutil, socket, socketserver, subprocess, sys, tarfile, tempfile, threading, time, io, base64, hashlib

OUT = sys.argv[1]
ONLY = sys.argv[2:]


def tarball(manifest, files=None):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as t:
        for name, text in {"package/package.json": json.dumps(manifest), **(files or {})}.items():
            data = text.encode()
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), 0o755
            t.addfile(info, io.BytesIO(data))
    return gzip.compress(raw.getvalue(), mtime=0)


def sdist(name, setup):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as t:
        for path, text in {"setup.py": setup, "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0.0\n"}.items():
            data = text.encode()
            info = tarfile.TarInfo(f"{name}-1.0.0/{path}")
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    return gzip.compress(raw.getvalue(), mtime=0)


NODE = {
    "fails": {"name": "fails", "version": "1.0.0", "scripts": {"install": "node -e \"console.error('the binary could not be fetched'); process.exit(3)\""}},
    "compiles": {"name": "compiles", "version": "1.0.0", "scripts": {"install": "make"}},
    "absent": {"name": "absent", "version": "1.0.0", "scripts": {"install": "no-such-builder rebuild"}},
    "newer": {"name": "newer", "version": "1.0.0", "engines": {"node": ">=99"}},
    "react": {"name": "react", "version": "1.0.0"},
    "peer": {"name": "peer", "version": "1.0.0", "peerDependencies": {"react": "^2.0.0"}},
    "ranged": {"name": "ranged", "version": "1.0.0", "peerDependencies": {"react": ">=2.0.0 <4"}},
}
FILES = {"compiles": {"package/Makefile": "all:\n\tno-such-cc -c x.c\n"}}
PY = {
    "fails": "import sys\nsys.exit('the library libfoo is not there')\n",
    "compiles": "from setuptools import setup, Extension\nsetup(name='compiles', version='1.0.0', ext_modules=[Extension('x', ['x.c'])])\n",
    "newer": "from setuptools import setup\nsetup(name='newer', version='1.0.0', python_requires='>=3.99')\n",
}


class Registry(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *a):
        pass

    def do_GET(self):
        path = self.path.split("?")[0].strip("/")
        host = f"http://127.0.0.1:{self.server.server_address[1]}"
        if path.endswith(".tgz"):
            name = path.split("/")[0]
            return self.reply(200, tarball(NODE[name], FILES.get(name)), "application/octet-stream")
        if path.endswith(".tar.gz"):
            name = path.split("/")[1]
            return self.reply(200, sdist(name, PY[name]), "application/octet-stream")
        name = path.removeprefix("simple/").split("/")[0]
        if "refused-id" in path:
            return self.reply(403, b'{"error":"forbidden by policy"}')
        if "login-id" in path:
            return self.reply(401, b'{"error":"log in"}')
        if "never-id" in path:
            time.sleep(60)
            return
        if "broken-id" in path:
            return self.reply(500, b'{"error":"oops"}')
        if path.startswith("simple/"):
            if name in ("fails", "compiles"):
                return self.reply(200, f'<a href="{host}/files/{name}/{name}-1.0.0.tar.gz">{name}-1.0.0.tar.gz</a>'.encode(), "text/html")
            if name == "newer":
                return self.reply(200, f'<a data-requires-python="&gt;=3.99" href="{host}/files/newer/newer-1.0.0.tar.gz">newer-1.0.0.tar.gz</a>'.encode(), "text/html")
            if name in ("setuptools", "wheel", "packaging"):
                return self.reply(200, b"", "text/html")
            return self.reply(404, b"not found", "text/plain")
        if name in NODE:
            data = tarball(NODE[name], FILES.get(name))
            dist = {"tarball": f"{host}/{name}/-/{name}-1.0.0.tgz", "shasum": hashlib.sha1(data).hexdigest()}
            doc = {"name": name, "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": {**NODE[name], "dist": dist, "hasInstallScript": True}}}
            return self.reply(200, json.dumps(doc).encode())
        self.reply(404, b'{"error":"Not found"}')

    do_POST = do_GET

    def reply(self, code, body, kind="application/json"):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Registry)
threading.Thread(target=server.serve_forever, daemon=True).start()
HOST = f"http://127.0.0.1:{server.server_address[1]}"


def pkg(deps, **more):
    return {"package.json": json.dumps({"name": "x", "version": "1.0.0", "private": True, "dependencies": deps, **more})}


def py(deps, **more):
    need = ", ".join(f'"{d}"' for d in deps)
    text = f'[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.8"\ndependencies = [{need}]\n'
    return {"pyproject.toml": text, "requirements.txt": "\n".join(deps) + "\n", "Pipfile": f'[[source]]\nurl = "{HOST}/simple"\nverify_ssl = false\nname = "here"\n\n[packages]\n' + "".join(f'{d.split(">")[0]} = "{d[len(d.split(">")[0]):] or "*"}"\n' for d in deps)}


LOCKS = {
    "npm": {"package-lock.json": json.dumps({"name": "x", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": {"name": "x", "version": "1.0.0"}}})},
    "pnpm": {"pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n"},
    "yarn1": {"yarn.lock": "# yarn lockfile v1\n"},
    "yarn": {"yarn.lock": "__metadata:\n  version: 8\n  cacheKey: 10c0\n\n\"x@workspace:.\":\n  version: 0.0.0-use.local\n  resolution: \"x@workspace:.\"\n  languageName: unknown\n  linkType: soft\n"},
    "bun": {"bun.lock": '{"lockfileVersion": 1, "workspaces": {"": {"name": "x"}}, "packages": {}}\n'},
}
NODECASES = {
    "404": pkg({"nope-id": "1.0.0"}), "403": pkg({"refused-id": "1.0.0"}), "401": pkg({"login-id": "1.0.0"}), "never": pkg({"never-id": "1.0.0"}), "500": pkg({"broken-id": "1.0.0"}),
    "version": pkg({"react": "^7.0.0"}), "script": pkg({"fails": "1.0.0"}), "compiler": pkg({"compiles": "1.0.0"}), "program": pkg({"absent": "1.0.0"}),
    "engine": pkg({"newer": "1.0.0"}), "peer": pkg({"peer": "1.0.0", "react": "1.0.0"}), "ranged-peer": pkg({"ranged": "1.0.0", "react": "1.0.0"}), "manifest": {"package.json": '{"name": "x",}'},
    "own-engine": pkg({}, engines={"node": ">=99"}), "own-script": pkg({}, scripts={"prepare": "node -e \"throw new Error('generate first')\""}),
    "lock": pkg({"react": "1.0.0"}), "down": pkg({"react": "1.0.0"}), "name": pkg({"react": "1.0.0"}), "young": pkg({"react": "1.0.0"}),
    "git": pkg({"gone": "git+file:///no/such/repository.git"}), "file": pkg({"gone": "file:../no-such-folder"}),
}
PYCASES = {
    "404": py(["nope-id"]), "403": py(["refused-id"]), "401": py(["login-id"]), "never": py(["never-id"]), "500": py(["broken-id"]), "version": py(["fails>=7"]),
    "script": py(["fails"]), "compiler": py(["compiles"]), "newer": py(["newer"]), "manifest": {"pyproject.toml": "[project\nname=1\n", "requirements.txt": "a b c\n", "Pipfile": "[packages\n"},
    "python": {"pyproject.toml": '[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.99"\n', "Pipfile": '[requires]\npython_version = "3.99"\n', "requirements.txt": "-e .\n"},
    "down": py(["fails"]), "name": py(["fails"]), "lock": py([]), "group": py([]), "file": {"requirements.txt": "-r no-such.txt\n", "pyproject.toml": '[project]\nname = "x"\nversion = "1"\n'},
    "own-build": {"pyproject.toml": '[project]\nname = "x"\nversion = "1"\n', "setup.py": "import numpy_is_not_here\n", "requirements.txt": "-e .\n"},
}


BUILDS = ("script", "compiler", "own-build", "python")


ISOLATED = {"pip": ["group", "lock"], "poetry": ["group", "script", "compiler", "own-build", "never", "file"], "pdm": ["group", "script", "compiler", "own-build", "file"], "pipenv": ["group", "script", "compiler", "own-build", "file"]}


def registry(case):
    return {"down": "http://127.0.0.1:9", "name": "http://registry.invalid"}.get(case, HOST)


def node_command(tool, case, at):
    r = registry(case)
    frozen = case == "lock"
    if tool == "npm":
        strict = ["--engine-strict"] if "engine" in case else []
        return ["npm", "ci" if frozen else "install", "--no-audit", "--no-fund", "--registry", r, "--fetch-retries=0", "--fetch-timeout=3000", "--cache", at + "/../cache", *strict]
    if tool == "pnpm":
        open(at + "/.npmrc", "w").write(f"registry={r}\nfetch-retries=0\nfetch-timeout=3000\nstore-dir={at}/../cache\ncache-dir={at}/../cache2\nengine-strict={'engine' in case}\nstrict-peer-dependencies=true\n".lower() + "auto-install-peers=false\ndangerously-allow-all-builds=true\n")
        return ["pnpm", "install", "--frozen-lockfile" if frozen else "--no-frozen-lockfile"]
    if tool == "yarn1":
        open(at + "/.yarnrc", "w").write(f'registry "{r}"\nnetwork-timeout 3000\ncache-folder "{at}/../cache"\n')
        return ["yarn1", "install", "--non-interactive"] + (["--frozen-lockfile"] if frozen else [])
    if tool == "yarn":
        open(at + "/.yarnrc.yml", "w").write(f'npmRegistryServer: "{r}"\nunsafeHttpWhitelist: ["*"]\nhttpRetry: 0\nhttpTimeout: 3000\nenableGlobalCache: false\nenableTelemetry: false\ncacheFolder: "{at}/../cache"\nenableScripts: true\nnpmMinimalAgeGate: {10 if case == "young" else 0}\nnodeLinker: node-modules\n')
        return ["yarn", "install", "--immutable" if frozen else "--no-immutable"]
    open(at + "/bunfig.toml", "w").write(f'[install]\nregistry = "{r}"\ncache = "{at}/../cache"\n')
    return ["bun", "install"] + (["--frozen-lockfile"] if frozen else [])


def python_command(tool, case, at):
    index = registry(case) + "/simple"
    if tool == "pip":
        return [at + "/../venv/bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--no-cache-dir", "--retries", "1", "--timeout", "3", *(["--no-build-isolation"] if case in BUILDS else []), "-i", index, "-r", "requirements.txt"]
    if tool == "uv":
        if case == "lock":
            open(at + "/uv.lock", "w").write('version = 1\nrequires-python = ">=3.7"\n\n[[package]]\nname = "x"\nversion = "1"\nsource = { virtual = "." }\n')
            return ["uv", "sync", "--locked", "--default-index", index]
        if case == "group":
            return ["uv", "pip", "install", "--group", "no-such", "--python", at + "/../venv/bin/python"]
        what = ["-e", "."] if case in ("manifest", "python", "own-build") else ["-r", "requirements.txt"]
        return ["uv", "pip", "install", "--python", at + "/../venv/bin/python", "--default-index", index, "--no-cache", *(["--no-build-isolation"] if case in BUILDS else []), *what]
    if tool == "poetry":
        if case != "manifest":
            open(at + "/pyproject.toml", "a").write(f'\n[tool.poetry]\npackage-mode = false\n\n[[tool.poetry.source]]\nname = "here"\nurl = "{index}/"\npriority = "primary"\n')
        if case == "lock":
            open(at + "/poetry.lock", "w").write('package = []\n\n[metadata]\nlock-version = "2.1"\npython-versions = ">=3.8"\ncontent-hash = "0"\n')
            return ["poetry", "sync", "--no-interaction"]
        return ["poetry", "install", "--no-interaction"]
    if tool == "pdm":
        if case != "manifest":
            open(at + "/pyproject.toml", "a").write(f'\n[tool.pdm]\ndistribution = false\n\n[[tool.pdm.source]]\nname = "pypi"\nurl = "{index}"\nverify_ssl = false\n')
        if case == "lock":
            open(at + "/pdm.lock", "w").write('[metadata]\ngroups = ["default"]\nstrategy = []\nlock_version = "4.5.0"\ncontent_hash = "sha256:0"\n')
            return ["pdm", "sync", "--no-self"]
        return ["pdm", "install", "--no-self"]
    if case == "lock":
        open(at + "/Pipfile.lock", "w").write('{"_meta": {"hash": {"sha256": "0"}, "pipfile-spec": 6, "requires": {}, "sources": []}, "default": {}, "develop": {}}')
        return ["pipenv", "install", "--deploy"]
    return ["pipenv", "install"]


GOCASES = {
    "404": {"go.mod": "module x\n\ngo 1.21\n\nrequire example.com/nope v1.0.0\n"},
    "sum": {"go.mod": "module x\n\ngo 1.21\n\nrequire example.com/nope v1.0.0\n", "x.go": 'package x\n\nimport _ "example.com/nope"\n'},
    "version": {"go.mod": "module x\n\ngo 1.99\n", "x.go": "package x\n"},
    "manifest": {"go.mod": "modul x\n"},
    "missing": {"go.mod": "module x\n\ngo 1.21\n", "x.go": 'package x\n\nimport _ "example.com/nope"\n'},
    "down": {"go.mod": "module x\n\ngo 1.21\n\nrequire example.com/nope v1.0.0\n"},
    "name": {"go.mod": "module x\n\ngo 1.21\n\nrequire example.com/nope v1.0.0\n"},
    "build": {"go.mod": "module x\n\ngo 1.21\n", "x.go": "package x\n\nvar y = z\n"},
    "cgo": {"go.mod": "module x\n\ngo 1.21\n", "x.go": 'package x\n\n// #include <stdio.h>\nimport "C"\n\nvar _ = C.puts\n'},
}

def ending(text):
    """The last lines: errors come last, and stacks are long."""
    lines = text.rstrip().splitlines()[-120:]
    return "".join(l.rstrip()[:300] + "\n" for l in lines)


WORK = tempfile.mkdtemp(prefix="record-")


def clean(text):
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace(HOST, "http://registry.test").replace(HOST.removeprefix("http://"), "registry.test")
    text = re.sub(re.escape(WORK) + r"/[\w.-]+/tree", "/app", text).replace(WORK, "/tmp")
    text = text.replace(os.path.expanduser("~"), "/home/somebody").replace(socket.gethostname(), "machine")
    text = re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]", "", text)
    return text


def run(tool, case, files, argv_of, env):
    if ONLY and tool not in ONLY:
        return
    home = os.path.join(WORK, f"{tool}-{case}")
    at = os.path.join(home, "tree")
    os.makedirs(at)
    for name, text in {**files, **(LOCKS.get(tool, {}) if case == "lock" else {})}.items():
        open(os.path.join(at, name), "w").write(text)
    if tool in ("pip", "uv"):
        subprocess.run([sys.executable, "-m", "venv", home + "/venv"], check=True)
        if case in BUILDS:
            subprocess.run([home + "/venv/bin/python", "-m", "pip", "install", "-q", "setuptools", "wheel"], check=True)
    argv = argv_of(tool, case, at)
    if not shutil.which(argv[0], path=env["PATH"]):
        return print("left out", tool)
    if case == "compiler":
        env = {**env, "CC": "x86_64-none-gcc"}
    try:
        p = subprocess.run(argv, cwd=at, env={**env, "HOME": home + "/home", "XDG_CACHE_HOME": home + "/xdg"}, capture_output=True, timeout=90, text=True, errors="replace", stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return print("did not end", tool, case)
    if p.returncode == 0:
        return print("no failure", tool, case)
    os.makedirs(os.path.join(OUT, tool), exist_ok=True)
    with open(os.path.join(OUT, tool, case + ".txt"), "w") as f:
        f.write("-- stderr --\n" + ending(clean(p.stderr)) + "-- stdout --\n" + ending(clean(p.stdout)))
    print(tool, case, p.returncode, flush=True)


env = {**{k: v for k, v in os.environ.items() if not k.lower().startswith(("npm_", "pip_", "uv_", "no_proxy"))}, "NO_COLOR": "1", "CI": "true", "NO_PROXY": "*"}
for k in list(env):
    if "proxy" in k.lower():
        del env[k]
jobs = []
for tool in ("npm", "pnpm", "yarn1", "yarn", "bun"):
    jobs += [(tool, case, files, node_command, env) for case, files in NODECASES.items() if case != "young" or tool == "yarn"]
short = {**env, "UV_HTTP_TIMEOUT": "3", "UV_HTTP_RETRIES": "0", "PDM_REQUEST_TIMEOUT": "3", "PIP_TIMEOUT": "3", "PIP_RETRIES": "0", "POETRY_VIRTUALENVS_CREATE": "true", "POETRY_REQUESTS_MAX_RETRIES": "0", "PDM_CHECK_UPDATE": "false", "PIPENV_IGNORE_VIRTUALENVS": "1"}
for tool in ("pip", "uv", "poetry", "pdm", "pipenv"):
    jobs += [(tool, case, files, python_command, short) for case, files in PYCASES.items() if case not in ISOLATED.get(tool, ())]
for case, files in GOCASES.items():
    proxy = {"down": "http://127.0.0.1:9", "name": "http://registry.invalid"}.get(case, HOST)
    go = {**env, "GOPROXY": proxy, "GOFLAGS": "-mod=mod" if case in ("404", "down", "name") else "-mod=readonly", "GOTOOLCHAIN": "local", "GONOSUMDB": "*", "GONOSUMCHECK": "1", "GOFLAGS_": ""}
    if case == "cgo":
        go["CC"] = "no-such-cc"
        go["CGO_ENABLED"] = "1"
    jobs.append(("go", case, files, (lambda t, c, a: ["go", "mod", "download"] if c in ("404", "down", "name", "manifest") else ["go", "build", "./..."]), go))
for job in jobs:
    run(*job)
shutil.rmtree(WORK, ignore_errors=True)
