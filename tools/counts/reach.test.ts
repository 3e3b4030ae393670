import { expect, test } from 'vitest'
import { countReach } from './reach.ts'

const counted = (files: Record<string, string>) => countReach(Object.entries(files).map(([path, text]) => ({ path, text })))

test('imports, small files and shapes of a trip are counted in product files alone', () => {
  const trip = 'export type Trip = { startDate: string; endDate: string; destinations: number[] }\n'
  const days = 'export type Days = { startDate: string; endDate: string }\n'
  expect(
    counted({ 'common/a.ts': `import {\n  b,\n} from './b.ts'\n${trip}`, 'common/b.ts': days, 'common/a.test.ts': trip }),
  ).toMatchObject({
    'product lines without imports': 2,
    'lines of imports': '60.0 %',
    'product files': 2,
    'files of at most 40 lines': 2,
    'shapes of a trip': 1,
    'import circles': 0,
  })
})

test('two files that import each other are one circle', () => {
  const files = { 'common/a.ts': "import './b.ts'\n", 'common/b.ts': "import './a.ts'\n", 'common/c.ts': "import './a.ts'\n" }
  expect(counted(files)).toMatchObject({ 'import circles': 1 })
})

test('a sale’s files are those its handlers import, without types, kit and re-exports', () => {
  const sale = 'server/policies/sale'
  const files = {
    [`${sale}/register.ts`]:
      "import { write } from '#server/mail/public.ts'\nimport '#server/kit/log.ts'\nimport type { T } from './types.ts'\n",
    [`${sale}/purchase.ts`]: "import './register.ts'\n",
    [`${sale}/types.ts`]: 'export type T = string\n',
    'server/kit/log.ts': '',
    'server/mail/public.ts': "export { write } from './write.ts'\nexport { read } from './read.ts'\n",
    'server/mail/write.ts': 'export const write = 1\n',
    'server/mail/read.ts': 'export const read = 1\n',
  }
  expect(counted(files)).toMatchObject({ 'files of a sale on account': 3 })
})
