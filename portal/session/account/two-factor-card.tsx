import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import type { twoFactor } from '#common/session/account-calls.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout, Card, State } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { checkSession } from '../session.ts'
import { NewCodes } from '../two-factor/new-codes.tsx'
import { SetUpTwoFactor } from '../two-factor/set-up.tsx'
import { TurnOffTwoFactor } from '../two-factor/turn-off.tsx'

type Factor = ResponseOf<typeof twoFactor>

export function TwoFactorCard({ query }: { query: UseQueryResult<Factor> }) {
  const { words } = useWords()
  const factor = query.data
  return (
    <Card
      title={words('account.two_factor.title')}
      actions={
        factor && (
          <State tone={factor.on ? 'success' : 'over'}>{words(factor.on ? 'account.two_factor.on' : 'account.two_factor.off')}</State>
        )
      }
    >
      {query.isError && !factor && <LoadError small error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && (
        <Loading>
          <Skeleton className="h-20 w-full" />
        </Loading>
      )}
      {factor && <Settings factor={factor} />}
    </Card>
  )
}

type OpenDialog = 'on' | 'off' | 'codes'

function Settings({ factor: { on, since, required, recoveryCodesLeft } }: { factor: Factor }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const client = useQueryClient()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const done = (summary: string) => {
    setOpenDialog(undefined)
    for (const key of ['two-factor', 'sessions']) void client.invalidateQueries({ queryKey: [key] })
    void checkSession()
    showToast({ severity: 'success', summary })
  }
  const refresh = () => void client.invalidateQueries({ queryKey: ['two-factor'] })
  const close = () => {
    setOpenDialog(undefined)
    refresh()
  }
  return (
    <>
      <p className="text-quiet">
        {on && since
          ? words('account.two_factor.since', { since: moment(since), count: recoveryCodesLeft })
          : words('account.two_factor.about')}
      </p>
      {on && recoveryCodesLeft < 3 && <Callout tone="warning">{words('account.recovery.few')}</Callout>}
      {required && <p className="text-sm text-quiet">{words('account.two_factor.required')}</p>}
      <div className="flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
        {on && (
          <Button look="quiet" onClick={() => setOpenDialog('codes')}>
            {words('account.recovery.new')}
          </Button>
        )}
        {on && !required && (
          <Button look="quiet" onClick={() => setOpenDialog('off')}>
            {words('account.two_factor.turn_off')}
          </Button>
        )}
        {!on && (
          <Button look="quiet" onClick={() => setOpenDialog('on')}>
            {words('account.two_factor.turn_on')}
          </Button>
        )}
      </div>
      <Dialog open={openDialog !== undefined} onClose={close} title={words(titles[openDialog ?? 'on'])} size="small">
        {openDialog === 'on' && <SetUpTwoFactor onDone={() => done(words('account.two_factor.turned_on'))} onCancel={close} />}
        {openDialog === 'off' && <TurnOffTwoFactor onDone={() => done(words('account.two_factor.turned_off'))} onCancel={close} />}
        {openDialog === 'codes' && <NewCodes onDone={close} onCancel={close} />}
      </Dialog>
    </>
  )
}

const titles = { on: 'account.two_factor.title', off: 'account.two_factor.turn_off', codes: 'account.recovery.new' } as const
