import { createHmac } from 'node:crypto'

/**
 * All that ties an answer from outside to the browser that asked (state, nonce, PKCE verifier) follows from the secret of its cookie `flow`:
 * there is nothing to store, and nobody else can have it.
 */
const derive = (flow: string, what: string): string => createHmac('sha256', flow).update(what).digest('base64url')

export const nonceOf = (flow: string): string => derive(flow, 'nonce')
export const verifierOf = (flow: string): string => derive(flow, 'pkce')

/** The state carries the page that was wanted, and proves that it is the one. */
export const stateOf = (flow: string, redirect: string): string =>
  `${derive(flow, `state ${redirect}`)}.${Buffer.from(redirect).toString('base64url')}`

export const redirectOf = (state: string): string => Buffer.from(state.split('.')[1] ?? '', 'base64url').toString()
