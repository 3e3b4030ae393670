import type { PeopleSettings } from '#common/policies/people.ts'
import { formProblems } from './asked/form.ts'
import { type ChangePreview, previewChange } from './change.ts'
import type { Now, Policy } from './state.ts'

/** The settings by which a sale's form validates people. The day of departure comes from the change. */
export type FormSettings = Omit<PeopleSettings, 'startDate'>

/**
 * Validates a change by the sale's own rules for people, and then by those of rating. A policy that cannot change, or an unknown person or field,
 * comes first. The browser's price bar and the service call this.
 */
export function judgedChange(
  policy: Policy,
  asked: Parameters<typeof previewChange>[1],
  { now, form }: { now: Now; form: FormSettings },
): ChangePreview {
  const preview = previewChange(policy, asked, now)
  const wrong = preview.refusals.some(({ code, rule }) => code.startsWith('change.') || rule === 'unknown')
    ? []
    : formProblems(policy, asked.change, form)
  return wrong.length === 0 ? preview : { ...previewChange(policy, { ...asked, change: {} }, now), refusals: wrong }
}
