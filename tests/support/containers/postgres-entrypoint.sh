#!/bin/sh
# Does what compose.yaml needs of the entrypoint of the official image: creates the database on the first start, then
# runs the command as the user postgres.
set -eu
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown postgres:postgres "$PGDATA" /run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --set=listen_addresses='*' --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" --pgdata="$PGDATA"
  pg_ctl --wait --options='-c listen_addresses=' start
  createdb --username=postgres "$POSTGRES_DB"
  for file in /docker-entrypoint-initdb.d/*; do
    psql --username=postgres --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --quiet --file="$file"
  done
  pg_ctl --wait stop
fi
exec "$@"
