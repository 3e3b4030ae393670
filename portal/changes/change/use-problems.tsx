import { type FocusEvent, useState } from 'react'
import type { Refused } from '#common/changes/refusals.ts'
import { problemAt } from '#portal/kit/field/problem-at.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Problems } from '../draft/groups.ts'
import type { Terms } from '../terms.ts'
import { Refusal } from './refusal.tsx'

/**
 * Returns the refusals by their fields. A field that is being typed in, or was never visited, shows no missing value until the user tries to save.
 */
export function useProblems(refusals: readonly Refused[], terms: Terms, policyUuid: string) {
  const { words } = useWords()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState('')
  const [isTried, setIsTried] = useState(false)
  const isShown = ({ code, path }: Refused) => code !== 'validation.failed' || isTried || (left.has(path) && path !== focused)
  const shownAt = (path: string) => refusals.find(each => each.path === path && isShown(each))
  const problems: Problems = {
    at(path) {
      const refused = shownAt(path)
      return refused && problemAt(words, refused)
    },
    below(path) {
      const refused = shownAt(path)
      return refused && <Refusal refused={refused} terms={terms} policyUuid={policyUuid} />
    },
  }
  return {
    problems,
    /** The refusals that are shown now, at fields or elsewhere. */
    shown: refusals.filter(isShown),
    showAll: () => setIsTried(true),
    events: {
      onFocus: ({ target }: FocusEvent<HTMLElement>) => setFocused(nameOf(target)),
      onBlur({ target }: FocusEvent<HTMLElement>) {
        setFocused('')
        setLeft(before => new Set([...before, nameOf(target)]))
      },
    },
  }
}

const nameOf = (target: Element): string => target.getAttribute('name') ?? ''
