import { afterEach, expect, test } from 'vitest'
import { showTimesIn } from '#portal/kit/time.ts'
import { shownEnd } from './end.ts'

afterEach(() => showTimesIn('UTC'))

test.each([
  ['Europe/Madrid', '2026-12-15T23:00:00Z', '15/12/2026'],
  ['Europe/Madrid', '2026-12-15T23:00:01Z', '16/12/2026\u00a000:00'],
  ['UTC', '2026-12-15T23:00:00Z', '15/12/2026\u00a023:00'],
  ['UTC', '2027-01-01T00:00:00Z', '31/12/2026'],
  // Summer time began at midnight there, so the day began at one o'clock.
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '03/11/2018'],
])('in %s the end %s is shown as %s', (zone, instant, shown) => {
  showTimesIn(zone)
  expect(shownEnd(instant)).toBe(shown)
})
