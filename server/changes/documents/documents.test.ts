import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, addYears, displayDate, today } from '#common/kit/dates.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { checkCode } from '#server/documents/pdf/parts.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { ana, reach, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

let app: TestApp
let seller: Seller
let ahead = 0
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: 'https://portal.example' }, { clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

/** Moves the clock, which ends sessions. */
const move = async (hours: number) => {
  ahead += hours * 3_600_000
  seller = await sellerOf(app)
}
const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const day = (date: string) => displayDate(date) ?? ''
const post = async (path: string, body: object) => {
  const reply = await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
  expect([path, reply.status]).toEqual([path, 200])
  return reply.body.data
}

type FileReply = { uuid: string; name: string; label: string; file: string; version: number; state: string; replaced?: boolean }
type Sold = { policyUuid: string; policyNumber: string; files: FileReply[] }
const sell = async (changes = {}): Promise<Sold> => {
  const { policyData, files } = (await sellAs(seller, changes)).body.data
  return { ...policyData, files }
}
const longer = { change: { endDate: addDays(start, 11) }, expectedDifference: 17.08 }
const change = (policyUuid: string, body: object = {}) => post('change', { policyUuid, version: 1, ...longer, ...body })
const cancel = (policyUuid: string, version: number, expectedRefund: number, as = 'cancellation') =>
  post('cancel', { policyUuid, version, expectedRefund, as, reason: 'trip_cancelled' })
const filesIn = async (policyUuid: string, version: number): Promise<FileReply[]> =>
  (await post('versions', { policyUuid })).find((each: { version: number }) => each.version === version).files
const read = async (file: FileReply | undefined) => {
  const reply = await app.context.http.inject({ url: file?.file ?? '', headers: seller.headers })
  expect([reply.statusCode, reply.headers['content-length']]).toEqual([200, String(reply.rawPayload.length)])
  return readPdf(reply.rawPayload)
}
const policyPerson = ({ policy }: { policy: { people: { personUuid: string }[] } }, index: number) => policy.people[index]?.personUuid
const kinds = async (policyUuid: string, version: number) =>
  (
    await app.world.database.kysely
      .selectFrom('files')
      .select('kind')
      .where('policy_id', '=', policyUuid)
      .where('policy_version', '=', version)
      .execute()
  )
    .map(({ kind }) => kind)
    .toSorted()
const isSound = async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
}

describe.each<[Locale, string, string, string]>([
  ['en-EN', 'Endorsement to the policy', 'From now on', 'It replaces version 1 of'],
  ['es-ES', 'Suplemento de la póliza', 'Desde ahora', 'Sustituye a la versión 1, de'],
  ['fr-FR', 'Avenant au contrat', 'Désormais', 'Elle remplace la version 1 du'],
  ['it-IT', 'Appendice di polizza', 'D’ora in poi', 'Sostituisce la versione 1 del'],
  ['pt-PT', 'Ata adicional à apólice', 'A partir de agora', 'Substitui a versão 1, de'],
])('in %s a change', (locale, title, isHeading, replaces) => {
  it('makes a supplement, a certificate and a receipt, tagged for screen readers', async () => {
    const { policyUuid, policyNumber } = await sell({ locale })
    const { files } = await change(policyUuid)
    const [supplement, certificate, receipt] = await Promise.all(files.map((file: FileReply) => read(file)))
    for (const said of [title, isHeading, policyNumber, day(addDays(start, 7)), day(addDays(start, 11))])
      expect(supplement.text).toContain(said)
    expect(certificate.text).toContain(replaces)
    for (const document of [supplement, certificate, receipt])
      expect(document).toMatchObject({ language: intlTag(locale), isTagged: true, isForAll: true })
  })
})

