# tries: leave caches of test tools that base goes on with
import os, sys

names = ["node_modules/.cache/babel/x.json", "node_modules/.vite/deps/x.js", "node_modules/.vitest/x", "__pycache__/file.cpython-311.pyc", "src/__pycache__/x.pyc", ".jest-cache/x",
         ".pytest_cache/v/cache/lastfailed", ".nyc_output/x.json", ".vite/x", "target/debug/x", "build/classes/x.class", ".gradle/x", ".mypy_cache/x", ".ruff_cache/x",
         ".hypothesis/examples/x", ".tox/x", ".nox/x", ".coverage", ".turbo/x", ".parcel-cache/x", ".next/cache/x", "dist/x.js", ".eggs/x", "x.egg-info/top_level.txt", ".env", ".venv/x.pth"]
for name in names:
    if sys.argv[1] == "head":
        try:
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            with open(name, "w") as f:
                f.write("from-head")
            print("held: left", name)
        except OSError as e:
            print("held:", e.strerror)
    else:
        print("ESCAPED: " + name if os.path.exists(name) else "held: none")
