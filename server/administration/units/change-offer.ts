import type * as calls from '#common/administration/calls.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { audit } from '#server/session/public.ts'
import { describeUnit, unitToChange } from './describe.ts'
import { gatewaysOf, productsFor, setUnitGateway, setUnitProduct, updateUnit, type UnitRow } from './queries.ts'

type Input = HandlerInput<typeof calls.changeOffer>

/** Changes a unit's products, commissions and gateways. Omitted products stay as they are. */
export const changeOffer =
  (world: World): Handler<typeof calls.changeOffer> =>
  async input => {
    const { ask, caller, locale } = input
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      const unit = await unitToChange(tx, ask.uuid, ask.version)
      const changes = [...(await changeProducts(tx, input, unit)), ...(await changeGateways(tx, input, unit))]
      if (changes.length > 0) {
        await updateUnit(tx, unit.id, { version: unit.version + 1, updated_at: world.clock.now() })
        await audit(world, tx, input, {
          action: 'administration.offer_changed',
          outcome: 'done',
          userId,
          businessUnitId: unit.id,
          object: unit.id,
          details: Object.fromEntries(changes),
        })
      }
      return describeUnit(tx, unit.id, locale)
    })
  }

type Change = [name: string, change: { before: unknown; after: unknown }]

async function changeProducts(tx: AllUnitsTx, { ask }: Input, unit: UnitRow): Promise<Change[]> {
  const known = await productsFor(tx, unit.id)
  const changes: Change[] = []
  for (const [index, { uuid, enabled, commissionPercent }] of ask.products.entries()) {
    const product = known.find(({ id }) => id === uuid)
    if (!product) throw refuseFields([{ path: `products[${index}].uuid`, rule: 'known', key: 'administration.fault.product' }])
    const before = product.enabled ? product.commissionPercent : null
    const after = enabled ? commissionPercent : null
    if (before === after) continue
    const row = { business_unit_id: unit.id, product_id: uuid, commission_percent: commissionPercent, enabled }
    await setUnitProduct(tx, row)
    changes.push([product.code, { before, after }])
  }
  return changes
}

async function changeGateways(tx: AllUnitsTx, { ask }: Input, unit: UnitRow): Promise<Change[]> {
  const known = await gatewaysOf(tx, unit.id)
  const changes: Change[] = []
  for (const name of ['Deferred', 'StripeV2'] as const) {
    const before = known.some(gateway => gateway.name === name && gateway.enabled)
    const after = ask.gateways.includes(name)
    if (before === after) continue
    const row = { business_unit_id: unit.id, id: stableId('gateway', unit.key, name), name, enabled: after }
    await setUnitGateway(tx, row)
    changes.push([name, { before, after }])
  }
  return changes
}
