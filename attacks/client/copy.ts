import assert from 'node:assert/strict'
import { ana } from '#testing/agent.ts'
import type { Case, Scenario } from '../scenario.ts'
import { ask, shapeOf } from './ask.ts'

/** In Italy she has another document. */
const facts = { name: 'Ana García', birthDate: ana.birthDate }
const asked = { askedBy: 'person', reason: 'Lo pide por carta' }
/** A correction without the preview that should have been shown. */
const nothingShown = { versions: [], money: [] }

const privacy = ({ admin }: Scenario, call: string, body: object) => admin.ask(`/api/privacy/${call}`, { body })

/** Returns the key of a person as the administration finds it in one agency. */
async function keyIn(scenario: Scenario, businessUnitUuid: string): Promise<string> {
  const { persons } = (await privacy(scenario, 'find', { ...facts, businessUnitUuid })).body.data
  assert.ok(persons.length > 0, 'no person is found')
  return persons[0].personKey
}

async function linkFor(scenario: Scenario): Promise<string> {
  const { status, text, body } = await privacy(scenario, 'export', {
    personKey: await keyIn(scenario, scenario.a.unitId),
    ...asked,
    email: ana.email,
  })
  assert.equal(status, 200, text)
  await scenario.target.drain()
  const mails = `select text_body as text from mails where about = $1 and template = 'privacy_copy'`
  const [mail] = await scenario.target.sql(mails, [body.data.requestUuid])
  const token = /\/my-data#([\w-]{22})/.exec(String(mail?.['text']))?.[1]
  assert.ok(token, 'no mail has a link')
  return token
}

