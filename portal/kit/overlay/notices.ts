import type { ReactNode } from 'react'
import { create } from 'zustand'

/** The UI state of spec 3, with its names. Undefined texts are the mode's texts in the current language. */
export type AlertState = {
  isVisible: boolean
  title: string | undefined
  description: string | undefined
  buttonTitle: string | undefined
  buttonBehavior: (() => unknown) | undefined
  mode: AlertMode
  showCloseIcon: boolean
}
export type AlertMode = 'info' | 'warning' | 'error' | 'confirm'

export type ToastState = {
  isVisible: boolean
  severity: Severity
  summary: string
  detail: ReactNode
  position: Position
  /** In milliseconds; 0 keeps the toast until it is closed. */
  life: number
  /** A button in the toast. */
  action: { label: string; run: () => void } | undefined
  /** Numbers the toasts, as the same text again is a new toast. */
  number: number
}
export type Severity = 'success' | 'info' | 'warn' | 'error'
export type Position = 'top-left' | 'top-center' | 'top-right' | 'bottom-left' | 'bottom-center' | 'bottom-right'

export type LoaderState = { isVisible: boolean; bgTrasparent: boolean; fullScreen: boolean }

type Optional<State> = { [name in keyof State]?: State[name] | undefined }
type AlertOptions = Optional<Omit<AlertState, 'isVisible' | 'mode'>>

const noAlert: AlertState = {
  isVisible: false,
  title: undefined,
  description: undefined,
  buttonTitle: undefined,
  buttonBehavior: undefined,
  mode: 'info',
  showCloseIcon: true,
}
/** spec 9: top-right, 3000 ms. */
const noToast: ToastState = {
  isVisible: false,
  severity: 'info',
  summary: '',
  detail: undefined,
  position: 'top-right',
  life: 3000,
  action: undefined,
  number: 0,
}
const noLoader: LoaderState = { isVisible: false, bgTrasparent: false, fullScreen: true }

export const useAlert = create<AlertState>()(() => noAlert)
export const useToast = create<ToastState>()(() => noToast)
export const useLoader = create<LoaderState>()(() => noLoader)

let resolveAlert: ((confirmed: boolean) => void) | undefined

/**
 * Opens the alert (spec 4). Only confirm returns a promise, which is true once the action has succeeded and the window is closed, and false if the
 * user cancels.
 */
export function showAlert(alert: AlertOptions & { mode: 'confirm' }): Promise<boolean>
export function showAlert(alert: AlertOptions & { mode?: Exclude<AlertMode, 'confirm'> }): void
export function showAlert(alert: AlertOptions & { mode?: AlertMode }): Promise<boolean> | void {
  closeAlert(false)
  useAlert.setState({ ...noAlert, ...withoutUndefined(alert), isVisible: true })
  if (alert.mode !== 'confirm') return
  return new Promise(resolve => {
    resolveAlert = resolve
  })
}

/** Closes the alert, and resolves the promise of a confirm. */
export function closeAlert(confirmed: boolean): void {
  useAlert.setState(noAlert)
  resolveAlert?.(confirmed)
  resolveAlert = undefined
}

/** Shows a toast in place of the previous one. */
export function showToast(toast: Optional<Omit<ToastState, 'isVisible' | 'number'>> & { summary: string }): void {
  useToast.setState(({ number }) => ({ ...noToast, ...withoutUndefined(toast), isVisible: true, number: number + 1 }))
}

/** Removes undefined values, so that they do not replace the defaults. */
const withoutUndefined = <State extends object>(state: State): { [name in keyof State]?: Exclude<State[name], undefined> } =>
  // Safe: the filter leaves the same keys without undefined values.
  Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as {
    [name in keyof State]?: Exclude<State[name], undefined>
  }

/** Hides the toast but keeps its text, as it may still be fading out. */
export const closeToast = (): void => useToast.setState({ isVisible: false })

/** Removes all notices, so that nothing of a session stays on the screen after signing out. */
export function clearNotices(): void {
  closeAlert(false)
  useToast.setState(noToast)
  useLoader.setState(noLoader)
}
