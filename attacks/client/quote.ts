import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { ana, type Json, leo, register } from '#testing/agent.ts'
import { payBody, tokenIn } from '#testing/quote-link.ts'
import type { Case, Scenario } from '../scenario.ts'
import { agentAsks, ask, shapeOf } from './ask.ts'

const script = '<script>window.hacked = 1</script>'

/** Saves a quote that lacks its second document's number, and returns the token of its link. */
async function share({ a }: Scenario, message = ''): Promise<{ policyUuid: string; token: string }> {
  const { policyUuid } = (await register(a, { saveBudget: true, users: [ana, { ...leo, docNumber: '' }] })).body.data
  return { policyUuid, token: tokenIn(await agentAsks(a, 'quote-link', { policyUuid, message })) }
}

const quoteIn = async (scenario: Scenario, token: string): Promise<Json> => (await ask(scenario, 'quote', { token })).body.data.quotes[0]

/** The calls of a link of quotes, with what each needs. */
const calls = (token: string, quote: Json): Record<string, object> => ({
  quote: { token },
  'quote/complete': { token, policyUuid: quote.policyUuid, version: quote.version, users: [{ position: 1, docNumber: leo.docNumber }] },
  'quote/pay': payBody(token, quote),
  'quote/decline': { token, name: 'Ana' },
  file: { token, fileUuid: quote.files[0].uuid },
})

/** The link by which a client reads, completes, pays or declines saved quotes. */
export const quoteLinks: Case[] = [
  {
    id: 'K131',
    title: 'a link of quotes for other quotes, entered facts, foreign payments, documents and scripts',
    quick: true,
    denied: 5,
    needs: ['POST /api/client/quote', 'POST /api/client/quote/complete', 'POST /api/client/quote/pay', 'POST /api/client/quote/decline'],
    async run(scenario) {
      const { a, target } = scenario
      const logged = target.log().length
      const [own, foreign] = [await share(scenario, script), await share(scenario)]
      const { token } = own
      const [quote, other] = [await quoteIn(scenario, token), await quoteIn(scenario, foreign.token)]
      const { files: documents } = await agentAsks(a, 'detail', { policyUuid: own.policyUuid })
      const rest = calls(token, quote)
      const { 'quote/complete': completing, 'quote/pay': paying } = rest
      // Another quote is as unknown as no quote, and a wrong token opens nothing, whichever call it comes with.
      for (const call of ['quote/complete', 'quote/pay'])
        assert.equal((await ask(scenario, call, calls(token, other)[call] ?? {})).status, 404, call)
      for (const [call, more] of Object.entries(rest)) {
        const shapes = await Promise.all(
          ['A'.repeat(22), `${token}A`, '', own.policyUuid].map(async wrong =>
            shapeOf(await ask(scenario, call, { ...more, token: wrong })),
          ),
        )
        assert.equal(new Set(shapes).size, 1, `${call} answers ${[...new Set(shapes)].join(' and ')}`)
      }
      // An entered fact stays, and so does a field that no link may fill in.
      for (const [field, value] of [
        ['name', 'Eve'],
        ['birthDate', '1999-01-01'],
        ['email', 'eve@example.com'],
        ['identificationTypeId', 4],
      ]) {
        const { status, body } = await ask(scenario, 'quote/complete', {
          ...completing,
          users: [{ position: 0, [String(field)]: value }],
        })
        assert.deepEqual([status, String(body.fields[0].path).startsWith('users')], [422, true], String(field))
      }
      assert.equal((await ask(scenario, 'quote/complete', { ...completing, users: [{ position: 2, name: 'Eve' }] })).status, 422)
      assert.equal((await ask(scenario, 'quote/complete', completing ?? {})).status, 200)
      // The payment of another quote sells neither.
      await ask(scenario, 'quote/complete', calls(foreign.token, other)['quote/complete'] ?? {})
      const secretOf = async (link: string): Promise<string> =>
        (await ask(scenario, 'quote/pay', payBody(link, await quoteIn(scenario, link)))).body.data.clientSecret
      const [, secret] = [await secretOf(token), await secretOf(foreign.token)]
      const replayed = await ask(scenario, 'quote/pay', { ...paying, version: quote.version + 1, paymentIntentClientSecret: secret })
      assert.deepEqual([replayed.status, replayed.body.error], [404, 'request.not_found'])
      // The quote's own document names everybody, and a link is forwarded.
      const shown = new Set(quote.files.map(({ uuid }: Json) => uuid))
      const closed = documents.filter((each: Json) => !shown.has(each.uuid))
      assert.ok(closed.length > 0, 'the quote has no document of its own')
      for (const { uuid } of closed) assert.equal((await ask(scenario, 'file', { token, fileUuid: uuid })).status, 404)
      const page = await ask(scenario, 'quote', { token })
      for (const fact of [ana.docNumber, ana.birthDate, ana.email, leo.docNumber, leo.birthDate])
        assert.ok(!page.text.includes(fact), `the link shows ${fact}`)
      assert.equal(page.body.data.message, script)
      assert.equal((await ask(scenario, 'quote/decline', { token, name: '4242 4242 4242 4242' })).status, 422)
      assert.equal((await ask(scenario, 'quote/decline', { token, name: script })).body.data.state, 'declined')
      const isLogged = (text: string) => target.log().includes(text, logged)
      assert.ok(isLogged('/api/client/quote'), 'the log has no calls')
      for (const held of [token, foreign.token, script, ana.lastName]) assert.ok(!isLogged(held), `${held} is in the log`)
    },
  },
  {
    id: 'K132',
    title: 'ten thousand guesses of a link of quotes, from many networks',
    needs: ['POST /api/client/quote'],
    async run(scenario) {
      const { token } = await share(scenario)
      const guess = async () => (await ask(scenario, 'quote', { token: randomBytes(16).toString('base64url') })).status
      const seen = new Set<number>()
      for (let done = 0; done < 10_000; done += 40)
        for (const status of await Promise.all(Array.from({ length: 40 }, guess))) seen.add(status)
      assert.deepEqual(
        [...seen].filter(status => status !== 404 && status !== 429),
        [],
      )
      assert.equal((await ask(scenario, 'quote', { token }, { from: '127.0.6.9' })).status, 200)
    },
  },
]
