import { sql } from 'kysely'
import { addDays, today } from '#common/kit/dates.ts'
import { askClient, tokenFor } from '#server/client/testing.ts'
import type { TestApp, TestReply } from '#server/kit/testing.ts'
import { leo, registerAs, type Seller, sellAs } from '#server/policies/testing.ts'
import { pdf } from '#server/kit/upload/testing.ts'
import { sendForm } from '#server/tickets/testing.ts'

/** A person whose facts occur nowhere else, so that each place that holds one can be found. */
export const xenia = {
  name: 'Xenia',
  middleName: 'Quintanilla',
  lastName: 'Zubizarreta',
  birthDate: '1971-03-09',
  docNumber: '48765432G',
  identificationTypeId: 3,
  email: 'xenia.q@correo.example',
  phonePrefix: '+34',
  phoneNumber: '677889900',
  address: 'Calle de la Higuera 77',
  city: 'Vitoria-Gasteiz',
  state: 'Araba/Álava',
  zipCode: '01007',
}

/** Xenia's facts as a column may store them, in lower case. Her birth year alone stays, as an age band. */
const traces = [
  'xenia',
  'quintanilla',
  'zubizarreta',
  '1971-03-09',
  '09/03/1971',
  '48765432',
  '677889900',
  'higuera',
  'expediente-xq',
  'rodilla operada',
]

const reference = 'EXPEDIENTE-XQ'
const aReport = pdf('1 0 obj << /Type /Catalog /Title (Xenia Quintanilla) >> endobj')

/** Leaves every trace that a person can leave: a saved quote, a sale, documents, changes, emails, a claim with a file, a withdrawal. */
export async function leaveTraces(app: TestApp, seller: Seller): Promise<{ budget: string; sold: string; claim: string }> {
  const post = async (path: string, body: object): Promise<TestReply> => {
    const reply = await app.ask(path, { body, headers: seller.headers })
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`)
    return reply
  }
  const start = addDays(today(app.world.clock.now(), 'Europe/Madrid'), 11)
  const trip = { users: [xenia, leo], buReference: reference, startDate: start, endDate: addDays(start, 40), channel: 'distance' }
  const upload = async (): Promise<string> =>
    (await sendForm(app, seller, '/api/policy/files', {}, [{ name: 'DNI Xenia.pdf', content: aReport }])).body.data.uuid
  const saved = await registerAs(seller, { ...trip, saveBudget: true, uploadFile: await upload() })
  if (saved.status !== 200) throw new Error(saved.text)
  const budget = saved.body.data.policyUuid
  await post('/api/policy/sendCertificates', { policyUuid: budget, emails: [xenia.email], files: [] })
  const { url } = (await post('/api/policy/quote-link', { policyUuid: budget })).body.data
  await askClient(app, 'quote/decline', { token: url.split('#')[1], name: 'Xenia Quintanilla' })
  const { policyUuid: sold, policyNumber } = (await sellAs(seller, { ...trip, uploadFile: await upload() })).body.data.policyData
  const { people } = (await post('/api/policy/change/terms', { policyUuid: sold })).body.data.policy
  const users = people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
  users[0].address = 'Calle de la Higuera 77, 2º'
  await post('/api/policy/change', { policyUuid: sold, version: 1, change: { users }, expectedDifference: 0 })
  await post('/api/policy/sendCertificates', { policyUuid: sold, emails: [xenia.email], files: [] })
  const token = await tokenFor(app, sold, xenia.email)
  await askClient(app, 'request', { token, description: 'Soy Xenia, con la rodilla operada' })
  const types: { uuid: string; name: string }[] = (await app.ask('/api/tickets/types', { headers: seller.headers })).body.data
  const claim = {
    typeUuid: types.find(({ name }) => name === 'Equipaje')?.uuid,
    policyNumber,
    incidentDate: addDays(start, -20),
    subject: 'La maleta de Xenia',
    description: 'Xenia, con la rodilla operada, la perdió',
    contactEmail: xenia.email,
    contactPhone: '+34 677889900',
    answers: JSON.stringify({
      insuredPerson: 'Xenia Quintanilla',
      incidentCountry: 380,
      event: 'stolen',
      policeReport: 'Roma 12',
      items: 'Maleta',
      claimedAmount: 450,
    }),
  }
  const filed = await sendForm(app, seller, '/api/tickets/claims', claim, [{ name: 'Informe Xenia.pdf', content: aReport }])
  if (filed.status !== 200) throw new Error(filed.text)
  await askClient(app, 'withdraw', { token, name: 'Xenia Quintanilla', confirmTo: xenia.email, version: 2 })
  await app.world.outbox.drain()
  return { budget, sold, claim: filed.body.data.ticketUuid }
}

/** Corrects a person as the screen does, which sends back what the preview showed. */
export async function rectifyAs(app: TestApp, headers: Record<string, string>, asked: { personKey: string; fields: object }) {
  const { personKey, fields } = asked
  const preview = await app.ask('/api/privacy/rectify/preview', { body: { personKey, fields }, headers })
  const { versions, money } = preview.body?.data ?? { versions: [], money: [] }
  return app.ask('/api/privacy/rectify', {
    body: { askedBy: 'person', reason: 'Lo pide por carta', ...asked, expected: { versions, money } },
    headers,
  })
}

/** Returns every `table.column` that has a trace of Xenia in clear, without the tables of places. */
export async function tracesIn(app: TestApp): Promise<string[]> {
  const { kysely } = app.world.database
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'geo_%'`.execute(kysely)
  const found = new Set<string>()
  for (const { name } of tables) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`select to_jsonb(each) as row from ${sql.table(name)} as each`.execute(
      kysely,
    )
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row)) if (isTrace(textOf(value))) found.add(`${name}.${column}`)
  }
  return [...found].toSorted()
}

/** True for a text that contains one of Xenia's facts. */
export const isTrace = (text: string): boolean => traces.some(trace => text.toLowerCase().includes(trace))

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('utf8') : text
}
