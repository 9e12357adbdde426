#!/usr/bin/env bash
# Copies all resources to files of one JSON object per line: nightly-copy.sh FOLDER
# Settings: MUSTER_URL, and MUSTER_READ_TOKEN if reads require a token. Needs bash, curl 7.76 and jq.
# A file is replaced only by a complete new one. What has not changed since the last run is not sent again.
set -euo pipefail
url=${MUSTER_URL:-http://127.0.0.1:8080/api}
mkdir -p "$1" && cd "$1"
get() {
  curl --silent --show-error --fail --retry 5 ${MUSTER_READ_TOKEN:+--header "Authorization: Bearer $MUSTER_READ_TOKEN"} "$@"
}
for resource in $(get "$url" | jq -r '.links.resources | keys[]'); do
  rm -f "$resource.part"
  [ -e "$resource.ndjson" ] || rm -f "$resource.etag"
  get --dump-header "$resource.headers" --etag-compare "$resource.etag" --etag-save "$resource.new-etag" \
    --output "$resource.part" "$url/v1/$resource?format=ndjson"
  # 304 has no body.
  if grep -q '^HTTP/[0-9.]* 304' "$resource.headers"; then
    rm -f "$resource.part" "$resource.new-etag"
    echo "$resource: unchanged"
    continue
  fi
  total=$(tr -d '\r' < "$resource.headers" | sed -n 's/^x-total-count: //Ip')
  touch "$resource.part" # An export without records has no body.
  lines=$(wc -l < "$resource.part")
  [ "$lines" -eq "$total" ] || { echo "$resource: $lines of $total records arrived" >&2; exit 1; }
  mv "$resource.part" "$resource.ndjson"
  mv "$resource.new-etag" "$resource.etag"
  echo "$resource: $total records"
done
rm -f -- *.headers
