import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastError } from '#portal/kit/overlay/report-error.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { endMyOtherSessions, endMySession, mySessions } from '#common/session/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card, State } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Session = ResponseOf<typeof mySessions>['sessions'][number]

/** Lists the user's sessions, each with a button that ends it. */
export function SessionsCard() {
  const { words } = useWords()
  const client = useQueryClient()
  const query = useQuery({ queryKey: ['sessions'], ...loadingOf(mySessions, {}) })
  const [ending, setEnding] = useState<string>()
  /** Ends one session, or all others, and then reloads the list. */
  async function end(uuid?: string) {
    if (ending) return
    setEnding(uuid ?? 'others')
    await (uuid ? ask(endMySession, { uuid }) : ask(endMyOtherSessions, {})).catch((error: unknown) => toastError(error))
    await client.invalidateQueries({ queryKey: ['sessions'] })
    setEnding(undefined)
  }
  const sessions = query.data?.sessions
  return (
    <Card
      title={words('account.sessions.title')}
      actions={
        sessions &&
        sessions.length > 1 && (
          <Button look="quiet" busy={ending === 'others'} onClick={() => void end()}>
            {words('account.sessions.end_others')}
          </Button>
        )
      }
    >
      {query.isError && !sessions && <LoadError small error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && (
        <Loading className="grid gap-2">
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-12 w-full" />
        </Loading>
      )}
      {sessions && (
        <ul className="-my-2 divide-y divide-line">
          {sessions.map(session => (
            <Row key={session.uuid} session={session} busy={ending === session.uuid} onEnd={uuid => void end(uuid)} />
          ))}
        </ul>
      )}
      {sessions?.length === 1 && <p className="text-sm text-quiet">{words('account.sessions.only')}</p>}
    </Card>
  )
}

function Row({ session, busy, onEnd }: { session: Session; busy: boolean; onEnd: (uuid: string) => void }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const { uuid, device, network, lastSeenAt, createdAt, current } = session
  const name = [device.browser, device.system].filter(Boolean).join(' · ') || words('account.sessions.unknown')
  return (
    <li className="flex items-center gap-3 py-2">
      <Icon name={device.kind === 'phone' ? 'phone' : device.kind === 'computer' ? 'globe' : 'settings'} className="size-5 text-quiet" />
      <div className="grid min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="truncate">{name}</span>
          {current && <State tone="success">{words('account.sessions.current')}</State>}
        </p>
        <p className="text-sm text-quiet">
          {words('account.sessions.seen', { seen: moment(lastSeenAt), since: moment(createdAt), network })}
        </p>
      </div>
      {!current && (
        <Button look="plain" busy={busy} aria-label={words('account.sessions.end_of', { device: name })} onClick={() => onEnd(uuid)}>
          {words('account.sessions.end')}
        </Button>
      )}
    </li>
  )
}
