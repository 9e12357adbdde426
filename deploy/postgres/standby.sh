#!/bin/sh
# Starts a standby. On the first start it copies the primary with pg_basebackup.
# PGDATA: data directory. PRIMARY_FILE: file with the URL of the primary. Arguments are passed to postgres.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # A separate command, so that "set -e" stops here if the file cannot be read.
  primary=$(cat "$PRIMARY_FILE")
  # The copy gets its name when it is complete, so that an interrupted copy is made again and never started.
  rm -rf "$PGDATA.copy"
  pg_basebackup --dbname="$primary" --pgdata="$PGDATA.copy" --wal-method=stream --checkpoint=fast --write-recovery-conf
  mv -T "$PGDATA.copy" "$PGDATA"
fi
exec postgres -D "$PGDATA" "$@"
