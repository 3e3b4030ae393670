import assert from 'node:assert/strict'
import { request } from 'node:http'
import { addDays } from '#common/kit/dates.ts'
import { type Agent, ana, type Json, type Reply, sell } from '#testing/agent.ts'
import type { Scenario } from '../scenario.ts'

/** A sold policy of six weeks, with the token of the link in its email. The client may withdraw from it. */
export type Sold = { policyUuid: string; number: string; token: string }

export async function sellTo(scenario: Scenario, agent: Agent): Promise<Sold> {
  const { startDate } = scenario.sold.a.policyData
  const { policyUuid, policyData } = await sell(agent, { channel: 'distance', endDate: addDays(String(startDate), 41) })
  return { policyUuid, number: policyData.policyNumber, token: await tokenFor(scenario, policyUuid, ana.email) }
}

/** Returns the token of the newest email about a policy to an address. */
export async function tokenFor({ target }: Scenario, policyUuid: string, address: string): Promise<string> {
  await target.drain()
  const mails = `select text_body as text from mails where about = $1 and recipient_address = $2 and text_body like '%my-policy#%' order by id desc limit 1`
  const [mail] = await target.sql(mails, [policyUuid, address])
  const token = /\/my-policy#([\w-]{22})/.exec(String(mail?.['text']))?.[1]
  assert.ok(token, 'no mail has a link')
  return token
}

let networks = 0
const anyNetwork = () => `127.0.7.${(networks++ % 250) + 1}`

type Sent = { from?: string; headers?: Record<string, string>; method?: string }

/** Sends a client's call from a network of its own, as each network has limits. */
export function ask(
  { target, responses }: Scenario,
  call: string,
  body: object,
  { from, headers = {}, method = 'POST' }: Sent = {},
): Promise<Reply> {
  const path = call.startsWith('/') ? call : `/api/client/${call}`
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const options = {
      method,
      localAddress: from ?? anyNetwork(),
      headers: { 'content-type': 'application/json', ...headers },
      agent: false,
    }
    const sending = request(new URL(path, target.origin), options, reply => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const sent = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)])
        const json = String(reply.headers['content-type']).startsWith('application/json')
        const received = { status: reply.statusCode ?? 0, text, body: json ? JSON.parse(text) : undefined, headers: new Headers(sent) }
        responses.push({ path, reply: { ...received, ms: performance.now() - began } })
        resolve({ ...received, ms: performance.now() - began })
      })
    })
    sending.once('error', reject)
    sending.end(method === 'GET' ? undefined : JSON.stringify(body))
  })
}

/** Returns a response without the id of its request. */
export const shapeOf = ({ status, body }: Reply): string => JSON.stringify([status, { ...body, requestId: null }])
export const statement = (token: string) => ({ token, name: 'Ana García López', confirmTo: 'ana@example.es', version: 1 })
export const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
export const agentAsks = async (agent: Agent, path: string, body: Json): Promise<Json> =>
  (await agent.ask(`/api/policy/${path}`, { body })).body.data

/** Returns the state of the policy and all that was written about it. */
export async function standingOf({ target, a }: Scenario, policyUuid: string) {
  const { policy } = await agentAsks(a, 'detail', { policyUuid })
  const count = async (from: string) =>
    Number((await target.sql(`select count(*)::int as n from ${from} where policy_id = $1`, [policyUuid]))[0]?.['n'])
  return { status: policy.status, deeds: await count('policy_deeds'), statements: await count('withdrawals') }
}

export const untouched = { status: 'purchased', deeds: 0, statements: 0 }
