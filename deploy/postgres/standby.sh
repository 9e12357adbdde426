#!/bin/sh
# Starts a standby: the first time from a copy of the primary, afterwards from what it has.
# PGDATA is its folder, PRIMARY_FILE a file with the address of the primary. Arguments go to postgres.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # On a line of its own: a file that cannot be read ends this here.
  primary=$(cat "$PRIMARY_FILE")
  pg_basebackup --dbname="$primary" --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf
fi
exec postgres -D "$PGDATA" "$@"
