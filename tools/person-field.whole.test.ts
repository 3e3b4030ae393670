import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyTree } from './mutants/tree.ts'
import { bin, run } from './processes.ts'

// Plays the recipe "Add a field of a person" of CONTRIBUTING in a copy.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'person-field-'))
  copyTree(folder)
  add('common/people/person.ts', '} as const satisfies Record<string, Field>', row)
  add('common/people/person.ts', '] as const\nexport type PersonLine', ", 'taxResidence'")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const row = `  taxResidenceCountryId: {
    is: 'country',
    column: 'tax_residence',
    part: 'more',
    line: 'taxResidence',
    form: { holder: 'taxResidenceCountryId', company: 'taxResidenceCountryId' },
    shown: 'certificate',
    copied: 'countryOfTaxResidence',
    corrected: false,
  },
`

const add = (path: string, before: string, text: string): void => {
  const file = join(folder, path)
  const content = readFileSync(file, 'utf8')
  expect(content.split(before).length).toBe(2)
  writeFileSync(file, content.replace(before, text + before))
}

/** The other files, each with the text before which its entry is inserted. */
const entries: [path: string, before: string, entry: string][] = [
  ['portal/changes/labels.ts', '} as const satisfies Record<ComparedFact', "  taxResidenceCountryId: 'changes.residence',\n"],
  [
    'portal/funnel/payment/review.tsx',
    '    birthDate: null,',
    "    taxResidence: [words('funnel.residence'), countryName(policyholder?.taxResidenceCountryId ?? 0)],\n",
  ],
  [
    'portal/funnel/people/contact-fields.tsx',
    '    residenceCountryId: (',
    '    taxResidenceCountryId: <BoundText key="tax" label={words(\'funnel.residence\')} name="taxResidenceCountryId" />,\n',
  ],
  ['portal/policies/detail/properties.tsx', '} as const satisfies Record<PersonLine', "  taxResidence: 'policies.residence',\n"],
  [
    'server/documents/pdf/parts.ts',
    '  email: null,',
    "  taxResidence: { label: 'documents.residence', value: ({ facts }, _, locale) => countryIn(facts.taxResidenceCountryId, locale) },\n",
  ],
  [
    'server/privacy/copy/schema.ts',
    '} as const satisfies Record<PersonLine',
    "  taxResidence: { list: 'countriesOfTaxResidence', label: 'privacy.residence' },\n",
  ],
]

const filesWithErrors = async (): Promise<string[]> => {
  const { output } = await run(bin('tsc'), ['-b'], folder)
  return [...new Set(output.match(/^[\w/.-]+\.tsx?(?=\()/gm))]
}

test('a policyholder’s field compiles once its row and six other files have it', async () => {
  expect(await filesWithErrors()).toEqual(expect.arrayContaining(entries.map(([path]) => path)))
  for (const entry of entries) add(...entry)
  expect(await filesWithErrors()).toEqual([])
})

test('an added field is stored, sent, compared, shown, copied and erased', async () => {
  for (const entry of entries) add(...entry)
  writeFileSync(
    join(folder, 'server/database/migrations/9999-tax-residence.sql'),
    'alter table policy_people add column tax_residence integer;\n',
  )
  const tests = [
    'common/changes/person-fields.test.ts',
    'server/policies/people/facts.test.ts',
    'server/privacy/retention',
    'server/privacy/copy',
    'server/documents/pdf/documents.test.ts',
  ]
  const ran = await run(
    bin('vitest'),
    ['run', '--project', 'rules', '--project', 'server', '-t', 'fact|new taxResidence', ...tests],
    folder,
  )
  expect(ran.code, ran.output).toBe(0)
})
