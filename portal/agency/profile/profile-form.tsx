import { useState } from 'react'
import { profileProblems } from '#common/agency/profile.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { BoundCombobox, BoundText } from '#portal/kit/form/bound.tsx'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useUnsaved } from '#portal/kit/form/use-unsaved.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout, Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { displayValue, fields, labelOf, type Profile, useSaveProfile, valueAt } from './profile.ts'

type Form = Pick<Profile, 'address' | 'contactInfo' | 'billingInfo'>
/** A change that another user saved while this form was open. It clashes if both changed the field. */
type OtherChange = { path: string; value: string; clashes: boolean }

const formOf = ({ address, contactInfo, billingInfo }: Profile): Form => ({ address, contactInfo, billingInfo })

/**
 * Saves against the version that the form shows. If another user saved first, the form lists their changes. Unchanged fields take the new values,
 * edited fields keep theirs. Nothing is written until the user saves again.
 */
export function ProfileForm({ profile }: { profile: Profile }) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const save = useSaveProfile()
  const [base, setBase] = useState(profile)
  const [otherChanges, setOtherChanges] = useState<OtherChange[]>([])
  const form = useRulesForm<Form>({
    defaultValues: formOf(profile),
    rules: values => profileProblems(values, profile),
    send: async values => {
      const outcome = await saveUnlessChanged(values)
      if ('saved' in outcome) {
        setOtherChanges([])
        form.reset(formOf(outcome.saved))
        setBase(outcome.saved)
        showToast({ severity: 'success', summary: words('agency.saved') })
      } else {
        setOtherChanges(changedBetween(base, outcome.changedBy, values))
        form.reset(formOf(outcome.changedBy), { keepDirtyValues: true })
        setBase(outcome.changedBy)
      }
    },
  })
  useUnsaved(form.formState.isDirty)
  /** Saves over a newer version if that only changed fields outside this form, such as the logo. */
  async function saveUnlessChanged(values: Form) {
    const outcome = await save({ version: base.version, ...values })
    if ('saved' in outcome || changedBetween(base, outcome.changedBy, values).length > 0) return outcome
    return save({ version: outcome.changedBy.version, ...values })
  }
  const countries = configuration.countriesList.map(({ id, name }) => ({ value: id, label: name }))
  const twoColumns = 'grid gap-(--gap) sm:grid-cols-2'
  return (
    <RulesForm form={form} className="grid gap-(--card)">
      <ErrorSummary />
      <Card title={words('agency.part.address')}>
        <div className={twoColumns}>
          <BoundText label={words('agency.field.street')} name="address.street" required autoComplete="off" className="sm:col-span-2" />
          <BoundText label={words('agency.field.zip_code')} name="address.zipCode" required autoComplete="off" />
          <BoundText label={words('agency.field.city')} name="address.city" required autoComplete="off" />
          <BoundText label={words('agency.field.state')} name="address.state" required autoComplete="off" />
          <BoundCombobox
            label={words('agency.field.country')}
            name="address.country"
            required
            options={countries}
            also={['address.zipCode', 'contactInfo.phone']}
          />
        </div>
      </Card>
      <Card title={words('agency.part.contact')}>
        <div className={twoColumns}>
          <BoundText label={words('agency.field.email')} name="contactInfo.email" type="email" required autoComplete="off" />
          <BoundText label={words('agency.field.phone')} name="contactInfo.phone" type="tel" required autoComplete="off" />
        </div>
      </Card>
      <Card title={words('agency.part.billing')}>
        <div className={twoColumns}>
          <BoundText label={words('agency.field.iban')} name="billingInfo.iban" required autoComplete="off" spellCheck={false} />
          <BoundText label={words('agency.field.billing_email')} name="billingInfo.email" type="email" required autoComplete="off" />
        </div>
      </Card>
      <OtherChanges changes={otherChanges} />
      <div className="flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
        {form.formState.isDirty && !form.busy && (
          <Button
            look="quiet"
            onClick={() => {
              setOtherChanges([])
              form.reset(formOf(base))
            }}
          >
            {words('agency.undo')}
          </Button>
        )}
        <Button type="submit" busy={form.busy}>
          {words('agency.save')}
        </Button>
      </div>
    </RulesForm>
  )
}

function OtherChanges({ changes }: { changes: readonly OtherChange[] }) {
  const { words, locale } = useWords()
  return (
    <div role="alert" className="empty:hidden">
      {changes.length > 0 && (
        <Callout tone="warning" title={words('agency.changed.title')}>
          <p>{words('agency.changed.message')}</p>
          <ul className="mt-2 grid gap-1">
            {changes.map(({ path, value, clashes }) => {
              const label = labelOf(path)
              return (
                <li key={path}>
                  <strong className="font-medium">{label && words(label)}</strong> {displayValue(path, value, locale)}
                  {clashes && <span className="text-quiet"> · {words('agency.changed.yours_stays')}</span>}
                </li>
              )
            })}
          </ul>
        </Callout>
      )}
    </div>
  )
}

function changedBetween(base: Profile, current: Profile, values: Form): OtherChange[] {
  const own = { ...values, logo: base.logo }
  return fields
    .filter(({ path }) => path !== 'logo' && valueAt(base, path) !== valueAt(current, path))
    .map(({ path }) => {
      const mine = valueAt(own, path)
      return { path, value: valueAt(current, path), clashes: mine !== valueAt(base, path) && mine !== valueAt(current, path) }
    })
}
