import type { Role } from '#common/session/roles.ts'
import type { Ids } from '#server/kit/clock.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import { hashPassword } from './password/passwords.ts'

type DemoUser = { email: string; name: string; units: string[]; role: Role }

/** The demo's users (README). They share one password and are never seeded in production. */
const demoUsers: DemoUser[] = [
  { email: 'agent@azahar.example', name: 'Lucía Ferrer', units: ['azahar'], role: 'seller' },
  { email: 'manager@azahar.example', name: 'Andrés Molina', units: ['azahar'], role: 'manager' },
  { email: 'viewer@azahar.example', name: 'Carmen Ibáñez', units: ['azahar'], role: 'viewer' },
  { email: 'accounts@azahar.example', name: 'Rosa Vidal', units: ['azahar'], role: 'accountant' },
  { email: 'agent@rotta.example', name: 'Giulia Parodi', units: ['rotta'], role: 'seller' },
  { email: 'multi@portolan.example', name: 'Nuria Costa', units: ['azahar', 'rotta'], role: 'seller' },
  { email: 'admin@portolan.example', name: 'Portolan Admin', units: ['azahar', 'rotta'], role: 'admin' },
  { email: 'admin2@portolan.example', name: 'Inés Robledo', units: ['azahar', 'rotta'], role: 'admin' },
]
export const demoPassword = 'portolan-demo'

/** Adds the demo's users. Existing users stay as they are. */
export async function seedUsers(tx: ServiceTx, ids: Ids, now: Date): Promise<void> {
  const hash = await hashPassword(demoPassword)
  const units = await tx.selectFrom('business_units').select(['id', 'key']).execute()
  for (const { email, name, units: keys, role } of demoUsers) {
    const user = await tx
      .insertInto('users')
      .values({ id: ids.next(), email, name, password_hash: hash, created_at: now })
      .onConflict(conflict => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!user) continue
    const memberships = keys.flatMap((key, rank) => {
      const unit = units.find(each => each.key === key)
      return unit ? [{ business_unit_id: unit.id, user_id: user.id, roles: [role], rank, created_at: now, accepted_at: now }] : []
    })
    await tx.insertInto('memberships').values(memberships).execute()
  }
}
