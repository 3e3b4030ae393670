import { expect, test } from 'vitest'
import { compare, readRecord } from './counts/record.ts'
import { findUnused } from './counts/unused-exports.ts'

test('unused exports and files only become fewer', async () => {
  const { counts, names } = await findUnused()
  const { risen, fallen } = compare(readRecord('unused-exports'), counts)
  if (fallen.length > 0) console.info(`npm run counts -- --lower can lower the record of unused exports:\n${fallen.join('\n')}`)
  expect(risen, names.join('\n')).toEqual([])
})
