import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { wordsNow } from '#portal/kit/words.tsx'
import { showAlert, showToast } from './notices.ts'

/** Shows in the alert window why an action failed. */
export const alertError = (error: unknown): void => showAlert({ mode: 'error', description: errorMessage(error, wordsNow()) })

/** Shows in a toast why an action failed, for 8 s so that it can be read. */
export const toastError = (error: unknown): void => showToast({ severity: 'error', summary: errorMessage(error, wordsNow()), life: 8000 })
