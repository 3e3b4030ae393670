import { useLayoutEffect } from 'react'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { usePersonSuggestions } from '../known/use-person-suggestions.ts'
import { ownAddress, type PeopleForm } from '../people-form.ts'
import { namesAt } from './names.ts'
import { type SheetStore, useSheet } from './sheet-store.ts'

/** Suggests people for the focused row. It is rendered at each key, separately from the rows. */
export function Offers({ form, store, isHolder }: { form: RulesForm<PeopleForm>; store: SheetStore; isHolder: boolean }) {
  const active = useSheet(store, store.active)
  const surnames = useSheet(store, store.surnames)
  const suggestions = usePersonSuggestions(form, namesAt(active), isHolder && active === 0 ? ownAddress : undefined)
  const companions = useSheet(store, store.companions)?.names ?? ''
  useLayoutEffect(() => store.offer({ suggestions, surnames, companions }))
  return suggestions.list
}