/** Group K of the attack cases: a person's copy of their data, behind a link. */
export const copies: Case[] = [
  {
    id: 'K121',
    title: 'the link of a copy twice, at once and by a scanner’s GET',
    quick: true,
    denied: 1,
    needs: ['POST /api/privacy/export', 'POST /api/privacy/copy'],
    async run(scenario) {
      const token = await linkFor(scenario)
      const path = '/api/privacy/copy'
      for (const look of [
        await ask(scenario, `${path}?token=${token}`, {}, { method: 'GET' }),
        await ask(scenario, `/my-data?token=${token}`, {}, { method: 'GET' }),
        await ask(scenario, `${path}?token=${token}`, {}),
      ])
        assert.notEqual(look.headers.get('content-type'), 'application/zip')
      const all = await Promise.all([1, 2, 3, 4].map(() => ask(scenario, path, { token })))
      assert.deepEqual(
        all.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 404, 404, 404],
      )
      assert.equal((await ask(scenario, path, { token })).status, 404)
      assert.ok(!scenario.target.log().includes(token), 'a token is in the log')
      assert.equal((await scenario.target.sql('select 1 from audit where audit::text like $1', [`%${token}%`])).length, 0)
    },
  },
  {
    id: 'K122',
    title: 'guessed, malformed and expired tokens of a copy',
    quick: true,
    denied: 1,
    async run(scenario) {
      const { target } = scenario
      const token = await linkFor(scenario)
      await target.sql(`update person_copies set expires_at = now() - interval '1 s' where token_hash = sha256(convert_to($1, 'utf8'))`, [
        token,
      ])
      const tokens = [token, 'A'.repeat(22), `${token}A`, token.slice(0, 21), '', '%']
      const shapes = await Promise.all(tokens.map(async each => shapeOf(await ask(scenario, '/api/privacy/copy', { token: each }))))
      assert.equal(new Set(shapes).size, 1, [...new Set(shapes)].join(' and '))
      for (const odd of [null, 1, [token], { $ne: '' }])
        assert.equal((await ask(scenario, '/api/privacy/copy', { token: odd })).status, 422)
      const statuses: number[] = []
      while (statuses.length < 30) statuses.push((await ask(scenario, '/api/privacy/copy', { token: 'x' }, { from: '127.0.6.9' })).status)
      assert.deepEqual(
        [404, 429].map(wanted => statuses.filter(status => status === wanted).length),
        [10, 20],
      )
    },
  },
  {
    id: 'K123',
    title: 'a person’s key by agencies, tampered with, and for another address',
    quick: true,
    needs: ['POST /api/privacy/erase', 'POST /api/privacy/rectify', 'POST /api/privacy/requests/letter'],
    async run(scenario) {
      const { a, b, manager, admin, target } = scenario
      const personKey = await keyIn(scenario, a.unitId)
      const calls: Record<string, object> = {
        find: facts,
        'erase/preview': { personKey },
        erase: { personKey, ...asked },
        object: { personKey, askedBy: 'person', what: asked.reason },
        restrict: { personKey, ...asked },
        export: { personKey, ...asked, email: ana.email },
        rectify: { personKey, ...asked, fields: { city: 'Bilbao' }, expected: nothingShown },
        requests: {},
      }
      for (const [call, body] of Object.entries(calls))
        for (const agent of [a, b, manager]) assert.equal((await agent.ask(`/api/privacy/${call}`, { body })).status, 403, call)
      const tampered = [`${personKey[0] === 'A' ? 'B' : 'A'}${personKey.slice(1)}`, personKey.slice(1), 'x']
      for (const key of tampered)
        for (const [call, body] of Object.entries({
          erase: asked,
          export: { ...asked, email: ana.email },
          rectify: { ...asked, fields: { city: 'Bilbao' }, expected: nothingShown },
        }))
          assert.equal((await admin.ask(`/api/privacy/${call}`, { body: { ...body, personKey: key } })).status, 404, call)
      // A key belongs to one agency: that of B does nothing to A's policies.
      const correction = { personKey: await keyIn(scenario, b.unitId), fields: { city: 'Bilbao' } }
      const { versions, money } = (await privacy(scenario, 'rectify/preview', correction)).body?.data ?? nothingShown
      const rectified = await privacy(scenario, 'rectify', { ...asked, ...correction, expected: { versions, money } })
      assert.equal(rectified.status, 200)
      const touched = (rectified.body?.data?.items ?? []).map(({ uuid }: { uuid: string }) => uuid)
      const owners = await target.sql('select distinct business_unit_id::text as unit from policies where id = any($1::uuid[])', [touched])
      assert.ok(
        owners.every(({ unit }) => unit === b.unitId),
        'another agency’s policy was corrected',
      )
      const stranger = await privacy(scenario, 'export', { personKey, ...asked, email: 'thief@evil.example' })
      assert.deepEqual([stranger.status, stranger.body.fields?.[0]?.path], [422, 'email'])
    },
    bothAct: true,
  },
  {
    id: 'K124',
    title: 'finding a person by one fact, by wildcards and by a beginning of a document',
    quick: true,
    needs: ['POST /api/privacy/find'],
    async run(scenario) {
      const one: object[] = [
        {},
        { name: 'Ana' },
        { docNumber: ana.docNumber },
        { email: ana.email },
        { birthDate: ana.birthDate },
        { name: ' ', email: ana.email },
        // A document number needs letters or digits.
        { docNumber: '%', birthDate: ana.birthDate },
      ]
      for (const body of one) assert.equal((await privacy(scenario, 'find', body)).status, 422, JSON.stringify(body))
      const none: object[] = [
        { docNumber: ana.docNumber.slice(0, 5), birthDate: ana.birthDate },
        { email: '%@%', birthDate: ana.birthDate },
        { name: '%', birthDate: ana.birthDate },
        { name: '_na', birthDate: ana.birthDate },
        { docNumber: "' or 1=1 --", birthDate: ana.birthDate },
      ]
      for (const body of none) {
        const { status, body: reply } = await privacy(scenario, 'find', body)
        assert.deepEqual([status, reply.data?.persons], [200, []], JSON.stringify(body))
      }
    },
  },
]
