import { type Kysely, sql } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'
import { OperatorError } from '#server/config/operator-error.ts'

/** Every transaction works as one of these (server/kit/database.ts). They belong to the whole server, so another database may share them. */
const roles = ['portolan_app', 'portolan_admin', 'portolan_service']

/** The database's user can neither make nor use the roles; the message holds the SQL for its administrator. */
export class RolesMissing extends OperatorError {}

type Standing = { role: string; isThere: boolean; isUnbound: boolean; isHeld: boolean; mayGrant: boolean; mayCreate: boolean; user: string }

/** Looks first, and makes only what is missing: an administrator who made and granted the roles beforehand need not give CREATEROLE. */
export async function ensureRoles(db: Kysely<Tables>): Promise<void> {
  const lacking = (await standings(db)).filter(isLacking)
  if (lacking.length === 0) return
  const beyond = lacking.filter(standing => standing.isUnbound || !mayMend(standing))
  if (beyond.length > 0) throw new RolesMissing(demand(beyond))
  try {
    await db.transaction().execute(async tx => {
      // Several nodes may start at once.
      await sql`select pg_advisory_xact_lock(hashtextextended('roles', 0))`.execute(tx)
      for (const standing of (await standings(tx)).filter(isLacking))
        for (const statement of mending(standing)) await sql.raw(statement).execute(tx)
    })
  } catch (error) {
    // Another database of the same server has made them at this moment.
    if (!['42710', '23505'].includes(String((error as { code?: unknown }).code))) throw error
    await ensureRoles(db)
  }
}

/** Since PostgreSQL 16 a member may still lack the right to become the role, and CREATEROLE rules only what it has made. */
async function standings(db: Kysely<Tables>): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select wanted.role, known.oid is not null as "isThere", coalesce(known.rolsuper or known.rolbypassrls, false) as "isUnbound",
      coalesce(pg_has_role(known.oid, case when is_16 then 'SET' else 'MEMBER' end), false) as "isHeld",
      self.rolsuper or (self.rolcreaterole and not is_16) or coalesce(pg_has_role(known.oid, 'MEMBER WITH ADMIN OPTION'), self.rolcreaterole) as "mayGrant",
      self.rolsuper or self.rolcreaterole as "mayCreate", self.rolname as user
    from unnest(${roles}::text[]) with ordinality as wanted (role, place)
      join pg_roles self on self.rolname = current_user
      cross join (select current_setting('server_version_num')::int >= 160000 as is_16) version
      left join pg_roles known on known.rolname = wanted.role
    order by place`.execute(db)
  return rows
}

const isLacking = ({ isHeld, isUnbound }: Standing): boolean => !isHeld || isUnbound
const mayMend = ({ isThere, mayCreate, mayGrant }: Standing): boolean => (isThere || mayCreate) && mayGrant

function mending({ role, isThere, isUnbound, isHeld, user }: Standing): string[] {
  return [
    ...(isThere ? [] : [`create role ${role} nologin nobypassrls`]),
    ...(isUnbound ? [`alter role ${role} nosuperuser nobypassrls`] : []),
    ...(isHeld ? [] : [`grant ${role} to "${user.replaceAll('"', '""')}"`]),
  ]
}

const demand = (standings: Standing[]): string =>
  `The database's user lacks roles that it may not make. Let an administrator of the server run: ${standings.flatMap(mending).join('; ')};`
