import { useState } from 'react'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { endUserSessions } from '#common/administration/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Part, useDeviceName } from '../record.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../use-records.ts'
import type { User } from './user.tsx'

/** Lists a user's open sessions, and ends one or all of them. */
export function Sessions({ user: { uuid, openSessions } }: { user: User }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const [ending, setEnding] = useState<string>()
  async function end(sessionUuid?: string) {
    setEnding(sessionUuid ?? 'all')
    try {
      const { ended } = await ask(endUserSessions, { uuid, ...(sessionUuid ? { sessionUuid } : {}) })
      await reload()
      showToast({ severity: 'success', summary: words('administration.sessions_ended', { count: ended }) })
    } catch (error) {
      alertError(error)
    } finally {
      setEnding(undefined)
    }
  }
  const nameOf = useDeviceName()
  return (
    <Part
      title={words('administration.sessions')}
      actions={
        openSessions.length > 1 && (
          <Button look="quiet" busy={ending === 'all'} onClick={() => void end()}>
            {words('administration.end_all')}
          </Button>
        )
      }
    >
      {openSessions.length === 0 ? (
        <p className="text-quiet">{words('administration.no_sessions')}</p>
      ) : (
        <ul className="grid">
          {openSessions.map(({ uuid: session, userAgent, network, lastSeenAt }) => (
            <li key={session} className="flex items-center gap-3 border-b border-line py-2 last:border-0">
              <span className="grid min-w-0 flex-1">
                <span>{nameOf(userAgent)}</span>
                <span className="text-sm break-all text-quiet">
                  {network} · {words('administration.last_seen_at', { at: moment(lastSeenAt) })}
                </span>
              </span>
              <IconButton
                icon="log-out"
                label={words('administration.end_session', { device: nameOf(userAgent) })}
                busy={ending === session}
                onClick={() => void end(session)}
              />
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
