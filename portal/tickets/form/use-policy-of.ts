import { useRef, useState } from 'react'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import { contactOf, isContactOfAnother, withPolicy } from './from-policy.ts'
import type { TicketForm } from './values.ts'

const filledFields = ['policyUuid', 'policyNumber', 'contactEmail', 'contactPhone', 'answers', 'filled'] as const

/** The policy of a form, and the function that fills the form from another one. */
export function usePolicyOf(form: RulesForm<TicketForm>) {
  const { words } = useWords()
  const [policy, setPolicy] = useState<PolicyDetail>()
  const last = useRef<PolicyDetail>(undefined)

  function show(next: TicketForm) {
    // A field with an error is validated again, since its value has changed.
    for (const name of filledFields)
      if (form.getValues(name) !== next[name]) form.setValue(name, next[name], { shouldValidate: form.getFieldState(name).invalid })
  }
  function fillFrom(detail: PolicyDetail | undefined) {
    setPolicy(detail)
    const next = withPolicy(form.getValues(), detail)
    show(next)
    if (!detail) return
    const before = last.current
    last.current = detail
    if (before && isContactOfAnother(next, before, detail)) void askForContact(next, before, detail)
  }
  async function askForContact(next: TicketForm, before: PolicyDetail, now: PolicyDetail) {
    const isWanted = await showAlert({
      mode: 'confirm',
      title: words('tickets.contact_title', { name: now.policy.policyTaker }),
      description: words('tickets.contact_of_another', {
        contact: [next.contactEmail, next.contactPhone].filter(Boolean).join(' · '),
        other: before.policy.policyTaker,
      }),
      buttonTitle: words('tickets.contact_change'),
    })
    const contact = contactOf(now)
    if (isWanted) show({ ...form.getValues(), ...contact, filled: { ...form.getValues('filled'), ...contact } })
  }
  return { policy, fillFrom }
}
