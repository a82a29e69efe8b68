#!/usr/bin/env bash
# The last step of a release: one commit that names programs and image, its tag, the
# release, and then the floating tags. What an earlier attempt has done is not done
# again, so that a failed release can be run again.
#   release.sh X.Y.Z IMAGE sha256:DIGEST
set -euo pipefail
version=$1 image=$2 digest=$3
tag=v$version
stop() { echo "::error::$1"; exit 1; }
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || stop "$version is not X.Y.Z"
[[ "$digest" =~ ^sha256:[0-9a-f]{64}$ ]] || stop "the image has no digest"

git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
{ echo "# Written by the release workflow: SHA-256 and name of each program."; cat dist/checksums.txt; } > host/release.txt
if [ -n "$(git ls-remote origin "refs/tags/$tag")" ]; then
  git fetch --quiet --force origin "refs/tags/$tag:refs/tags/$tag"
  [ "$(git rev-parse "$tag^{commit}^")" = "$(git rev-parse HEAD)" ] || stop "$tag was made from another commit: release the next version"
  git show "$tag:host/release.txt" | cmp -s - host/release.txt || stop "$tag has other programs than were built now: release the next version"
else
  sed -i "s|image: docker://.*|image: docker://$image:$version@$digest|" action.yml
  grep -qF "image: docker://$image:$version@$digest" action.yml || stop "action.yml names no image"
  git add action.yml host/release.txt
  git commit --quiet -m "release $version"
  git tag --force "$tag"
  git push --quiet origin "refs/tags/$tag"
fi
if gh release view "$tag" > /dev/null 2>&1; then
  gh release upload "$tag" --clobber dist/*
else
  gh release create "$tag" --verify-tag --generate-notes dist/*
fi
# Plain tags without a release stay movable.
for floating in "${tag%.*}" "${tag%%.*}"; do
  git tag --force "$floating" "$tag^{commit}"
  git push --quiet --force origin "refs/tags/$floating"
done