describe('the documents of a change', () => {
  it('show only differences, the price line by line, and the receipt of the difference', async () => {
    const { policyUuid } = await sell()
    const [supplement, certificate, receipt] = (await change(policyUuid)).files
    const { text } = await read(supplement)
    for (const line of [/Prima, coberturas de viaje 31,20 € 47,00 € \+15,80 €/, /Total 33,76 € 50,84 € \+17,08 €/])
      expect(text).toMatch(line)
    expect(text).not.toContain('Ana García López · 05/05/1990')
    const paid = (await read(receipt)).text
    for (const line of [
      /Importe pagado.*17,08 €/,
      /Prima, coberturas de viaje 15,80 €/,
      /\(8 %\) 1,26 €/,
      /Total 17,08 €/,
      /Pago a la agencia/,
    ])
      expect(paid).toMatch(line)
    expect((await read(certificate)).text).toContain(`${day(start)} – ${day(addDays(start, 11))}`)
  })

  it('bear the date of the change and not of the sale', async () => {
    const { policyUuid } = await sell()
    await move(48)
    const [, certificate, receipt] = (await change(policyUuid)).files
    const on = day(today(Date.now() + ahead, 'Europe/Madrid'))
    expect((await read(certificate)).text).toMatch(new RegExp(`Fecha de emisión ${on}`))
    expect((await read(receipt)).text).toContain(on)
    await move(-48)
  })

  it('say what is kept of the premium, and when more cancellation cover begins', async () => {
    const far = addDays(start, 60)
    const productUUID = seller.products.find(({ code }) => code === 'TOT').uuid
    const { policyUuid } = await sell({
      productUUID,
      startDate: far,
      endDate: addDays(far, 7),
      insurancedAmount: 6400,
      reservationDate: today(new Date(), 'Europe/Madrid'),
    })
    await move(15 * 24)
    const insure = async (version: number, insurancedAmount: number) => {
      const asked = { insurancedAmount }
      const { difference } = await post('change/preview', { policyUuid, version, change: asked })
      const { files } = await change(policyUuid, { version, change: asked, expectedDifference: difference.total })
      return (await read(files[0])).text
    }
    expect(await insure(1, 4000)).toMatch(/la póliza costaría \d+,\d\d € menos. Ese importe no se devuelve/)
    expect(await insure(2, 7000)).toMatch(/La cobertura de cancelación añadida comienza el \d/)
    await move(-15 * 24)
  })

  it('name who joins and who leaves', async () => {
    const { policyUuid } = await sell()
    const { policy } = await post('change/terms', { policyUuid })
    const [ana] = policy.people
    const eva = { name: 'Eva', middleName: 'Gil', lastName: 'Ruiz', birthDate: '1991-02-03', docNumber: '87654321X' }
    const asked = { users: [{ personUuid: ana.personUuid }, eva] }
    const preview = await post('change/preview', { policyUuid, version: 1, change: asked })
    const { files } = await change(policyUuid, { change: asked, expectedDifference: preview.difference.total })
    const { text } = await read(files[0])
    expect(text).toMatch(/Causa baja Leo García Gil · 01\/01\/1988 · X1234567L –/)
    expect(text).toMatch(/Se incorpora – Eva Gil Ruiz · 03\/02\/1991 · 87654321X/)
  })

  it('are exactly those that the preview lists', async () => {
    const { policyUuid } = await sell()
    const { policy } = await post('change/terms', { policyUuid })
    const [ana, leo] = policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
    const asked = [
      { endDate: addDays(start, 11) },
      { endDate: addDays(start, 3) },
      { users: [ana, { ...leo, lastName: 'Gill' }] },
      { users: [{ ...ana, phoneNumber: '600111222' }, leo] },
      { users: [{ ...ana, address: 'Calle Nueva 2' }, leo] },
      { buReference: 'Another' },
      { locale: 'pt-PT' },
    ]
    const listed: string[][] = []
    for (const [index, one] of asked.entries()) {
      const version = index + 1
      const preview = await post('change/preview', { policyUuid, version, change: one })
      await change(policyUuid, { version, change: one, expectedDifference: preview.difference.total })
      expect(await kinds(policyUuid, version + 1)).toEqual(preview.papers.toSorted())
      listed.push(preview.papers)
    }
    const both = ['supplement', 'certificate']
    expect(listed).toEqual([[...both, 'receipt'], [...both, 'credit_note'], both, [], ['certificate'], [], ['certificate']])
    await isSound()
    const cancelled = await post('cancel/preview', { policyUuid, version: 8, as: 'cancellation' })
    await cancel(policyUuid, 8, cancelled.refund)
    expect(await kinds(policyUuid, 9)).toEqual(cancelled.papers.toSorted())
    const reinstated = await post('reinstate/preview', { policyUuid, version: 9 })
    await post('reinstate', { policyUuid, version: 9, expectedCharge: reinstated.charge })
    expect(await kinds(policyUuid, 10)).toEqual(reinstated.papers.toSorted())
    await isSound()
  })

  it('that was undone are a supplement, the former certificate and a credit note', async () => {
    const { policyUuid } = await sell()
    await change(policyUuid)
    const { files } = await post('change/undo', { policyUuid, version: 2 })
    const [supplement, certificate, note] = await Promise.all(files.map((file: FileReply) => read(file)))
    expect(supplement.text).toContain('se ha deshecho')
    expect(certificate.text).toContain(`${day(start)} – ${day(addDays(start, 7))}`)
    expect(note.text).toMatch(/Importe que se devuelve.*17,08 €/)
    await isSound()
  })
})

