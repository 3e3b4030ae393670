import type { ReactNode } from 'react'
import type { Standing } from '#common/quotes/comparison.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { KeyHints } from '#portal/kit/page/key-hints.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'
import { useSentence } from './refused-list.tsx'
import { PriceText } from './row.tsx'

/** A button with its shortcut key, which works while the results have the focus. */
export function KeyButton({ letter, children, ...button }: { letter: string; onClick: () => void; children: string }) {
  return (
    <Button look="plain" {...button}>
      <Keys keys={letter} />
      {children}
    </Button>
  )
}

/** The keys of the results, shown while they are new to the user. */
export function KeysFoot({ many }: { many: number }) {
  const { words } = useWords()
  return (
    <KeyHints
      place="quote"
      className="max-lg:hidden"
      hints={[
        { keys: [many > 1 ? `1–${many}` : '1'], label: words('quote.to_choose') },
        { keys: ['Enter'], label: words('quote.to_sell') },
        { keys: ['d'], label: words('quote.covers').toLocaleLowerCase() },
        { keys: ['g'], label: words('quote.save').toLocaleLowerCase() },
        { keys: [shortcuts.offer], label: words('quote.send').toLocaleLowerCase() },
      ]}
    />
  )
}

type FootProps = { product: Product; standing: Standing | undefined; trip: TripForm; travellers: number; children: ReactNode }

/** The chosen product and its button: under the table, or at the bottom of a narrow screen, where it also shows the price. */
export function ChosenFoot({ product, standing, trip, travellers, children }: FootProps) {
  const { words } = useWords()
  const { money } = useFormat()
  const sentence = useSentence()
  const showsCommission = useShowsCommission()
  const quote = standing?.state === 'priced' ? standing.quote : undefined
  return (
    <div data-foot className="prices-foot">
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{product.name}</p>
        <p className="text-sm text-quiet lg:hidden">
          <PriceText standing={standing} trip={trip} /> · {words('line.count', { count: travellers })}
          {quote && showsCommission && (
            <>
              {' · '}
              <span className="whitespace-nowrap">
                {words('quote.your_commission')} {money(quote.commission.amount, quote.currency)}
              </span>
            </>
          )}
        </p>
        {standing?.state === 'refused' && <p className="text-sm text-quiet">{sentence(standing.reasons)}</p>}
      </div>
      {children}
    </div>
  )
}
