import { create } from 'zustand'

/** The UI state of spec 3, in its words. Texts that are left out are those of the mode, in the language of the moment. */
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
  detail: string | undefined
  position: Position
  /** Milliseconds; 0 stays until it is closed. */
  life: number
  /** One thing to do about it. */
  action: { label: string; run: () => void } | undefined
  /** Which toast this is: the same words again are another toast. */
  number: number
}
export type Severity = 'success' | 'info' | 'warn' | 'error'
export type Position = 'top-left' | 'top-center' | 'top-right' | 'bottom-left' | 'bottom-center' | 'bottom-right'

export type LoaderState = { isVisible: boolean; bgTrasparent: boolean; fullScreen: boolean }

type Given<State> = { [name in keyof State]?: State[name] | undefined }
type Alert = Given<Omit<AlertState, 'isVisible' | 'mode'>>

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

let answer: ((confirmed: boolean) => void) | undefined

/**
 * spec 4: only confirm returns a promise, which is true once its action succeeded and the window closed; given up, it is false. The other
 * modes just open.
 */
export function showAlert(alert: Alert & { mode: 'confirm' }): Promise<boolean>
export function showAlert(alert: Alert & { mode?: Exclude<AlertMode, 'confirm'> }): void
export function showAlert(alert: Alert & { mode?: AlertMode }): Promise<boolean> | void {
  closeAlert(false)
  useAlert.setState({ ...noAlert, ...given(alert), isVisible: true })
  if (alert.mode !== 'confirm') return
  return new Promise(resolve => {
    answer = resolve
  })
}

/** Told by the window itself, and by whatever makes it pointless. */
export function closeAlert(confirmed: boolean): void {
  useAlert.setState(noAlert)
  answer?.(confirmed)
  answer = undefined
}

/** One at a time: a newer one takes the place of an older. */
export function showToast(toast: Given<Omit<ToastState, 'isVisible' | 'number'>> & { summary: string }): void {
  useToast.setState(({ number }) => ({ ...noToast, ...given(toast), isVisible: true, number: number + 1 }))
}

/** What was left out is as the defaults have it. */
const given = <State extends object>(state: State): { [name in keyof State]?: Exclude<State[name], undefined> } =>
  Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as {
    [name in keyof State]?: Exclude<State[name], undefined>
  }

/** What a toast said stays known until the next: it may still be leaving the screen. */
export const closeToast = (): void => useToast.setState({ isVisible: false })

let waiting = 0

/** Shows that something is under way until the function that it gives is called. Several may be at once; the last one ends it. */
export function showLoader(look: Partial<Omit<LoaderState, 'isVisible'>> = {}): () => void {
  waiting++
  useLoader.setState({ ...noLoader, ...look, isVisible: true })
  let over = false
  return () => {
    if (over) return
    over = true
    waiting = Math.max(0, waiting - 1)
    if (waiting === 0) useLoader.setState(noLoader)
  }
}

/** At sign-out nothing of the session stays on the screen. */
export function clearNotices(): void {
  closeAlert(false)
  useToast.setState(noToast)
  waiting = 0
  useLoader.setState(noLoader)
}
