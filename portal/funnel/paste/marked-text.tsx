import type { Ref } from 'react'
import type { Span } from '#common/quotes/paste/text.ts'

export type Marked = { key: string; at: Span }

type Props = { label: string; text: string; facts: readonly Marked[]; ref: Ref<HTMLDivElement> }

/** Shows a text with the parts from which facts were read. */
export const MarkedText = ({ label, text, facts, ref }: Props) => (
  <div
    ref={ref}
    role="group"
    aria-label={label}
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls a long text
    tabIndex={0}
    className="relative max-h-80 overflow-auto rounded-lg border border-line bg-sheet px-3 py-2 break-words whitespace-pre-wrap md:max-h-[55dvh]"
  >
    {piecesOf(text, facts).map(({ at, keys }) => {
      const part = text.slice(...at)
      if (keys.length === 0) return part
      return (
        <mark key={at[0]} data-facts={JSON.stringify(keys)} className="rounded-sm bg-info-soft text-info">
          {part}
        </mark>
      )
    })}
  </div>
)

/**
 * Makes the marks of a fact stand out, and scrolls the text to them, but nothing around it. It changes the page itself: a text of many pages is not
 * rendered again for each fact that the pointer passes.
 */
export function lightUp(box: HTMLElement | null, key: string | undefined): void {
  if (!box || key === undefined || box.dataset['lit'] === key) return
  box.dataset['lit'] = key
  let first: HTMLElement | undefined
  for (const mark of box.querySelectorAll('mark')) {
    const isLit = mark.dataset['facts']?.includes(JSON.stringify(key)) === true
    mark.toggleAttribute('data-lit', isLit)
    // Not a class: every page loads the whole style sheet.
    mark.style.outline = isLit ? '2px solid' : ''
    if (isLit) first ??= mark
  }
  if (first) box.scrollTop = first.offsetTop - box.clientHeight / 3
}

type Piece = { at: Span; keys: string[] }

/** Cuts a text wherever a fact begins or ends, as facts can overlap: an age within a number of travellers. */
export function piecesOf(text: string, facts: readonly Marked[]): Piece[] {
  const cuts = [...new Set([0, text.length, ...facts.flatMap(({ at }) => at)])].toSorted((a, b) => a - b)
  return cuts.slice(1).map((to, index) => {
    const from = cuts[index] ?? 0
    return { at: [from, to], keys: facts.filter(({ at }) => at[0] <= from && to <= at[1]).map(({ key }) => key) }
  })
}
