#!/bin/sh
# Starts a standby: the first time from a copy of the primary, afterwards from what it has.
# PGDATA is its folder, PRIMARY_FILE a file with the address of the primary. Arguments go to postgres.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup --dbname="$(cat "$PRIMARY_FILE")" --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf
fi
exec postgres -D "$PGDATA" "$@"
