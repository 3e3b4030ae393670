#!/bin/sh
# PostgreSQL's image runs this once on an empty volume. It creates the roles and an owner without further rights (docs/operations.md),
# because row-level security does not apply to a superuser.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat "${OWNER_PASSWORD_FILE:-/run/secrets/owner-password}")" --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
create role portolan login password :'password';
create role portolan_app nologin nobypassrls;
create role portolan_admin nologin nobypassrls;
create role portolan_service nologin nobypassrls;
create role portolan_privacy nologin nobypassrls;
grant portolan_app, portolan_admin, portolan_service, portolan_privacy to portolan;
create database portolan owner portolan;
SQL
