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
import { fields, labelOf, type Profile, shown, valueAt } from './fields.ts'
import { useSaveProfile } from './save.ts'

type Form = Pick<Profile, 'address' | 'contactInfo' | 'billingInfo'>
/** What somebody else changed while this was being typed. */
type Theirs = { path: string; value: string; clashes: boolean }

const formOf = ({ address, contactInfo, billingInfo }: Profile): Form => ({ address, contactInfo, billingInfo })

/**
 * Saved against the version that was seen. Who was slower is told what the other changed: what he did not touch follows, what he typed stays,
 * and nothing is written before he saves again.
 */
export function ProfileForm({ profile }: { profile: Profile }) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const save = useSaveProfile()
  const [seen, setSeen] = useState(profile)
  const [theirs, setTheirs] = useState<Theirs[]>([])
  const form = useRulesForm<Form>({
    defaultValues: formOf(profile),
    rules: values => profileProblems(values, profile),
    send: async values => {
      const outcome = await saveOver(values)
      if ('saved' in outcome) {
        setTheirs([])
        form.reset(formOf(outcome.saved))
        setSeen(outcome.saved)
        showToast({ severity: 'success', summary: words('agency.saved') })
      } else {
        setTheirs(changedBetween(seen, outcome.changedBy, values))
        form.reset(formOf(outcome.changedBy), { keepDirtyValues: true })
        setSeen(outcome.changedBy)
      }
    },
  })
  useUnsaved(form.formState.isDirty)
  /** What this form does not show, such as the logo, may have changed meanwhile: that is in nobody's way. */
  async function saveOver(values: Form) {
    const outcome = await save({ version: seen.version, ...values })
    if ('saved' in outcome || changedBetween(seen, outcome.changedBy, values).length > 0) return outcome
    return save({ version: outcome.changedBy.version, ...values })
  }
  const countries = configuration.countriesList.map(({ id, name }) => ({ value: id, label: name }))
  const two = 'grid gap-(--gap) sm:grid-cols-2'
  return (
    <RulesForm form={form} className="grid gap-(--card)">
      <ErrorSummary />
      <Card title={words('agency.part.address')}>
        <div className={two}>
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
        <div className={two}>
          <BoundText label={words('agency.field.email')} name="contactInfo.email" type="email" required autoComplete="off" />
          <BoundText label={words('agency.field.phone')} name="contactInfo.phone" type="tel" required autoComplete="off" />
        </div>
      </Card>
      <Card title={words('agency.part.billing')}>
        <div className={two}>
          <BoundText label={words('agency.field.iban')} name="billingInfo.iban" required autoComplete="off" spellCheck={false} />
          <BoundText label={words('agency.field.billing_email')} name="billingInfo.email" type="email" required autoComplete="off" />
        </div>
      </Card>
      <Elsewhere theirs={theirs} />
      <div className="flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
        <Button
          look="quiet"
          disabled={!form.formState.isDirty || form.busy}
          onClick={() => {
            setTheirs([])
            form.reset(formOf(seen))
          }}
        >
          {words('agency.undo')}
        </Button>
        <Button type="submit" busy={form.busy}>
          {words('agency.save')}
        </Button>
      </div>
    </RulesForm>
  )
}

function Elsewhere({ theirs }: { theirs: readonly Theirs[] }) {
  const { words, locale } = useWords()
  return (
    <div role="alert" className="empty:hidden">
      {theirs.length > 0 && (
        <Callout tone="warning" title={words('agency.changed.title')}>
          <p>{words('agency.changed.message')}</p>
          <ul className="mt-2 grid gap-1">
            {theirs.map(({ path, value, clashes }) => {
              const label = labelOf(path)
              return (
                <li key={path}>
                  <strong className="font-medium">{label && words(label)}</strong> {shown(path, value, locale)}
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

function changedBetween(seen: Profile, now: Profile, typed: Form): Theirs[] {
  const own = { ...typed, logo: seen.logo }
  return fields
    .filter(({ path }) => path !== 'logo' && valueAt(seen, path) !== valueAt(now, path))
    .map(({ path }) => {
      const mine = valueAt(own, path)
      return { path, value: valueAt(now, path), clashes: mine !== valueAt(seen, path) && mine !== valueAt(now, path) }
    })
}
