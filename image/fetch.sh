#!/bin/sh
# fetch.sh PROGRAMS ARCH PREFIX [NAME] installs the programs listed in the file
# PROGRAMS for a machine of ARCH (amd64 or arm64) below PREFIX, or only NAME.
# Everything comes from a package registry and is checked against its pinned sum
# before it is unpacked: SHA-256 or SHA-512, told apart by length.
set -eu
programs=$1 arch=$2 prefix=$3 only=${4:-}

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
mkdir -p "$prefix/bin" "$prefix/lib/node_modules"

# npm_package DIR unpacks an npm archive without its first path element.
npm_package() {
	mkdir -p "$1"
	tar -xzf "$temp/file" -C "$1" --strip-components=1 --no-same-owner
}

# go_toolchain unpacks the module of a Go toolchain. A module's archive has no
# modes, and its own go.mod files carry another name, as the go command expects.
go_toolchain() {
	unzip -q "$temp/file" -d "$temp/go"
	mv "$temp"/go/golang.org/toolchain@* "$prefix/go"
	find "$prefix/go" -name _go.mod | while read -r file; do
		mv "$file" "${file%_go.mod}go.mod"
	done
	chmod -R u=rwX,go=rX "$prefix/go"
	chmod -R a+x "$prefix/go/bin" "$prefix/go/pkg/tool"
	ln -s ../go/bin/go ../go/bin/gofmt "$prefix/bin/"
}

# wheel takes the programs out of a Python wheel.
wheel() {
	unzip -q -j "$temp/file" '*.data/scripts/*' -d "$temp/scripts"
	chmod 755 "$temp"/scripts/*
	mv "$temp"/scripts/* "$prefix/bin/"
	rmdir "$temp/scripts"
}

tail -n +2 "$programs" >"$temp/list"
found=
while IFS=, read -r name version for url sum; do
	case $for in any | "$arch") ;; *) continue ;; esac
	[ -z "$only" ] || [ "$name" = "$only" ] || continue
	found=yes
	echo "$name $version"
	curl -fsSL --retry 3 -o "$temp/file" "$url"
	case ${#sum} in
	64) echo "$sum  $temp/file" | sha256sum -c --quiet ;;
	128) echo "$sum  $temp/file" | sha512sum -c --quiet ;;
	*) echo "fetch.sh: $name $version: the sum has ${#sum} digits, expected 64 or 128" >&2 && exit 1 ;;
	esac
	case $name in
	go) go_toolchain ;;
	node)
		npm_package "$temp/node"
		mv "$temp/node/bin/node" "$prefix/bin/"
		;;
	npm)
		npm_package "$prefix/lib/node_modules/npm"
		ln -s ../lib/node_modules/npm/bin/npm-cli.js "$prefix/bin/npm"
		ln -s ../lib/node_modules/npm/bin/npx-cli.js "$prefix/bin/npx"
		chmod 755 "$prefix"/lib/node_modules/npm/bin/np?-cli.js
		;;
	oxlint)
		npm_package "$prefix/lib/node_modules/oxlint"
		ln -s ../lib/node_modules/oxlint/bin/oxlint "$prefix/bin/oxlint"
		chmod 755 "$prefix/lib/node_modules/oxlint/bin/oxlint"
		;;
	oxlint-binding)
		# Beside the package that loads it, under the name it looks for.
		npm_package "$prefix/lib/node_modules/@oxlint/$(basename "${url%/-/*}")"
		;;
	uv | ruff) wheel ;;
	*) echo "fetch.sh: $name: no way to install it is known" >&2 && exit 1 ;;
	esac
done <"$temp/list"
[ -n "$found" ] || { echo "fetch.sh: $programs has nothing for $arch $only" >&2 && exit 1; }
