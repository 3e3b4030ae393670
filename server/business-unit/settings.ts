import type * as calls from '#common/business-unit/calls.ts'
import { countriesIn } from '#common/geography/countries.ts'
import { may } from '#common/kit/permissions.ts'
import { earliestBirthDate, quoteHours } from '#common/kit/validators/periods.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { unitSettings } from './queries.ts'

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
