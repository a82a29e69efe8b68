#!/bin/sh
# Runs the tests of a package with their temporary files in memory, where making and
# removing many of them costs no disk. Where memory cannot hold them, they lie where
# they always do.
#   go test -exec "$PWD/testdata/inmemory.sh" PACKAGE...
# What outlives the tests, toolchains and compiled packages, stays on the disk.
set -eu
memory=${QA_MEMORY_DIR:-/dev/shm}
disk=${TMPDIR:-/tmp}

# In kilobytes, by how many tests run side by side: a few times what the tests were seen
# to fill at once, and what the programs that they start need beside it.
many=$(($(getconf _NPROCESSORS_ONLN) + 2))
room=$((many * 512 * 1024))
beside=$((many * 768 * 1024))

# fits says whether files may lie there, and programs run from there.
fits() {
	[ "$(uname)" = Linux ] && [ -d "$memory" ] && [ -w "$memory" ] || return 1
	free=$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')
	left=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
	# A container may have less than the machine.
	most=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
	[ "$most" = max ] || [ $((most / 1024)) -ge $((room + beside)) ] || return 1
	[ "${free:-0}" -ge "$room" ] && [ "${left:-0}" -ge $((room + beside)) ] || return 1
	# Walls around tests need mounts of their own, or files in memory are in their reach.
	[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || unshare -Urm true 2>/dev/null
}

fits || exec "$@"
place=$(mktemp -d "$memory/qa-tests-XXXXXX")
trap 'rm -rf "$place"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$place"
printf '#!/bin/sh\n' >"$place/program"
chmod 755 "$place/program"
if ! "$place/program" 2>/dev/null; then
	rm -rf "$place"
	exec "$@"
fi
mkdir -m 1777 "$place/tmp"
export TMPDIR="$place/tmp" QA_TEST_CACHE="${QA_TEST_CACHE:-$disk/qa-script-cache}"
unset GOTMPDIR # where it is set, directories of tests lie there
status=0
"$@" || status=$?
exit "$status"
