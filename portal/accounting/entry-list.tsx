import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProductName } from '#portal/products/store.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { Explanation } from './explanation.tsx'
import { AskButton, Question } from './question/question.tsx'
import { type EarningsParam, type EarningsParams, type Entry, useEntries } from './use-accounting.ts'

type Props = { params: EarningsParams; onFilter: (filters: { [name in EarningsParam]?: string | undefined }) => void }

const unfiltered = { product: undefined, agent: undefined, way: undefined, month: undefined, policy: undefined }

/** The movements of the period, each with its commission and its statement. Enter opens the policy. */
export function EntryList({ params, onFilter }: Props) {
  const { words } = useWords()
  const { money, moment } = useFormat()
  const productName = useProductName()
  const list = useEntries(params)
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Entry>()
  const isFiltered = Boolean(params.product ?? params.agent ?? params.way ?? params.month ?? params.policy)
  const currency = list.info?.currency ?? ''
  const showAll = (
    <Button look="quiet" onClick={() => onFilter(unfiltered)}>
      {words('accounting.show_all')}
    </Button>
  )
  return (
    <>
      <ListScreen
        caption={words('accounting.entries')}
        list={list}
        columns={useColumns(currency, setAsked)}
        keyOf={({ uuid }) => uuid}
        onOpen={({ policyUuid }) => void navigate({ to: '/policies', search: { policy: policyUuid } })}
        lines={entry => ({
          title: `${words('accounting.kind', { kind: entry.kind })} ${entry.policyNumber}`,
          end: money(entry.commission, currency),
          detail: (
            <>
              {[entry.policyTaker, moment(entry.at), productName(entry)].filter(Boolean).join(' · ')}
              <span className="grid justify-items-start">
                <Explanation entry={entry} currency={currency} />
              </span>
            </>
          ),
          state: money(entry.gross, currency),
        })}
        foot={
          list.info && {
            label: words('accounting.count', { count: list.info.total }),
            sums: { gross: money(list.info.sums.gross, currency), commission: money(list.info.sums.earned, currency) },
            end: money(list.info.sums.earned, currency),
          }
        }
        empty={{
          icon: 'receipt',
          title: words(isFiltered ? 'accounting.none_found' : 'accounting.none'),
          ...(isFiltered ? { action: showAll } : { hint: words('accounting.none_hint') }),
        }}
      >
        {isFiltered && <div className="flex">{showAll}</div>}
      </ListScreen>
      {asked && <Question entry={asked} currency={currency} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function useColumns(currency: string, onAsk: (entry: Entry) => void): Column<Entry>[] {
  const { words } = useWords()
  const { money, moment } = useFormat()
  const productName = useProductName()
  const seesNames = useMay('b2b-policies-sold-view')
  const quiet = (text: string) => <span className="text-quiet">{text}</span>
  return [
    { key: 'at', head: words('accounting.at'), cell: ({ at }) => quiet(moment(at)) },
    {
      key: 'kind',
      head: words('accounting.what'),
      cell: entry => (
        <div className="flex max-w-40 flex-wrap items-center gap-x-2 py-1">
          {words('accounting.kind', { kind: entry.kind })}
          <Explanation entry={entry} currency={currency} />
        </div>
      ),
    },
    { key: 'policy', head: words('accounting.policy'), cell: ({ policyNumber }) => policyNumber },
    ...(seesNames
      ? [{ key: 'taker', head: words('accounting.policyholder'), hide: 64 as const, cell: ({ policyTaker }: Entry) => policyTaker ?? '' }]
      : []),
    { key: 'product', head: words('accounting.product'), hide: 72, cell: entry => quiet(productName(entry)) },
    { key: 'agent', head: words('accounting.agent'), hide: 80, cell: ({ sellerName }) => quiet(sellerName) },
    { key: 'way', head: words('accounting.paid_by'), hide: 80, cell: ({ way }) => quiet(words('accounting.way', { way })) },
    { key: 'gross', head: words('accounting.gross'), align: 'end', cell: ({ gross }) => money(gross, currency) },
    { key: 'commission', head: words('accounting.earned'), align: 'end', cell: ({ commission }) => money(commission, currency) },
    {
      key: 'state',
      head: words('accounting.statement'),
      cell: ({ state, statement }) => (
        <State tone={state === 'paid' ? 'success' : state === 'open' ? 'neutral' : 'info'}>
          {statement ?? words('accounting.not_closed')}
        </State>
      ),
    },
    {
      key: 'ask',
      head: words('accounting.ask'),
      hideHead: true,
      align: 'end',
      cell: entry => <AskButton entry={entry} onAsk={() => onAsk(entry)} />,
    },
  ]
}
