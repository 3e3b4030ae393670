import { useState } from 'react'
import type { AnyCall, RequestSentOf } from '#common/kit/call.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { askForFile, saveFile } from './save-file.ts'

/** Saves requested files as downloads. An alert says why one failed. `busy` names the awaited file. */
export function useDownload() {
  const [busy, setBusy] = useState<string>()
  async function download<C extends AnyCall>(call: C, request: RequestSentOf<C>, name: string = call.path): Promise<boolean> {
    setBusy(name)
    try {
      saveFile(await askForFile(call, request))
      return true
    } catch (error) {
      alertError(error)
      return false
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, download }
}
