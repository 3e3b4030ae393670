import { useEffect, useRef } from 'react'
import type { Span } from '#common/quotes/paste/text.ts'

export type Marked = { key: string; at: Span }

type Props = { label: string; text: string; facts: readonly Marked[]; lit: string | undefined }

/** Shows a text with the parts from which facts were read. Those of the lit fact stand out, and the box scrolls to them, but nothing around it. */
export function MarkedText({ label, text, facts, lit }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const mark = lit === undefined ? null : box.current?.querySelector<HTMLElement>('[data-lit]')
    if (box.current && mark) box.current.scrollTop = mark.offsetTop - box.current.clientHeight / 3
  }, [box, lit])
  return (
    <div
      ref={box}
      role="group"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls a long text
      tabIndex={0}
      className="relative max-h-80 overflow-auto rounded-lg border border-line bg-sheet px-3 py-2 break-words whitespace-pre-wrap md:max-h-[55dvh]"
    >
      {piecesOf(text, facts).map(({ at, keys }) => {
        const part = text.slice(...at)
        if (keys.length === 0) return part
        const isLit = lit !== undefined && keys.includes(lit)
        return (
          <mark
            key={at[0]}
            data-lit={isLit || undefined}
            className={`rounded-sm ${isLit ? 'bg-info text-sheet' : 'bg-info-soft text-info'}`}
          >
            {part}
          </mark>
        )
      })}
    </div>
  )
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