it('the certificate says since when people who joined on the trip are covered', async () => {
  const productUUID = seller.products.find(({ code }) => code === 'ANN').uuid
  const startDate = addDays(start, -9)
  const { policyUuid } = await sell({ productUUID, startDate, endDate: addDays(addYears(startDate, 1), -1) })
  await move(20 * 24)
  const { policy } = await post('change/terms', { policyUuid })
  const users = policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
  const eva = { name: 'Eva', middleName: 'Gil', lastName: 'Ruiz', birthDate: '1991-02-03', docNumber: '87654321X' }
  const asked = { users: [...users, eva] }
  const { difference } = await post('change/preview', { policyUuid, version: 1, change: asked })
  const { files } = await change(policyUuid, { change: asked, expectedDifference: difference.total })
  const from = day(today(Date.now() + ahead, 'Europe/Madrid'))
  const { text } = await read(files[1])
  expect(text).toContain(`Eva Gil Ruiz, cobertura desde el ${from}`)
  expect(text.split('cobertura desde el').length).toBe(2)
  await move(24)
  const contact = {
    users: [
      { ...users[0], address: 'Calle Nueva 3' },
      users[1],
      { personUuid: policyPerson(await post('change/terms', { policyUuid }), 2) },
    ],
  }
  const later = await change(policyUuid, { version: 2, change: contact, expectedDifference: 0 })
  expect((await read(later.files[0])).text).toContain(`Eva Gil Ruiz, cobertura desde el ${from}`)
  await move(-21 * 24)
})

it('the undo of a change of language makes the certificate in the former one', async () => {
  const { policyUuid } = await sell()
  await change(policyUuid, { change: { locale: 'pt-PT' }, expectedDifference: 0 })
  const { files } = await post('change/undo', { policyUuid, version: 2 })
  expect(files.map(({ label }: FileReply) => label)).toEqual(['Certificado de seguro, versión 3'])
  expect(await read(files[0])).toMatchObject({ language: intlTag('es-ES') })
  expect((await filesIn(policyUuid, 2)).map(({ replaced }) => replaced)).toEqual([true])
  await isSound()
})

describe('an outdated certificate', () => {
  it('can be opened with a mark across it, and keeps its own bytes', async () => {
    const { policyUuid, files } = await sell()
    const [certificate] = files
    expect((await read(certificate)).text).not.toContain('Sustituido')
    const stored = () =>
      app.world.database.kysely
        .selectFrom('files')
        .select('sha256')
        .where('id', '=', certificate?.uuid ?? '')
        .executeTakeFirst()
    const before = await stored()
    await change(policyUuid)
    const outdated = await read(certificate)
    expect(outdated.text).toContain('Sustituido por la versión 2')
    expect(outdated).toMatchObject({ isTagged: true, isForAll: true })
    await cancel(policyUuid, 2, 50.84)
    const on = day(today(Date.now() + ahead, 'Europe/Madrid'))
    expect((await read(certificate)).text).toContain(`Póliza anulada el ${on}`)
    expect((await read((await filesIn(policyUuid, 2))[1])).text).toContain(`Póliza anulada el ${on}`)
    await post('reinstate', { policyUuid, version: 3, expectedCharge: 50.84 })
    expect((await read(certificate)).text).toContain('Sustituido por la versión 4')
    expect(await stored()).toEqual(before)
    await isSound()
  })

  it('that was never made is made as it was then, with its mark', async () => {
    const { policyUuid, files } = await sell()
    await change(policyUuid)
    const { text } = await read(files[0])
    expect(text).toContain('Sustituido por la versión 2')
    expect(text).toContain(`${day(start)} – ${day(addDays(start, 7))}`)
  })

  it('is listed with its version, and no longer among the valid documents', async () => {
    const { policyUuid } = await sell()
    await change(policyUuid)
    expect((await filesIn(policyUuid, 1)).map(({ replaced }) => replaced)).toEqual([true, false, false, false])
    const { files } = await post('detail', { policyUuid })
    expect(files.map(({ label, version }: FileReply) => `${version} ${label}`)).toEqual([
      '2 Suplemento de la póliza, versión 2',
      '2 Certificado de seguro, versión 2',
      '2 Recibo de prima, versión 2',
      '1 Recibo de prima',
      '1 Documento de información sobre el producto de seguro (IPID)',
      '1 Condiciones generales',
    ])
  })

  it('whose sale had no files yet is replaced as well', async () => {
    const { policyUuid, files } = await sell()
    await app.world.database.kysely.deleteFrom('files').where('policy_id', '=', policyUuid).execute()
    await change(policyUuid)
    expect((await read(files[0])).text).toContain('Sustituido por la versión 2')
    await isSound()
  })
})

