import { type Insertable, sql, type Updateable } from 'kysely'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { BusinessUnitsTable, Tables } from '#server/kit/sql/tables.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import { containing } from '#server/kit/store/search.ts'
import { type Paging, offsetOf } from '#server/kit/paging.ts'

export type UnitRow = {
  id: string
  key: string
  settings: UnitSettings
  suspended: boolean
  setByHand: string[]
  version: number
  createdAt: Date
  updatedAt: Date
}

const named = (search: string) => sql<boolean>`
  (business_units.key ilike ${containing(search)} or business_units.settings->>'brandName' ilike ${containing(search)}
    or business_units.settings->>'legalName' ilike ${containing(search)} or business_units.settings->>'taxId' ilike ${containing(search)})`

export async function listUnitRows(tx: AllUnitsTx, search: string, suspended: boolean | undefined, paging: Paging) {
  const found = tx
    .selectFrom('business_units')
    .$if(search.trim() !== '', query => query.where(named(search)))
    .$if(suspended !== undefined, query => query.where('suspended', '=', suspended ?? false))
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .select(eb => [
      'id',
      'key',
      'settings',
      'suspended',
      'created_at as createdAt',
      eb
        .selectFrom('memberships')
        .whereRef('memberships.business_unit_id', '=', 'business_units.id')
        .where('memberships.active', '=', true)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('users'),
      eb
        .selectFrom('unit_products')
        .whereRef('unit_products.business_unit_id', '=', 'business_units.id')
        .where('unit_products.enabled', '=', true)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('products'),
    ])
    .orderBy(sql`lower(business_units.settings->>'brandName')`)
    .orderBy('id')
    .limit(paging.perPage)
    .offset(offsetOf(paging))
    .execute()
  return { total, rows: rows.map(row => ({ ...row, settings: settingsIn(row) })) }
}

/** Reads a unit and locks it until the transaction ends. Of two concurrent changes the second thus sees the first. */
export async function lockUnit(tx: AllUnitsTx, id: string): Promise<UnitRow | undefined> {
  const row = await tx.selectFrom('business_units').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && unitRow(row)
}

export async function findUnit(tx: AllUnitsTx, id: string): Promise<UnitRow | undefined> {
  const row = await tx.selectFrom('business_units').selectAll().where('id', '=', id).executeTakeFirst()
  return row && unitRow(row)
}

const unitRow = (row: {
  id: string
  key: string
  settings: Record<string, unknown>
  suspended: boolean
  set_by_hand: string[]
  version: number
  created_at: Date
  updated_at: Date
}): UnitRow => ({
  id: row.id,
  key: row.key,
  settings: settingsIn(row),
  suspended: row.suspended,
  setByHand: row.set_by_hand,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Safe: settings are written from UnitSettings only (catalogue, administration, agency). */
const settingsIn = (row: { settings: Record<string, unknown> }): UnitSettings => row.settings as UnitSettings

/** Inserts a unit. Returns undefined if the key is in use. */
export const insertUnit = (tx: AllUnitsTx, unit: Insertable<BusinessUnitsTable>) =>
  tx
    .insertInto('business_units')
    .values(unit)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()

export const updateUnit = (tx: AllUnitsTx, id: string, changes: Updateable<BusinessUnitsTable>) =>
  tx.updateTable('business_units').set(changes).where('id', '=', id).execute()

export async function countUsers(tx: AllUnitsTx, unitId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('memberships')
    .where('business_unit_id', '=', unitId)
    .where('active', '=', true)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const hasPolicies = async (tx: AllUnitsTx, unitId: string): Promise<boolean> =>
  (await tx.selectFrom('policies').select('id').where('business_unit_id', '=', unitId).limit(1).executeTakeFirst()) !== undefined

/** Returns every product of the catalogue, with the unit's terms for it. */
export const productsFor = (tx: AllUnitsTx, unitId: string) =>
  tx
    .selectFrom('products')
    .innerJoin('product_versions', join =>
      join.onRef('product_versions.product_id', '=', 'products.id').onRef('product_versions.version', '=', 'products.version'),
    )
    .leftJoin('unit_products', join =>
      join.onRef('unit_products.product_id', '=', 'products.id').on('unit_products.business_unit_id', '=', unitId),
    )
    .select([
      'products.id',
      'products.code',
      sql<Record<string, string>>`product_versions.content->'name'`.as('name'),
      'unit_products.enabled',
      'unit_products.commission_percent as commissionPercent',
    ])
    .orderBy(sql`(product_versions.content->>'id')::int`)
    .execute()

export const setUnitProduct = (tx: AllUnitsTx, product: Insertable<Tables['unit_products']>) =>
  tx
    .insertInto('unit_products')
    .values({ ...product, set_by_hand: true })
    .onConflict(conflict =>
      conflict.columns(['business_unit_id', 'product_id']).doUpdateSet(eb => ({
        commission_percent: eb.ref('excluded.commission_percent'),
        enabled: eb.ref('excluded.enabled'),
        set_by_hand: true,
      })),
    )
    .execute()

export const gatewaysOf = (tx: AllUnitsTx, unitId: string) =>
  tx.selectFrom('unit_gateways').select(['name', 'enabled']).where('business_unit_id', '=', unitId).orderBy('name').execute()

export const setUnitGateway = (tx: AllUnitsTx, gateway: Insertable<Tables['unit_gateways']>) =>
  tx
    .insertInto('unit_gateways')
    .values({ ...gateway, set_by_hand: true })
    .onConflict(conflict =>
      conflict.columns(['business_unit_id', 'name']).doUpdateSet(eb => ({ enabled: eb.ref('excluded.enabled'), set_by_hand: true })),
    )
    .execute()

/** Ends the sessions of users who have no other unit and do not administer the service. */
export async function endSessionsOfUnit(tx: AllUnitsTx, unitId: string, now: Date): Promise<number> {
  const hasOtherUnit = sql`exists (
    select 1 from memberships as other join business_units as unit on unit.id = other.business_unit_id
    where other.user_id = memberships.user_id and other.active and not unit.suspended and unit.id <> ${unitId})`
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where('user_id', 'in', eb =>
      eb
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .where('memberships.business_unit_id', '=', unitId)
        .where('users.administrator', '=', false)
        .where(sql<boolean>`not ${hasOtherUnit}`)
        .select('memberships.user_id'),
    )
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}
