import type { TestApp, TestReply } from '#server/kit/testing.ts'
import { type Seller, sellAs } from '#server/policies/testing.ts'

/** A sold policy, with the token of the link in its mail. */
export type Sold = { policyUuid: string; number: string; token: string }

/** The token of the newest mail about a policy to an address. */
export async function tokenFor(app: TestApp, policyUuid: string, address?: string): Promise<string> {
  await app.world.outbox.drain()
  const mails = await app.world.database.kysely
    .selectFrom('mails')
    .select(['text_body', 'recipient_address'])
    .where('about', '=', policyUuid)
    .orderBy('id', 'desc')
    .execute()
  const texts = mails.filter(mail => address === undefined || mail.recipient_address === address).map(mail => mail.text_body ?? '')
  return /\/my-policy#([\w-]{22})$/m.exec(texts.join('\n'))?.[1] ?? ''
}

export async function sellTo(app: TestApp, seller: Seller, changes: Record<string, unknown> = {}): Promise<Sold> {
  const { body } = await sellAs(seller, changes)
  const { policyUuid, policyNumber } = body.data.policyData
  return { policyUuid, number: policyNumber, token: await tokenFor(app, policyUuid) }
}

let networks = 0

/** Sends a call from a network of its own, so that the limit of one is not met by chance. */
export const askClient = (
  app: TestApp,
  path: string,
  body: object,
  headers: Record<string, string> = {},
  from?: string,
): Promise<TestReply> => {
  networks += 1
  const remoteAddress = from ?? `10.9.${Math.floor(networks / 250)}.${networks % 250}`
  return app.ask(`/api/client/${path}`, { body, headers, remoteAddress })
}
