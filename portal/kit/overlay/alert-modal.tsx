import { useState } from 'react'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Failure } from '#portal/kit/errors/failure.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Dialog } from './dialog.tsx'
import { type AlertState, closeAlert, useAlert } from './notices.ts'

/** The alert window (spec 2). An alert with an action stays open until that succeeds, and shows its progress and errors. */
export function AlertModal() {
  const { words } = useWords()
  const alert = useAlert()
  const { mode, title, description, buttonTitle, showCloseIcon } = alert
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function runAction() {
    setBusy(true)
    setFailure(undefined)
    try {
      await alert.buttonBehavior?.()
      if (isShown(alert)) closeAlert(true)
    } catch (error) {
      setFailure(errorMessage(error, words))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={alert.isVisible}
      onClose={() => closeAlert(false)}
      role="alertdialog"
      size="small"
      busy={busy}
      showCloseIcon={showCloseIcon}
      title={title ?? words(texts[mode].title)}
      description={
        <span className="flex gap-3">
          <Icon name={icons[mode]} className={`size-5 ${iconColours[mode]}`} />
          <span className="whitespace-pre-line">{description ?? words(texts[mode].message)}</span>
        </span>
      }
      actions={
        <>
          {mode === 'confirm' && (
            <Button look="quiet" aria-disabled={busy} onClick={() => busy || closeAlert(false)}>
              {words('ui.cancel')}
            </Button>
          )}
          <Button busy={busy} onClick={() => void runAction()}>
            {buttonTitle ?? words(texts[mode].button)}
          </Button>
        </>
      }
    >
      <Failure>{failure}</Failure>
    </Dialog>
  )
}

/** False if another alert has replaced this one while its action ran. */
const isShown = (alert: AlertState): boolean => useAlert.getState().buttonBehavior === alert.buttonBehavior && useAlert.getState().isVisible

/** spec 8: the default texts of each mode come from translation keys. */
const texts = {
  info: { title: 'alert.info.title', message: 'alert.info.message', button: 'alert.info.accept' },
  warning: { title: 'alert.warning.title', message: 'alert.warning.message', button: 'alert.warning.accept' },
  error: { title: 'alert.error.title', message: 'alert.error.message', button: 'alert.error.accept' },
  confirm: { title: 'alert.confirm.title', message: 'alert.confirm.message', button: 'alert.confirm.confirm' },
} as const

const icons = { info: 'info', warning: 'alert-triangle', error: 'alert-circle', confirm: 'info' } as const
const iconColours = { info: 'text-info', warning: 'text-warning', error: 'text-danger', confirm: 'text-quiet' }
