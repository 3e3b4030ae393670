import { type Selectable, sql } from 'kysely'
import { type UnitSettings, unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { SealedRows } from '#server/kit/sealed/reseal.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import type { SoldHashes } from '#server/products/public.ts'
import type { linesOf, PersonRow, PolicyRow, versionOf } from '../queries.ts'
import { numberIn, openedPerson, sealedNumber, type StoredNumber } from '#server/kit/sealed/document-numbers.ts'
import type { PolicyTables } from '../tables.ts'

/** A policy with one of its versions, all that is stored with it, and the unit's settings. */
export type Stored = {
  policy: PolicyRow
  version: Awaited<ReturnType<typeof versionOf>>
  lines: Awaited<ReturnType<typeof linesOf>>
  people: PersonRow[]
  settings: UnitSettings
  /** The edition that it was sold or quoted with. */
  hashes: SoldHashes
  /** The way of the sale's payment. */
  paidBy: string | null
}

type Person = Selectable<PolicyTables['policy_people']>
/** One version of a policy, as it is stored. */
export type StoredVersion = Pick<Stored, 'version' | 'lines' | 'people' | 'hashes'>

/** As JSON has them: instants as text, bytes in hexadecimal. */
type Row = PolicyRow & {
  found: Omit<Stored['version'], 'at'> & { at: string }
  lines: Stored['lines'] | null
  people: (Omit<Person, 'sealed' | 'document_hash'> & { sealed: string | null })[] | null
  settings: UnitSettings
  hashes: SoldHashes
  paid_by: string | null
}

/** Reads a policy with a version, by one statement: by default the current one, and the one that was sold for null. */
export async function findStored(secrets: Secrets, tx: UnitTx, id: string, wanted?: number | null): Promise<Stored | undefined> {
  const number =
    wanted === undefined
      ? sql`policies.version`
      : wanted === null
        ? sql`coalesce(policies.sold_version, policies.version)`
        : sql`${wanted}::integer`
  const ofVersion = (table: 'policy_price_lines' | 'policy_people') => sql`
    ${sql.table(table)} as each
    where each.business_unit_id = policies.business_unit_id and each.policy_id = policies.id and each.version = found.version`
  const { rows } = await sql<Row>`
    select policies.*, to_jsonb(found) as found, business_units.settings,
      (select jsonb_agg(to_jsonb(each) order by each.position) from ${ofVersion('policy_price_lines')}) as lines,
      (select jsonb_agg(to_jsonb(each) - 'document_hash' order by each.position) from ${ofVersion('policy_people')}) as people,
      (select min(gateway) from payments
        where payments.business_unit_id = policies.business_unit_id and payments.policy_id = policies.id
          and payments.state = 'settled' and payments.purpose = 'sale') as paid_by,
      jsonb_build_object('product', product_versions.hash, 'common', catalogue_versions.hash, 'tariff', tariffs.hash) as hashes
    from policies
    join policy_versions as found
      on found.business_unit_id = policies.business_unit_id and found.policy_id = policies.id and found.version = ${number}
    join business_units on business_units.id = policies.business_unit_id
    join product_versions on product_versions.product_id = policies.product_id and product_versions.version = found.product_version
    join catalogue_versions on catalogue_versions.version = found.catalogue_version
    join tariffs on tariffs.product_id = policies.product_id and tariffs.version = found.tariff_version
    where policies.business_unit_id = ${tx.businessUnitId} and policies.id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { found, lines, people, settings, hashes, paid_by: paidBy, ...policy } = row
  return {
    policy,
    version: { ...found, at: new Date(found.at) },
    lines: lines ?? [],
    people: (people ?? []).map(({ sealed, ...person }) =>
      openedPerson(secrets, { ...person, sealed: sealed === null ? null : Buffer.from(sealed.slice(2), 'hex') }),
    ),
    settings,
    hashes,
    paidBy,
  }
}

/** Reads a version that the policy has. */
export async function storedVersion(
  secrets: Secrets,
  tx: UnitTx,
  { id, version }: Pick<PolicyRow, 'id' | 'version'>,
): Promise<StoredVersion> {
  const stored = await findStored(secrets, tx, id, version)
  if (!stored) throw new Error(`policy ${id} has no version ${version}`)
  return stored
}

/** How many rows a transaction encrypts, few enough that a sale waits for one of them only a moment. */
const batch = 500

type NumberRow = StoredNumber & { unit: string; policy_id: string; version: number; position: number }

/** People with document numbers, for the start that encrypts them. Only the role of the retention changes people. */
export const sealedPeople: SealedRows = {
  table: 'policy_people',
  isOpen: sql`document_number is not null`,
  inTx: (database, work) => database.asPrivacy(work),
  async seal(secrets, tx, key, unitId) {
    const { rows } = await sql<NumberRow>`
      select business_unit_id as unit, policy_id, version, position, document_number, sealed, sealed_by from policy_people
      where business_unit_id = ${unitId} and ${key === null ? sql`document_number is not null` : sql`sealed_by = ${key}`} limit ${batch} for update skip locked`.execute(
      tx,
    )
    const sealed = rows.map(({ unit: unitId, policy_id: policyId, ...stored }) =>
      sealedNumber(secrets, { unitId, policyId }, numberIn(secrets, policyId, stored)),
    )
    await sql`
      update policy_people set document_number = null, sealed = each.sealed, sealed_by = each.sealed_by, document_hash = each.hash
      from unnest(${rows.map(({ unit }) => unit)}::uuid[], ${rows.map(row => row.policy_id)}::uuid[], ${rows.map(({ version }) => version)}::integer[],
        ${rows.map(({ position }) => position)}::integer[], ${sealed.map(each => each.sealed)}::bytea[], ${sealed.map(each => each.sealed_by)}::text[],
        ${sealed.map(each => each.document_hash)}::bytea[]) as each (unit, policy_id, version, position, sealed, sealed_by, hash)
      where policy_people.business_unit_id = each.unit and policy_people.policy_id = each.policy_id and policy_people.version = each.version
        and policy_people.position = each.position`.execute(tx)
    return rows.length
  },
}

/** Returns the time zone that a policy was sold in, by which all its days are counted. Versions from before it was kept have the unit's. */
export async function timeZoneOf(tx: UnitTx, { content }: Pick<StoredVersion['version'], 'content'>): Promise<string> {
  // Safe: registration.ts writes it.
  const { timeZone } = content as { timeZone?: string }
  return timeZone ?? (await unitSettings(tx)).timeZone
}