describe('the end of a policy', () => {
  it('by a cancellation is confirmed with its moment, the refund, its way and its day', async () => {
    const { policyUuid, policyNumber } = await sell()
    await move(2)
    const { files } = await cancel(policyUuid, 1, 33.76)
    const [confirmation, note] = await Promise.all(files.map((file: FileReply) => read(file)))
    for (const said of [
      'Confirmación de la anulación de la póliza',
      policyNumber,
      '33,76 €',
      'lo devuelve la agencia',
      '14 días',
      'No está cubierto nada',
    ])
      expect(confirmation.text).toContain(said)
    for (const line of [/Prima, coberturas de viaje 31,20 €/, /\(8 %\) 2,50 €/, /Total 33,76 €/]) expect(note.text).toMatch(line)
    expect(confirmation).toMatchObject({ isTagged: true, isForAll: true })
    expect((await post('detail', { policyUuid })).files.map(({ label }: FileReply) => label).slice(0, 2)).toEqual([
      'Confirmación de la anulación de la póliza, versión 2',
      'Recibo de extorno, versión 2',
    ])
    await isSound()
  })

  it('by a withdrawal has a receipt with the statement and its time in the unit’s zone', async () => {
    const sold = await sell(student())
    const preview = await post('cancel/preview', { policyUuid: sold.policyUuid, version: 1, as: 'withdrawal' })
    const { files, kind } = await cancel(sold.policyUuid, 1, preview.refund, 'withdrawal')
    expect(kind).toBe('withdrawal')
    const { text } = await read(files[0])
    const on = day(today(Date.now() + ahead, 'Europe/Madrid'))
    expect(text).toMatch(new RegExp(`${on}, \\d{2}:\\d{2}:\\d{2} (CET|CEST)`))
    expect(text).toContain(`Ana García López desiste del contrato de seguro ${sold.policyNumber}`)
    await isSound()
  })

  it('is undone by a certificate that says what was not covered', async () => {
    const { policyUuid } = await sell()
    await cancel(policyUuid, 1, 33.76)
    await move(1)
    const { files } = await post('reinstate', { policyUuid, version: 2, expectedCharge: 33.76 })
    const { text } = await read(files[0])
    expect(text).toContain('De nuevo en vigor')
    expect(text).toMatch(/No está cubierto nada de lo ocurrido entre el \d{2}\/.* y el \d{2}\//)
    expect(text).toContain('Sustituye a la versión 1')
    await isSound()
  })
})

/** Three months at a distance: a right of withdrawal needs a month at least. */
const student = () => ({
  productUUID: seller.products.find(({ code }) => code === 'STU').uuid,
  users: [{ ...ana, ...reach }],
  paxNumber: 1,
  endDate: addDays(start, 90),
  channel: 'distance',
})

describe('the check of a document', () => {
  const verify = async (number: string, code: string) =>
    (await app.ask('/api/verify', { body: { number, code }, remoteAddress: `10.9.${(networks += 1)}.1` })).body.data
  let networks = 0
  const codeOf = ({ policyUuid, policyNumber }: Sold, edition: number) => checkCode({ id: policyUuid, number: policyNumber, edition })

  it('says that a certificate is replaced, by which version and since when', async () => {
    const sold = await sell()
    const { files } = await change(sold.policyUuid)
    const since = today(Date.now() + ahead, 'Europe/Madrid')
    expect(await verify(sold.policyNumber, codeOf(sold, 1))).toMatchObject({ validity: 'replaced', holds: { version: 2, since } })
    const code = /portal\.example\/verify.*? ([0-9A-Z]{5}-[0-9A-Z]{5})/.exec((await read(files[1])).text)?.[1]
    expect(code).toBe(codeOf(sold, 2))
    expect(await verify(sold.policyNumber, code ?? '')).toMatchObject({ validity: 'upcoming', holds: null })
  })

  it('says nothing of a change that made no certificate', async () => {
    const sold = await sell()
    await change(sold.policyUuid, { change: { buReference: 'Other' }, expectedDifference: 0 })
    expect(await verify(sold.policyNumber, codeOf(sold, 1))).toMatchObject({ validity: 'upcoming', holds: null })
  })

  it('says that a policy is cancelled, whichever document is in hand', async () => {
    const sold = await sell()
    await change(sold.policyUuid)
    await cancel(sold.policyUuid, 2, 50.84)
    for (const edition of [1, 2, 3]) expect(await verify(sold.policyNumber, codeOf(sold, edition))).toMatchObject({ validity: 'cancelled' })
    expect(await verify(sold.policyNumber, codeOf(sold, 4))).toMatchObject({ validity: 'unknown', number: '' })
    await post('reinstate', { policyUuid: sold.policyUuid, version: 3, expectedCharge: 50.84 })
    expect(await verify(sold.policyNumber, codeOf(sold, 3))).toMatchObject({ validity: 'replaced', holds: { version: 4 } })
    expect(await verify(sold.policyNumber, codeOf(sold, 4))).toMatchObject({ validity: 'upcoming' })
  })
})
