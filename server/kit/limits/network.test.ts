import { expect, test } from 'vitest'
import { networkOf } from './network.ts'

test('all addresses of one home count as one network', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9')
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9')
  for (const written of ['203.0.113.9:1', '203.0.113.9:65535', '[::ffff:203.0.113.9]:80']) expect(networkOf(written)).toBe('203.0.113.9')
  const spellings = [
    '[2001:db8:0:1::2]:443',
    '[2001:db8:0:1::3]',
    '2001:db8:0:1::1',
    '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8::1:0:0:0:9',
  ]
  expect(new Set(spellings.map(networkOf))).toEqual(new Set(['2001:db8:0:1']))
  for (const written of ['client-1', 'client-2:80', '203.0.113.999', '::1::2', '203.0.113.9, 10.0.0.1'])
    expect(networkOf(written)).toBe('unknown')
})
