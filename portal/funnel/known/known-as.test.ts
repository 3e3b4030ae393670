import { expect, test } from 'vitest'
import { isSameName } from './known-as.ts'

test.each([
  ['Ana García López', 'ana garcia lopez', true],
  ['Ana García López', 'Ana García', true],
  ['Ana', 'Ana María García', true],
  ['Ana García López', 'Eva García López', false],
  ['Ana García López', 'Ana Gil', false],
])('%s and %s are the same name: %s', (one, other, same) => expect(isSameName(one, other)).toBe(same))
