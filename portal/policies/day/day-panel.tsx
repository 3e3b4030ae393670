import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { policyDay } from '#common/policies/day-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { openStore } from '#portal/kit/stores.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { boxLook, SalesPicture } from './sales-picture.tsx'

type Day = ResponseOf<typeof policyDay>

const useFolded = openStore<{ folded: boolean }>('policies-day', { folded: false })

/** Today's tasks: departures, saved quotes about to expire, failed emails, and the latest sales. */
export function DayPanel() {
  const { words } = useWords()
  const folded = useFolded(({ folded }) => folded)
  const maySeeSales = useMay('b2b-agency-view')
  const { data, error, refetch } = useQuery({ queryKey: ['policies', 'day'], queryFn: ({ signal }) => ask(policyDay, {}, { signal }) })
  const failed = !data && error !== null
  return (
    <section aria-label={words('policies.day')} className="grid gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{words('policies.day')}</h2>
        <Button
          look="plain"
          icon={folded ? 'chevron-down' : 'chevron-up'}
          aria-expanded={!folded}
          onClick={() => useFolded.setState({ folded: !folded })}
        >
          {words(folded ? 'policies.day_show' : 'policies.day_hide')}
        </Button>
      </div>
      {!folded && failed && <LoadError small title={words('policies.day_failed')} error={error} retry={() => void refetch()} />}
      {!folded && !failed && (
        <div className={`grid gap-3 sm:grid-cols-2 ${maySeeSales ? 'xl:grid-cols-4' : 'xl:grid-cols-3'}`}>
          <Departures day={data} />
          <Lapsing day={data} />
          <FailedMails day={data} />
          {maySeeSales && <SalesPicture />}
        </div>
      )}
    </section>
  )
}

function Departures({ day }: { day: Day | undefined }) {
  const { words } = useWords()
  if (day && !day.departures) return null
  const departures = day?.departures
  return (
    <Box icon="plane" title={words('policies.departures')} total={departures?.total} all={day && { to: '/policies', search: weekOf(day) }}>
      {departures?.policies.map(row => (
        <Entry key={row.policyUuid} to="/policies" policy={row.policyUuid} name={row.policyTaker} date={row.startDate} />
      ))}
    </Box>
  )
}

function Lapsing({ day }: { day: Day | undefined }) {
  const { words } = useWords()
  if (day && !day.lapsing) return null
  const lapsing = day?.lapsing
  return (
    <Box
      icon="bookmark"
      title={words('policies.lapsing')}
      total={lapsing?.total}
      all={day && { to: '/policies/saved', search: weekOf(day) }}
    >
      {lapsing?.policies.map(row => (
        <Entry
          key={row.policyUuid}
          to="/policies/saved"
          policy={row.policyUuid}
          name={row.policyTaker || row.productName}
          date={row.startDate}
        />
      ))}
    </Box>
  )
}

function FailedMails({ day }: { day: Day | undefined }) {
  const { words } = useWords()
  return (
    <Box icon="mail" title={words('policies.failed_mails')} total={day?.failedMails.total}>
      {day?.failedMails.mails.map(mail => (
        <Entry
          key={mail.uuid}
          to={mail.isBudget ? '/policies/saved' : '/policies'}
          policy={mail.policyUuid}
          name={mail.to}
          date={mail.at.slice(0, 10)}
        />
      ))}
    </Box>
  )
}

type BoxProps = {
  icon: IconName
  title: string
  total: number | undefined
  /** Links to the list of all of them. */
  all?: { to: ListPath; search: Record<string, string> } | undefined
  children: ReactNode
}

/** A box of fixed height, so that nothing moves when its entries load. A phone shows only the count, which links to the list. */
function Box({ icon, title, total, all, children }: BoxProps) {
  const { words } = useWords()
  const { number } = useFormat()
  return (
    <section aria-label={title} className={boxLook}>
      <header className="flex items-center gap-2">
        <Icon name={icon} className="size-4 text-quiet" />
        <h3 className="min-w-0 flex-1 font-medium">
          {all && total ? (
            <Link {...all} resetScroll={false} className="underline decoration-line underline-offset-4 hover:decoration-current">
              {title}
            </Link>
          ) : (
            title
          )}
        </h3>
        {total === undefined ? <Skeleton className="h-5 w-8" /> : <span className="text-lg font-semibold">{number(total)}</span>}
      </header>
      {total === 0 ? (
        <p className="self-center text-center text-sm text-quiet max-sm:hidden">{words('policies.nothing_today')}</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] content-start overflow-hidden text-sm max-sm:hidden">{children}</ul>
      )}
    </section>
  )
}

type ListPath = '/policies' | '/policies/saved'

function Entry({ to, policy, name, date }: { to: ListPath; policy: string; name: string; date: string }) {
  const { date: formatDate } = useFormat()
  return (
    <li>
      <Link
        to={to}
        search={before => (to === window.location.pathname ? { ...before, policy } : { policy })}
        resetScroll={false}
        className="flex min-h-6 items-center justify-between gap-3 rounded-sm px-1 hover:bg-sunken"
      >
        <span className="truncate">{name}</span>
        <span className="text-quiet">{formatDate(date)}</span>
      </Link>
    </li>
  )
}

const weekOf = ({ from, to }: Day) => ({ from, to, sort: 'startDate' })
