import type * as calls from '#common/business-unit/calls.ts'
import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import { countriesIn } from '#common/geography/countries.ts'
import { may } from '#common/kit/permissions.ts'
import { earliestBirthDate, quoteHours } from '#common/kit/validators/periods.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/store/stable-id.ts'

/** The stored settings of a unit: those of the catalogue, with the logo as a data URL. */
export type UnitSettings = Omit<CatalogueUnit, 'key' | 'gateways'>

export const unitSettings = async (tx: UnitTx): Promise<UnitSettings> => (await unitRevision(tx)).settings

/** Returns a unit's settings with their version, which every change of them raises. */
export async function unitRevision(tx: UnitTx): Promise<{ settings: UnitSettings; version: number }> {
  const { settings, version } = await tx.selectFrom('business_units').select(['settings', 'version']).executeTakeFirstOrThrow()
  // Safe: this column is written with validated settings only.
  return { settings: settings as UnitSettings, version }
}

/** The UUIDs by which the policy list filters for a status (spec 4, policy status types). */
export const policyStatusTypes = {
  purchased: { uuid: stableId('policy-status', 'purchased') },
  budgeted: { uuid: stableId('policy-status', 'budgeted') },
  cancelled: { uuid: stableId('policy-status', 'cancelled') },
}

export const settings =
  (world: World): Handler<typeof calls.settings> =>
  async ({ caller, locale }) => {
    const { scope } = caller.unit
    const unit = await world.database.inScope(scope, tx => unitSettings(tx))
    const { brandName, legalName, taxId, address, contactInfo, billingInfo, logo, accent, managementGroup } = unit
    return {
      uuid: scope.businessUnitId,
      brandName,
      legalName,
      taxId,
      address,
      contactInfo,
      billingInfo: may(caller.unit.permissions, 'b2b-agency-view') ? billingInfo : { email: billingInfo.email },
      logo,
      accent,
      managementGroup,
      policyStatusTypes,
      configuration: {
        locale: unit.locale,
        countriesList: countriesIn(locale),
        country: unit.country,
        showSecondLastName: unit.showSecondLastName,
        timeZone: unit.timeZone,
        currency: unit.currency,
        earliestBirthDate: unit.earliestBirthDate ?? earliestBirthDate,
        quoteHours: unit.quoteHours ?? quoteHours.least,
      },
    }
  }
