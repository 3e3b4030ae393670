import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RenewalApp, renewalApp } from '#server/changes/renewal/testing.ts'
import { askClient } from '../testing.ts'

// A renewal by link says what differs from the policy that it renews (N1).

let app: RenewalApp
beforeAll(async () => {
  app = await renewalApp()
})
afterAll(() => app.stop())

it('the quote of a renewal says what differs, in the reader’s language, while it can be answered', async () => {
  const { policyUuid, seller } = await app.soldUntil('2027-10-31T06:00:00Z')
  const post = (path: string, body: object) => app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
  const renewal = (await post('renew', { policyUuid })).body.data
  const { url } = (await post('quote-link', { policyUuid: renewal.policyUuid })).body.data
  const ask = async (locale: string) =>
    (await askClient(app, 'quote', { token: url.split('#')[1] }, { 'accept-language': locale })).body.data.quotes[0].differences
  expect(renewal.differences).not.toEqual([])
  expect(await ask('es-ES')).toEqual(renewal.differences)
  expect(await ask('fr-FR')).toEqual([
    { what: 'Âge de Ana García López', was: '40', is: '41' },
    { what: 'Âge de Leo García Gil', was: '38', is: '39' },
  ])
  app.setClock('2027-11-30T23:00:00Z')
  expect(await ask('es-ES')).toEqual([])
})
