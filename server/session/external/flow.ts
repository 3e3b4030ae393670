import { createHmac } from 'node:crypto'

/**
 * Derives the state, nonce or PKCE verifier from the secret in the browser's cookie `flow`.
 * The answer from outside is thus tied to one browser, and nothing is stored.
 */
const derive = (flow: string, purpose: string): string => createHmac('sha256', flow).update(purpose).digest('base64url')

export const nonceOf = (flow: string): string => derive(flow, 'nonce')
export const verifierOf = (flow: string): string => derive(flow, 'pkce')

/** Returns a state that carries the requested page and proves it. */
export const stateOf = (flow: string, redirect: string): string =>
  `${derive(flow, `state ${redirect}`)}.${Buffer.from(redirect).toString('base64url')}`

export const redirectOf = (state: string): string => Buffer.from(state.split('.')[1] ?? '', 'base64url').toString()
