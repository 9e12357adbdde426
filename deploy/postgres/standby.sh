#!/bin/sh
# Starts a standby. On the first start it copies the primary with pg_basebackup.
# PGDATA: data directory. PRIMARY_FILE: file with the URL of the primary. Arguments are passed to postgres.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # A separate command, so that "set -e" stops here if the file cannot be read.
  primary=$(cat "$PRIMARY_FILE")
  pg_basebackup --dbname="$primary" --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf
fi
exec postgres -D "$PGDATA" "$@"
