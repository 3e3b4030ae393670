import { type Kysely, sql } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'
import { OperatorError } from '#server/config/operator-error.ts'

/** The roles of transactions (server/kit/database.ts). They belong to the whole server, so another database may share them. */
const roles = ['portolan_app', 'portolan_admin', 'portolan_service', 'portolan_privacy']

/** The database's user can neither create nor use the roles. The message holds the SQL for the administrator. */
export class RolesMissing extends OperatorError {}

type RoleState = {
  role: string
  isThere: boolean
  isUnbound: boolean
  isHeld: boolean
  mayGrant: boolean
  mayCreate: boolean
  user: string
}

/** Creates and grants missing roles only. If an administrator has created and granted them, CREATEROLE is not needed. */
export async function ensureRoles(db: Kysely<Tables>): Promise<void> {
  const lacking = (await roleStates(db)).filter(isLacking)
  if (lacking.length === 0) return
  const notAllowed = lacking.filter(state => state.isUnbound || !canCorrect(state))
  if (notAllowed.length > 0) throw new RolesMissing(instructions(notAllowed))
  try {
    await db.transaction().execute(async tx => {
      // Several nodes may start at once.
      await sql`select pg_advisory_xact_lock(hashtextextended('roles', 0))`.execute(tx)
      for (const state of (await roleStates(tx)).filter(isLacking))
        for (const statement of corrections(state)) await sql.raw(statement).execute(tx)
    })
  } catch (error) {
    // Another database of the same server has created them at this moment. Safe: any property of an error may be unknown.
    if (!['42710', '23505'].includes(String((error as { code?: unknown }).code))) throw error
    await ensureRoles(db)
  }
}

/** Reads the state of each role. Since PostgreSQL 16 a member may lack the right to set a role, and CREATEROLE covers only roles it created. */
async function roleStates(db: Kysely<Tables>): Promise<RoleState[]> {
  const { rows } = await sql<RoleState>`
    select wanted.role, known.oid is not null as "isThere", coalesce(known.rolsuper or known.rolbypassrls, false) as "isUnbound",
      coalesce(pg_has_role(known.oid, case when is_16 then 'SET' else 'MEMBER' end), false) as "isHeld",
      self.rolsuper or (self.rolcreaterole and not is_16) or coalesce(pg_has_role(known.oid, 'MEMBER WITH ADMIN OPTION'), self.rolcreaterole) as "mayGrant",
      self.rolsuper or self.rolcreaterole as "mayCreate", self.rolname as user
    from unnest(${roles}::text[]) with ordinality as wanted (role, position)
      join pg_roles self on self.rolname = current_user
      cross join (select current_setting('server_version_num')::int >= 160000 as is_16) version
      left join pg_roles known on known.rolname = wanted.role
    order by position`.execute(db)
  return rows
}

const isLacking = ({ isHeld, isUnbound }: RoleState): boolean => !isHeld || isUnbound
const canCorrect = ({ isThere, mayCreate, mayGrant }: RoleState): boolean => (isThere || mayCreate) && mayGrant

function corrections({ role, isThere, isUnbound, isHeld, user }: RoleState): string[] {
  return [
    ...(isThere ? [] : [`create role ${role} nologin nobypassrls`]),
    ...(isUnbound ? [`alter role ${role} nosuperuser nobypassrls`] : []),
    ...(isHeld ? [] : [`grant ${role} to "${user.replaceAll('"', '""')}"`]),
  ]
}

const instructions = (states: RoleState[]): string =>
  `The database's user lacks roles that it may not make. Let an administrator of the server run: ${states.flatMap(corrections).join('; ')};`
