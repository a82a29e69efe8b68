#!/usr/bin/env bash
# Downloads the program of this release and checks its SHA-256 against
# host/release.txt, which the release commit wrote. Lines of that file are
# "<sha256>  qa_<version>_<os>_<arch>[.exe]". QA_RELEASES names another place to
# download from; the sum stays that of the release.
#
# Exit codes as of the program: 2 is wrong use, 3 could not tell.
set -euo pipefail

case "$RUNNER_OS" in
  Linux) os=linux ;;
  macOS) os=darwin ;;
  Windows) os=windows ;;
  *) echo "::error::no program for $RUNNER_OS"; exit 2 ;;
esac
case "$RUNNER_ARCH" in
  X64) arch=amd64 ;;
  ARM64) arch=arm64 ;;
  *) echo "::error::no program for $RUNNER_ARCH"; exit 2 ;;
esac

here=$(cd "$(dirname "$0")" && pwd)
line=$(grep -E "^[0-9a-f]{64}  qa_[0-9][0-9A-Za-z.-]*_${os}_${arch}(\.exe)?$" "$here/release.txt" || true)
if [ -z "$line" ]; then
  echo "::error::this commit of the action is not a release for $os/$arch; use a tag such as v1"
  exit 2
fi
want=${line%% *}
name=${line##* }
version=${name#qa_}
version=${version%%_*}

dir=$(mktemp -d "${RUNNER_TEMP}/qa-XXXXXX")
trap '[ -n "${done:-}" ] || rm -rf "$dir"' EXIT
program="$dir/${name/_${version}_${os}_${arch}/}"
base=${QA_RELEASES:-https://github.com/org/qa-action/releases/download}
if ! curl --fail --silent --show-error --location --retry 3 --connect-timeout 20 --max-time 300 --output "$program" "$base/v$version/$name"; then
  echo "::error::$name could not be downloaded from $base; the runner must reach it, or QA_RELEASES name a mirror"
  exit 3
fi
if command -v sha256sum >/dev/null; then
  got=$(sha256sum "$program")
else
  got=$(shasum -a 256 "$program")
fi
got=${got#\\} # Windows marks names with a backslash
if [ "${got%% *}" != "$want" ]; then
  echo "::error::$name has SHA-256 ${got%% *}, expected $want; it is not run"
  exit 3
fi
chmod +x "$program"
echo "program=$program" >> "$GITHUB_OUTPUT"
done=yes
