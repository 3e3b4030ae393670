import { execFileSync } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import type { Engine } from '#server/kit/engine/engine.ts'
import { type Database, databaseOf, openDatabase } from '#server/kit/database.ts'
import { startEngine } from '#server/kit/engine/engine.ts'
import { poolOf } from './embedded.ts'
import { inServer } from './testing-server.ts'

// Starting the embedded PostgreSQL, or copying a database on a server, costs more than all that most tests do with it. So a database is
// restored after each test and used again. If it cannot be restored, the next test gets a new copy.

/** SQL that keeps the template's rows beside its tables, and restores them. */
export const keepTemplate = `
  create schema kept;

  -- Every change of a row gives it a newer xmin, and every removal changes the count.
  create function kept.look(name text, out count bigint, out newest bigint) language plpgsql as $$
  begin
    execute format('select count(*), coalesce(max(xmin::text::bigint), 0) from public.%I', name) into count, newest;
  end $$;

  -- Everything that is not a row: tables, columns and their defaults, views, constraints, triggers, policies, functions, the service's roles and settings.
  create function kept.shape() returns text language sql as $$
    select md5(concat_ws('|',
      (select string_agg(concat(oid, relname, relrowsecurity, relforcerowsecurity, relacl), ',' order by oid) from pg_class where oid >= 16384),
      (select string_agg(concat(attrelid, attname, atttypid, atttypmod, attnotnull, attacl), ',' order by attrelid, attnum) from pg_attribute where attrelid >= 16384),
      (select string_agg(concat(oid, xmin), ',' order by oid) from pg_attrdef),
      (select string_agg(concat(oid, xmin), ',' order by oid) from pg_rewrite where oid >= 16384),
      (select string_agg(concat(oid, xmin), ',' order by oid) from pg_constraint where oid >= 16384),
      (select string_agg(concat(oid, xmin), ',' order by oid) from pg_trigger where oid >= 16384 and not tgisinternal),
      (select string_agg(concat(oid, xmin), ',' order by oid) from pg_policy),
      (select string_agg(concat(oid, xmin), ',' order by oid) from pg_proc where oid >= 16384),
      (select string_agg(concat(rolname, rolsuper, rolinherit, rolcanlogin, rolbypassrls), ',' order by oid) from pg_roles where rolname in ('portolan_app', 'portolan_admin', 'portolan_service', 'portolan_privacy')),
      (select string_agg(concat(roleid, member), ',' order by roleid, member) from pg_auth_members where member in (select oid from pg_roles where rolname in ('portolan_app', 'portolan_admin', 'portolan_service', 'portolan_privacy'))),
      (select string_agg(concat(setdatabase, setrole, setconfig), ',' order by setdatabase, setrole) from pg_db_role_setting s, pg_database d where datname = current_database() and setdatabase in (0, d.oid))))
  $$;

  create table kept.marks (name text, columns text, count bigint, newest bigint);
  create table kept.shapes (shape text);

  -- Returns whether everything is restored. A new copy is faster than restoring a large table.
  create function kept.put_back() returns boolean language plpgsql set session_replication_role = replica as $$
  declare
    one record;
    now record;
  begin
    if kept.shape() <> (select shape from kept.shapes) then return false; end if;
    for one in select * from kept.marks loop
      now := kept.look(one.name);
      continue when now.count = one.count and now.newest = one.newest;
      if pg_relation_size(format('public.%I', one.name)) > 4000000 then return false; end if;
      execute format('delete from public.%I', one.name);
      execute format('insert into public.%1$I (%2$s) overriding system value select %2$s from kept.%1$I', one.name, one.columns);
      now := kept.look(one.name);
      update kept.marks set count = now.count, newest = now.newest where name = one.name;
    end loop;
    return true;
  end $$;

  do $$
  declare
    one text;
  begin
    for one in select tablename from pg_tables where schemaname = 'public' loop
      execute format('create table kept.%1$I as table public.%1$I', one);
      insert into kept.marks
        select one, string_agg(quote_ident(attname), ', '), (kept.look(one)).*
        from pg_attribute where attrelid = format('public.%I', one)::regclass and attnum > 0 and not attisdropped and attgenerated = '';
    end loop;
    insert into kept.shapes values (kept.shape());
  end $$;
`

/** Writes a copy of the template into a folder, as a stopped service leaves it, with files that no other user may read. */
export async function fillFolder(folder: string, dump: string): Promise<void> {
  const engine = await startEngine({ folder, dump: await openAsBlob(dump) })
  await engine.close()
  execFileSync('chmod', ['-R', 'go=', folder])
}

const putBack = 'select kept.put_back() as whole'
const engines: Engine[] = []

export async function embeddedCopy(dump: string): Promise<Database> {
  const engine = engines.pop() ?? (await startEngine({ memory: true, dump: await openAsBlob(dump) }))
  const pool = poolOf(engine)
  return databaseOf(pool, true, async () => {
    await pool.end()
    const keeper = poolOf(engine)
    await keeper.query('discard all')
    const { rows } = await keeper.query<{ whole: boolean }>(putBack)
    await keeper.end()
    if (rows[0]?.whole) engines.push(engine)
    else await engine.close()
  })
}

const names: string[] = []

export async function serverCopy(server: string, template: string): Promise<Database> {
  const name = names.pop() ?? (await createIn(server, template))
  const url = urlOf(server, name)
  const database = await openDatabase({ DATABASE_URL: url, DATABASE_POOL: 6, DATA_DIR: '' })
  return {
    ...database,
    async close() {
      await database.close()
      const { rows } = await inServer(url, async client => {
        // A connection that was cut off during a statement would still write into the next test's database.
        await client.query(
          'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        return client.query<{ whole: boolean }>(putBack)
      })
      if (rows[0]?.whole) names.push(name)
      else await dropIn(server, name)
    },
  }
}

let made = 0

/** Creates a database whose name begins with the template's. So both are dropped together (tools/suite/setup.ts). */
export async function createIn(server: string, template: string, { from = template, owner = '' } = {}): Promise<string> {
  made += 1
  const name = `${template}_${process.pid}_${made}`
  await inServer(server, client => client.query(`create database ${name} template ${from} ${owner && `owner ${owner}`}`))
  return name
}

export const dropIn = (server: string, name: string) =>
  inServer(server, client => client.query(`drop database if exists ${name} with (force)`))

export function urlOf(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
