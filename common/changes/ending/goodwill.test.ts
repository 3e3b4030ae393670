import { existing } from '#common/kit/testing.ts'
import { premiumIn, totalIn } from '#common/quotes/price-lines.ts'
import { expect, test } from 'vitest'
import { now, person, type Sale, sold } from '../testing.ts'
import { previewEnding } from './cancel.ts'

const sale = (product: Sale['product'], more: Partial<Sale> = {}): Sale => ({
  product,
  soldAt: '2026-11-20T10:00:00Z',
  trip: { startDate: '2027-01-10', endDate: '2027-01-17', origin: 724, destinations: [380] },
  people: [person('A', '1986-01-15'), person('B', '1988-01-15')],
  ...more,
})
const [free, before] = ['2026-11-25T10:00:00Z', '2026-12-20T10:00:00Z']
const [during, after] = ['2027-01-12T10:00:00Z', '2027-01-18T10:00:00Z']
const end = (of: Sale, at: string, goodwill?: number, more = {}) =>
  previewEnding({ ...sold(of), ...more }, { as: 'cancellation', version: 1, goodwill }, now(at))
const codes = ({ refusals }: ReturnType<typeof end>) => refusals.map(({ code }) => code)

test('goodwill refunds everything where the rules refund nothing, also on the trip', () => {
  const { charged } = sold(sale('TOT'))
  expect(codes(end(sale('TOT'), before))).toEqual(['cancel.no_refund'])
  expect(codes(end(sale('TOT'), during))).toEqual(['cancel.started'])
  for (const at of [before, during]) {
    const preview = end(sale('TOT'), at, 100)
    expect(preview).toMatchObject({ possible: true, kind: 'cancellation', basis: 'goodwill', refund: totalIn(charged), nextLower: null })
    expect(totalIn(existing(preview.after ?? undefined).charged)).toBe(0)
    expect(preview.commission.amount).toBe(-charged.commission)
  }
  expect(end(sale('TOT'), during, 100).coverEnds).toBe('2027-01-12')
})

test('a partial refund of premium includes its taxes, and the rest keeps its own', () => {
  const { charged } = sold(sale('TOT'))
  const { after, refund, difference, routes } = end(sale('TOT'), before, 40)
  const left = existing(after ?? undefined)
  const premium = premiumIn(charged) - Math.round(premiumIn(charged) * 0.4)
  expect(premiumIn(left.charged)).toBe(premium)
  expect(left.charged).toMatchObject({ taxes: [{ code: 'IPS', amount: Math.round(premium * 0.08) }, {}, {}] })
  expect(left.segments.map(segment => segment.premium)).toEqual([premium])
  expect([refund, -difference.total]).toEqual([totalIn(charged) - totalIn(left.charged), refund])
  expect(routes.map(({ amount }) => amount)).toEqual([refund])
})

test('goodwill never refunds less than the rules, which are then the reason', () => {
  const total = totalIn(sold(sale('ESS')).charged)
  for (const percent of [40, 100]) expect(end(sale('ESS'), free, percent)).toMatchObject({ basis: 'before_departure', refund: total })
})

test('goodwill never refunds what was not paid', () => {
  const policy = sold(sale('TOT'))
  const paid = totalIn(policy.charged) - 30
  const payments = policy.payments.map(payment => ({ ...payment, left: paid }))
  expect(end(sale('TOT'), before, 100, { payments, waived: 30 })).toMatchObject({ refund: paid, withoutWay: 0 })
})

test('goodwill ends no policy that has a claim, is over, or is cancelled', () => {
  expect(codes(end(sale('TOT'), before, 100, { claimed: true }))).toEqual(['cancel.claimed'])
  expect(codes(end(sale('TOT'), after, 100))).toEqual(['cancel.ended'])
  expect(codes(end(sale('TOT'), before, 100, { status: 'cancelled' }))).toEqual(['cancel.already'])
})

test('goodwill does not apply to a withdrawal', () => {
  const asked = { as: 'withdrawal', version: 1, goodwill: 100 } as const
  expect(previewEnding(sold(sale('TOT')), asked, now(before)).refusals.map(({ code }) => code)).toEqual(['withdraw.none'])
})
