import { refusedFields } from '#portal/kit/errors/error-message.ts'

/** The other quotes that a link opens, and the message to the client. */
export type Shared = { alternatives: string[]; message: string }

/** The service's refusals of the other quotes and the message. They are shown at their fields. */
export type SharedRefusals = readonly { path: string; message: string }[]

export const sharedRefusals = (error: unknown): SharedRefusals =>
  refusedFields(error).filter(({ path }) => /^(alternatives\b|message$)/.test(path))

/** Makes a link for the client. Its call belongs to a feature above this one. */
export type MakeLink = (quotes: Shared & { policyUuid: string }) => Promise<{ url: string; until: string }>
