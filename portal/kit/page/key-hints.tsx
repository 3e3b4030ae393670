import { openStore } from '#portal/kit/stores.ts'
import { Caps } from '#portal/kit/shortcuts/keys.tsx'

const enough = 10
/** How often the keys of each part of the portal were used. */
const useUses = openStore('key-hints', { list: 0, quote: 0, sheet: 0, known: 0 })

type Place = 'list' | 'quote' | 'sheet' | 'known'

/** Counts a used key. After some of them the hints of that part are no longer shown. */
export function noteKeyUse(place: Place): void {
  const uses = useUses.getState()[place]
  if (uses < enough) useUses.setState({ [place]: uses + 1 })
}

type Hint = { keys: readonly string[]; label: string }

/** The keys of a part, each with its effect, until the user knows them. Touch screens show none. */
export function KeyHints({ place, hints, className = '' }: { place: Place; hints: readonly Hint[]; className?: string }) {
  const isKnown = useUses(uses => uses[place] >= enough)
  if (isKnown) return null
  return (
    <p data-hints className={`flex flex-wrap gap-x-4 gap-y-1 text-xs text-faint pointer-coarse:hidden ${className}`}>
      {hints.map(({ keys, label }) => (
        <span key={label} className="flex items-center gap-1.5 whitespace-nowrap">
          {keys.map(key => (
            <Caps key={key} keys={key} />
          ))}
          {label}
        </span>
      ))}
    </p>
  )
}
