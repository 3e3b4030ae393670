// The command of `npm run paste`: prints what the paste dialog recognises in a text.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isDate, today as todayIn } from '#common/kit/dates.ts'
import { isLocale, locales } from '#common/kit/locales.ts'
import { printed } from './printed.ts'
import { fail } from '../steps.mjs'

const usage = 'Usage: npm run -s paste -- [--today YYYY-MM-DD] [--locale es-ES] FILE (or - for standard input)'

const { today, locale, file } = read()
process.stdout.write(`${JSON.stringify(printed(textOf(file), { today, locale }), null, 2)}\n`)

function read() {
  try {
    const { values, positionals } = parseArgs({
      options: { today: { type: 'string' }, locale: { type: 'string', default: 'es-ES' } },
      allowPositionals: true,
    })
    const [file, ...more] = positionals
    const day = values.today ?? todayIn(new Date(), 'Europe/Madrid')
    if (file === undefined || more.length > 0) fail(usage)
    if (!isDate(day)) fail(`--today ${values.today} is not a day. ${usage}`)
    if (!isLocale(values.locale)) fail(`--locale ${values.locale} is none of ${locales.join(', ')}. ${usage}`)
    return { today: day, locale: values.locale, file }
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
