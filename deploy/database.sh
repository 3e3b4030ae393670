#!/bin/sh
# Run once by PostgreSQL's image on an empty volume: the database's owner without further rights, and the roles (docs/operations.md). A
# superuser would not be bound by row-level security.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat "${OWNER_PASSWORD_FILE:-/run/secrets/owner-password}")" --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
create role portolan login password :'password';
create role portolan_app nologin nobypassrls;
create role portolan_admin nologin nobypassrls;
create role portolan_service nologin nobypassrls;
grant portolan_app, portolan_admin, portolan_service to portolan;
create database portolan owner portolan;
SQL
