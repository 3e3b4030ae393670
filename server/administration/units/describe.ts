import type * as z from 'zod/mini'
import type { UnitFacts, unitDetail } from '#common/administration/schemas/unit.ts'
import * as calls from '#common/administration/calls.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import { pagesOf } from '#server/kit/paging.ts'
import type { Handler } from '#server/kit/serve.ts'
import { countUsers, findUnit, gatewaysOf, listUnitRows, lockUnit, productsFor, type UnitRow } from './queries.ts'

/** Returns a unit with all that the administration can change. */
export async function describeUnit(tx: AllUnitsTx, id: string, locale: Locale): Promise<z.input<typeof unitDetail>> {
  const unit = await findUnit(tx, id)
  if (!unit) throw new Refusal('request.not_found')
  const products = await productsFor(tx, id)
  const gateways = await gatewaysOf(tx, id)
  return {
    uuid: unit.id,
    key: unit.key,
    suspended: unit.suspended,
    createdAt: unit.createdAt.toISOString(),
    updatedAt: unit.updatedAt.toISOString(),
    users: await countUsers(tx, id),
    logo: unit.settings.logo,
    facts: factsOf(unit.settings),
    products: products.map(({ id: uuid, code, name, enabled, commissionPercent }) => ({
      uuid,
      code,
      name: name[languageOf(locale)] ?? code,
      enabled: enabled ?? false,
      commissionPercent,
    })),
    gateways: gateways.filter(({ enabled }) => enabled).map(({ name }) => name),
    version: unit.version,
  }
}

/** Reads and locks the unit to change. An outdated version is refused. */
export async function unitToChange(tx: AllUnitsTx, id: string, version?: number): Promise<UnitRow> {
  const unit = await lockUnit(tx, id)
  if (!unit) throw new Refusal('request.not_found')
  if (version !== undefined && version !== unit.version) throw new Refusal('administration.changed_meanwhile')
  return unit
}

export function factsOf(settings: UnitSettings): UnitFacts {
  const { brandName, legalName, taxId, managementGroup, locale, country, timeZone, currency, showSecondLastName, accent } = settings
  const {
    supportEmail,
    address,
    contactInfo,
    billingInfo,
    sessionIdleHours = null,
    sessionDays = null,
    earliestBirthDate = null,
    quoteHours = null,
    copiesOfChanges = false,
    distributionRole = 'agent',
    twoFactorRequired = false,
  } = settings
  const known = { brandName, legalName, taxId, managementGroup, locale, country, timeZone, currency, showSecondLastName, accent }
  return {
    ...known,
    supportEmail,
    address,
    contactInfo,
    billingInfo,
    sessionIdleHours,
    sessionDays,
    earliestBirthDate,
    quoteHours,
    copiesOfChanges,
    distributionRole,
    twoFactorRequired,
  }
}

export const viewUnit =
  (world: World): Handler<typeof calls.viewUnit> =>
  ({ ask, caller: { allUnits }, locale }) =>
    world.database.acrossUnits(allUnits, tx => describeUnit(tx, ask.uuid, locale))

export const listUnits =
  (world: World): Handler<typeof calls.listUnits> =>
  async ({ ask, caller: { allUnits } }) => {
    const suspended = ask.state === undefined ? undefined : ask.state === 'suspended'
    const { total, rows } = await world.database.acrossUnits(allUnits, tx => listUnitRows(tx, ask.searchData ?? '', suspended, ask))
    return {
      ...pagesOf(total, ask),
      units: rows.map(({ id, key, settings, suspended, users, products, createdAt }) => ({
        uuid: id,
        key,
        brandName: settings.brandName,
        legalName: settings.legalName,
        managementGroup: settings.managementGroup,
        locale: settings.locale,
        suspended,
        users: users ?? 0,
        products: products ?? 0,
        createdAt: createdAt.toISOString(),
      })),
    }
  }
