#!/bin/sh
# Installs the dependencies of the sample projects under testdata/repo from
# their committed lockfiles. A project whose lockfile has not changed since the
# last call is left alone, so that calling this before every test run is cheap.
set -eu
cd "$(dirname "$0")/repo"

# stamp LOCKFILE prints what an up-to-date installation is marked with.
stamp() {
	cksum <"$1"
}

for lock in $(find . -name package-lock.json -not -path '*/node_modules/*'); do
	dir=$(dirname "$lock")
	want="$(stamp "$lock") node $(node --version)"
	mark="$dir/node_modules/.fixture-stamp"
	[ -f "$mark" ] && [ "$(cat "$mark")" = "$want" ] && continue
	echo "install $lock"
	(cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
	echo "$want" >"$mark"
done

# Maven keeps what it has fetched in the user's home, and asks for a part of it only
# when tests run.
for pom in $(find . -name pom.xml -not -path '*/.changes/*'); do
	dir=$(dirname "$pom")
	want=$(stamp "$pom")
	mark="$dir/.fixture-stamp"
	command -v mvn >/dev/null || continue
	[ -f "$mark" ] && [ "$(cat "$mark")" = "$want" ] && continue
	echo "install $pom"
	copy=$(mktemp -d)
	cp -r "$dir/." "$copy"
	(cd "$copy" && mvn -q -B -ntp jacoco:prepare-agent test jacoco:report)
	rm -rf "$copy"
	echo "$want" >"$mark"
done

# So does Gradle.
for build in $(find . -name build.gradle -not -path '*/.changes/*'); do
	dir=$(dirname "$build")
	want=$(stamp "$build")
	mark="$dir/.fixture-stamp"
	command -v gradle >/dev/null || continue
	[ -f "$mark" ] && [ "$(cat "$mark")" = "$want" ] && continue
	echo "install $build"
	copy=$(mktemp -d)
	cp -r "$dir/." "$copy"
	(cd "$copy" && gradle -q --no-daemon test jacocoTestReport)
	rm -rf "$copy"
	echo "$want" >"$mark"
done

for lock in $(find . -name requirements.lock -not -path '*/node_modules/*'); do
	dir=$(dirname "$lock")
	want="$(stamp "$lock") $(python3 --version)"
	mark="$dir/.venv/.fixture-stamp"
	[ -f "$mark" ] && [ "$(cat "$mark")" = "$want" ] && continue
	echo "install $lock"
	rm -rf "$dir/.venv"
	python3 -m venv "$dir/.venv"
	"$dir/.venv/bin/python" -m pip install --quiet --no-deps --disable-pip-version-check -r "$lock"
	echo "$want" >"$mark"
done
