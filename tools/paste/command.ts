// The command of `npm run paste`, which prints what the paste dialog recognises in a text.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isDate, today as todayIn } from '#common/kit/dates.ts'
import { isLocale, locales } from '#common/kit/locales.ts'
import { earliestBirthDate } from '#common/kit/validators/periods.ts'
import { printed } from './printed.ts'
import { fail } from '../steps.mjs'

const usage =
  'Usage: npm run -s paste -- [--today YYYY-MM-DD] [--locale es-ES] [--earliest-birth YYYY-MM-DD] FILE (or - for standard input)'

const { file, ...context } = read()
process.stdout.write(`${JSON.stringify(printed(textOf(file), context), null, 2)}\n`)

function read() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        today: { type: 'string' },
        locale: { type: 'string', default: 'es-ES' },
        'earliest-birth': { type: 'string', default: earliestBirthDate },
      },
      allowPositionals: true,
    })
    const [file, ...more] = positionals
    const day = values.today ?? todayIn(new Date(), 'Europe/Madrid')
    if (file === undefined || more.length > 0) fail(usage)
    if (!isDate(day)) fail(`--today ${values.today} is not a day. ${usage}`)
    if (!isLocale(values.locale)) fail(`--locale ${values.locale} is none of ${locales.join(', ')}. ${usage}`)
    const earliest = values['earliest-birth']
    if (!isDate(earliest)) fail(`--earliest-birth ${values['earliest-birth']} is not a day. ${usage}`)
    return { today: day, locale: values.locale, earliestBirthDate: earliest, file }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}. ${usage}`)
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    return fail(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
