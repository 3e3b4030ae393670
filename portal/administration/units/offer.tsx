import { changeOffer } from '#common/administration/calls.ts'
import type { Problem } from '#common/kit/problems.ts'
import { ask } from '#portal/kit/ask.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import { BoundCheckbox } from '#portal/kit/form/bound.tsx'
import { BoundNumber } from '#portal/kit/form/bound-more.tsx'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useUnsaved } from '#portal/kit/form/use-unsaved.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../use-records.ts'
import { LoadLatest, SaveInFoot, useConflict } from '../form-actions.tsx'
import type { Unit } from './unit.tsx'

type Values = {
  products: { uuid: string; name: string; enabled: boolean; commissionPercent: NumberValue }[]
  gateways: { Deferred: boolean; StripeV2: boolean }
}

/** The products that a unit sells, its commissions, and its payment methods. Loading a catalogue does not change these. */
export function Offer({ unit: { uuid, version, products, gateways }, foot }: { unit: Unit; foot: HTMLElement | null }) {
  const { words } = useWords()
  const conflict = useConflict()
  const form = useRulesForm<Values>({
    defaultValues: {
      products: products.map(({ uuid, name, enabled, commissionPercent }) => ({ uuid, name, enabled, commissionPercent })),
      gateways: { Deferred: gateways.includes('Deferred'), StripeV2: gateways.includes('StripeV2') },
    },
    rules: offerProblems,
    send: async values => {
      const offered = values.products.map(({ uuid, enabled, commissionPercent }) => ({
        uuid,
        enabled,
        commissionPercent: typeof commissionPercent === 'number' ? commissionPercent : 0,
      }))
      const chosen = (['Deferred', 'StripeV2'] as const).filter(name => values.gateways[name])
      await conflict.watch(ask(changeOffer, { uuid, version, products: offered, gateways: chosen }))
      await reload()
      showToast({ severity: 'success', summary: words('administration.saved') })
    },
  })
  useUnsaved(form.formState.isDirty)
  return (
    <RulesForm form={form} className="grid gap-6 pt-2">
      <ErrorSummary />
      <fieldset className="grid gap-1">
        <legend className="mb-3 font-semibold">{words('administration.products')}</legend>
        <p aria-hidden="true" className="hidden text-sm text-quiet sm:grid sm:grid-cols-[1fr_12rem] sm:gap-x-4">
          <span>{words('administration.product')}</span>
          <span>{words('administration.commission')}</span>
        </p>
        {products.map(({ uuid, name, code }, index) => (
          <div key={uuid} className="grid items-center gap-x-4 gap-y-1 border-b border-line py-2 last:border-0 sm:grid-cols-[1fr_12rem]">
            <BoundCheckbox
              name={`products.${index}.enabled`}
              also={[`products.${index}.commissionPercent`]}
              label={words('administration.product_of', { name, code })}
            />
            <BoundNumber
              name={`products.${index}.commissionPercent`}
              label={words('administration.commission_of', { name })}
              hideLabel
              min={0}
              max={100}
            />
          </div>
        ))}
      </fieldset>
      <fieldset className="grid gap-2">
        <legend className="mb-3 font-semibold">{words('administration.gateways')}</legend>
        <BoundCheckbox name="gateways.Deferred" label={words('administration.gateway_deferred')} />
        <BoundCheckbox name="gateways.StripeV2" label={words('administration.gateway_card')} />
      </fieldset>
      {conflict.hasConflict && <LoadLatest />}
      <SaveInFoot form={form} foot={foot} />
    </RulesForm>
  )
}

function offerProblems({ products }: Values): Problem[] {
  return products.flatMap(({ enabled, commissionPercent }, index): Problem[] => {
    const isPercent =
      typeof commissionPercent === 'number' && Number.isInteger(commissionPercent) && commissionPercent >= 0 && commissionPercent <= 100
    const isEmpty = commissionPercent === null || commissionPercent === ''
    return isPercent || (isEmpty && !enabled)
      ? []
      : [{ path: `products[${index}].commissionPercent`, rule: 'commission', key: 'administration.fault.commission' }]
  })
}
