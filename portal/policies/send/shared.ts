/** The other quotes that a link opens, and the message to the client. */
export type Shared = { alternatives: string[]; message: string }

/** Makes a link for the client. Its call belongs to a feature above this one. */
export type MakeLink = (quotes: Shared & { policyUuid: string }) => Promise<{ url: string; until: string }>
