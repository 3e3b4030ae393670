import type { ReactNode } from 'react'
import type { ClientChange, ClientPolicy } from '#common/client/calls.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useClientFormat } from '../format.ts'
import { inLanguage } from '../parts.tsx'

type Changes = NonNullable<ClientChange['changes']>

/** Shows an offer: the differing facts before and after, the price line by line, and until when it can be paid. */
export function OfferedChanges({ offer, changes, policy }: { offer: ClientChange; changes: Changes; policy: ClientPolicy }) {
  const { words } = useWords()
  const { day, endedDay, money, moment } = useClientFormat(policy)
  const { facts, people, lines, total, waitUntil } = changes
  const shown = (what: Changes['facts'][number]['what'], value: string | null) => (value && isDay.has(what) ? day(value) : value)
  const lineNames = { travel: words('client.line_travel'), cancellation: words('client.line_cancellation'), tax: '' }
  const until = moment(offer.until)
  const lastDay = endedDay(offer.until)
  return (
    <>
      <dl className="grid gap-3">
        {facts.map(({ what, was, is }) => (
          <Fact key={what} name={words(factNames[what])} was={shown(what, was)} is={shown(what, is)} />
        ))}
        {people.map(({ what, was, is }) => (
          <Fact
            key={`${what} ${was} ${is}`}
            name={words(peopleNames[what])}
            was={what === 'corrected' && was !== is ? was : null}
            is={is ?? was}
          />
        ))}
      </dl>
      <table className="w-full border-t border-hair text-[0.9375rem]/5.5">
        <thead className="text-quiet">
          <tr>
            <th scope="col" className="pt-3 text-left font-normal">
              <span className="sr-only">{words('offer.price')}</span>
            </th>
            <th scope="col" className="pt-3 pl-3 text-right font-normal">
              {words('offer.now')}
            </th>
            <th scope="col" className="pt-3 pl-3 text-right font-normal">
              {words('offer.then')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ kind, label, translated, was, is }) => (
            <tr key={`${kind} ${label}`}>
              <th
                scope="row"
                className="pt-2 pr-2 text-left font-normal text-quiet"
                lang={lineNames[kind] || translated ? undefined : inLanguage(policy)}
              >
                {lineNames[kind] || label}
              </th>
              <Amount>{money(was)}</Amount>
              <Amount>{money(is)}</Amount>
            </tr>
          ))}
          <tr className="font-semibold">
            <th scope="row" className="pt-2 text-left">
              {words('client.total')}
            </th>
            <Amount>{money(total.was)}</Amount>
            <Amount>{money(total.is)}</Amount>
          </tr>
        </tbody>
      </table>
      <p className="flex justify-between gap-4 rounded-md bg-sunken px-3 py-2 text-[1.1875rem]/6.5 font-semibold">
        <span>{words('offer.charge')}</span>
        <span>{money(offer.charge)}</span>
      </p>
      <p>{lastDay ? words('offer.until_day', { date: lastDay }) : words('offer.until', { date: until.date, time: until.short })}</p>
      {waitUntil && <p className="text-quiet">{words('offer.wait', { date: moment(waitUntil).date, time: moment(waitUntil).short })}</p>}
    </>
  )
}

const isDay = new Set(['startDate', 'endDate', 'reservationDate'])

const factNames = {
  startDate: 'offer.start',
  endDate: 'offer.end',
  reservationDate: 'offer.reserved',
  origin: 'offer.origin',
  destinations: 'client.destination',
  insurancedAmount: 'offer.amount',
  holder: 'offer.holder',
  contact: 'offer.contact',
} as const

const peopleNames = {
  joins: 'offer.joins',
  leaves: 'offer.leaves',
  corrected: 'offer.corrected',
} as const

/** The values of contact data are not shown here. */
function Fact({ name, was, is }: { name: string; was: string | null; is: string | null }) {
  const { words } = useWords()
  return (
    <div>
      <dt className="text-[0.9375rem]/5.5 text-quiet">{name}</dt>
      {is && (
        <dd className="flex flex-wrap items-center gap-x-2 font-semibold wrap-anywhere">
          {was && (
            <>
              <span className="sr-only">{words('offer.now')}</span>
              <s className="font-normal text-quiet">{was}</s>
              <Icon name="arrow-right" className="size-4 text-faint" />
              <span className="sr-only">{words('offer.then')}</span>
            </>
          )}
          <span>{is}</span>
        </dd>
      )}
    </div>
  )
}

const Amount = ({ children }: { children: ReactNode }) => <td className="pt-2 pl-3 text-right whitespace-nowrap">{children}</td>
