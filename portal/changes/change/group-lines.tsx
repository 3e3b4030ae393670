import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ChangePreview } from '#common/changes/change.ts'
import type { Refused } from '#common/changes/refusals.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { groupLabels } from '../labels.ts'
import { changeOf } from '../draft/draft.ts'
import { type Group, groupOf, groupsOf, type LinesProps, touchedGroups } from '../draft/groups.ts'
import { Lines } from '../draft/line.tsx'
import { PeopleLines } from '../people/people-lines.tsx'
import { HolderLines, OtherLines } from './other-lines.tsx'
import { AmountLines, DateLines, PlaceLines } from './trip-lines.tsx'

type Props = {
  lines: LinesProps
  people: ChangePreview['people']
  refusals: readonly Refused[]
  /** The lines of days and price, below the fields. */
  figures: ReactNode
}

/** The groups of fields: the open ones, and one line that names the unchanged ones. */
export function GroupLines({ lines, people, refusals, figures }: Props) {
  const { words } = useWords()
  const { policy, draft } = lines
  const all = groupsOf(policy, lines.fixed)
  const first = lines.fixed ? 'holder' : 'dates'
  const [chosen, setChosen] = useState<ReadonlySet<Group>>(new Set([first]))
  const touched = touchedGroups(draft, policy, changeOf(policy, draft))
  const refused = new Set(refusals.flatMap(({ path }) => groupOf(path) ?? []))
  const isOpen = (group: Group) => chosen.has(group) || touched.has(group) || refused.has(group)
  const body = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Group>(first)
  // Focuses the first field of the opened group, except on a phone, which would open its keyboard.
  useEffect(() => {
    if (matchMedia('(pointer: coarse)').matches) return
    body.current?.querySelector<HTMLElement>(`[data-group="${opened}"] :is(input, select, button)`)?.focus()
  }, [opened])
  function toggle(group: Group) {
    if (!chosen.has(group)) setOpened(group)
    setChosen(before => (before.has(group) ? new Set([...before].filter(each => each !== group)) : new Set([...before, group])))
  }
  const same = all.filter(group => !touched.has(group))
  const parts: Record<Group, ReactNode> = {
    dates: <DateLines {...lines} />,
    places: <PlaceLines {...lines} />,
    amount: <AmountLines {...lines} />,
    people: <PeopleLines {...lines} people={people} />,
    holder: <HolderLines {...lines} />,
    other: <OtherLines {...lines} />,
  }
  return (
    <div ref={body} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div role="group" aria-label={words('changes.what')} className="flex flex-wrap gap-1">
        {all.map(group => (
          <button
            key={group}
            type="button"
            aria-pressed={isOpen(group)}
            onClick={() => toggle(group)}
            className="inline-flex min-h-(--control) items-center gap-1.5 rounded-md border border-line px-2 text-sm font-semibold text-quiet hover:bg-sunken aria-pressed:border-ink aria-pressed:text-ink"
          >
            {isOpen(group) && <Icon name="check" className="size-3.5" />}
            {words(groupLabels[group])}
          </button>
        ))}
      </div>
      {all.some(group => group !== 'people' && isOpen(group)) && (
        <Lines>
          {all
            .filter(group => group !== 'people' && isOpen(group))
            .map(group => (
              <div key={group} data-group={group}>
                {parts[group]}
              </div>
            ))}
          {!isOpen('people') && figures}
        </Lines>
      )}
      {isOpen('people') && (
        <>
          <div data-group="people">{parts.people}</div>
          {figures && <Lines>{figures}</Lines>}
        </>
      )}
      {touched.size > 0 && same.length > 0 && (
        <p className="text-sm text-quiet">
          {words('changes.same', { parts: same.map(group => words(groupLabels[group]).toLocaleLowerCase()).join(', ') })}
        </p>
      )}
    </div>
  )
}
