import { type ReactNode, useState } from 'react'
import type { Standings } from '#common/quotes/comparison.ts'
import { keyGroups, type Rank, ranked, ranks } from '#common/quotes/ranking.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { openStore } from '#portal/kit/stores.ts'
import { useWaitWord } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import type { Prices } from '../compare/use-standings.ts'

/** The number of prices and how certain they are, their order, and the buttons of the page. */
export function ResultsBar({ prices, children }: { prices: Prices; children: ReactNode }) {
  const { words } = useWords()
  const wait = useWaitWord()
  const standings = [...prices.standings.values()]
  const priced = standings.flatMap(standing => (standing.state === 'priced' ? [standing.quote] : []))
  const lacking = standings.filter(({ state }) => state === 'asks').length
  const days = standings.flatMap(standing => (standing.state === 'priced' && !standing.term ? [standing.quote.travelDays] : []))[0]
  const isAsking = prices.isComplete && standings.length === 0 && !prices.error
  // A price that may still change says so whatever else is missing.
  const sureness = priced.some(({ provisional }) => provisional)
    ? [words('quote.provisional')]
    : priced.length > 0 && lacking === 0
      ? [words('quote.final')]
      : []
  // Without prices there is nothing to say about their certainty.
  const notes = prices.isComplete
    ? [
        ...(days === undefined ? [] : [words('line.days', { count: days })]),
        ...(lacking > 0 ? [words('quote.lacking', { count: lacking })] : []),
        ...sureness,
      ]
    : [words('quote.unfinished')]
  return (
    <div className="contents items-center gap-2 lg:flex">
      <div className="results-head flex flex-1 flex-wrap items-center gap-2">
        <h2 aria-live="polite" className="mr-auto text-lg">
          {isAsking ? (
            <span className="text-quiet">{wait}</span>
          ) : (
            <>
              <strong className="font-semibold">{words('quote.prices', { count: priced.length })}</strong>
              {notes.length > 0 && <span className="text-base text-quiet"> · {notes.join(' · ')}</span>}
            </>
          )}
        </h2>
        <RankChoice />
      </div>
      {/* On a narrow screen they are below the prices. */}
      <div className="prices-buttons flex flex-wrap gap-2">{children}</div>
    </div>
  )
}

const names = { fit: 'quote.by_fit', price: 'quote.by_price', commission: 'quote.by_commission' } as const

function RankChoice() {
  const { words } = useWords()
  const showsCommission = useShowsCommission()
  const by = useRank()
  return (
    <fieldset className="ranks">
      <legend className="sr-only">{words('quote.rank')}</legend>
      {ranks
        .filter(rank => showsCommission || rank !== 'commission')
        .map((rank: Rank) => (
          <label key={rank}>
            <input type="radio" name="rank" className="sr-only" checked={by === rank} onChange={() => chooseRank(rank)} />
            {words(names[rank])}
          </label>
        ))}
    </fieldset>
  )
}

const useChosenRank = openStore<{ by: Rank }>('rank', { by: 'fit' })

const chooseRank = (by: Rank): void => useChosenRank.setState({ by })

/** Returns the order chosen by the user. While the client can see the screen, none reveals the commission. */
function useRank(): Rank {
  const by = useChosenRank(({ by }) => by)
  const showsCommission = useShowsCommission()
  return by === 'commission' && !showsCommission ? 'fit' : by
}

/** Returns the products in their order, and keeps the last results while newer ones are requested. Undefined until there are any. */
export function useRanked(products: readonly Product[], { standings, areCurrent }: Prices) {
  const by = useRank()
  const [seen, setSeen] = useState<Standings>()
  if (areCurrent && seen !== standings) setSeen(standings)
  const groups = keyGroups(products.filter(({ uuid }) => isInsured(seen, uuid)))
  return { seen, groups, order: seen ? ranked(products, seen, by, groups) : [] }
}

const isInsured = (standings: Standings | undefined, uuid: string): boolean => {
  const standing = standings?.get(uuid)
  return standing !== undefined && standing.state !== 'refused'
}
