import { useEffect } from 'react'
import { later } from '#portal/kit/page/later.tsx'

/** The dialog that sends policies and saved quotes. */
export const [SendDialog, loadSendDialog] = later(async () => (await import('../send-dialog.tsx')).SendDialog)

/** Loads the dialog as soon as there is a button that opens it. */
export function useSendingSoon(isOffered: boolean): void {
  useEffect(() => {
    if (isOffered) loadSendDialog()
  }, [isOffered])
}
