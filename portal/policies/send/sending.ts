import { useEffect } from 'react'
import { later } from '#portal/kit/page/later.tsx'

const [Dialog, load] = later(async () => (await import('./send-dialog.tsx')).SendDialog)

/** The dialog that sends policies and saved quotes. */
export const SendDialog = Dialog

/** Loads the dialog as soon as a button for it is shown. */
export function useSendingSoon(isOffered: boolean): void {
  useEffect(() => {
    if (isOffered) load()
  }, [isOffered])
}
