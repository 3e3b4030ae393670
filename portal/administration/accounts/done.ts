import { showToast } from '#portal/kit/overlay/notices.ts'
import { reload } from '../queries.ts'

/** Shows a summary of the change, and closes the window. */
export async function done(summary: string, onClose: () => void): Promise<void> {
  await reload()
  showToast({ severity: 'success', summary })
  onClose()
}
