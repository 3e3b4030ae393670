// The command of `npm run paste`, which prints what the paste dialog recognises in a text.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isDate, today as todayIn } from '#common/kit/dates.ts'
import { isLocale, locales } from '#common/kit/locales.ts'
import { earliestBirthDate } from '#common/kit/validators/periods.ts'
import { printed } from './printed.ts'
import { measure, type Sample, samplesIn, table } from './samples.ts'
import { fail } from '../steps.mjs'

const usage =
  'Usage: npm run -s paste -- [--doubtful] [--today YYYY-MM-DD] [--locale es-ES] [--earliest-birth YYYY-MM-DD] FILE (or - for standard input), ' +
  'or npm run -s paste -- --samples FILE…'

const { files, isSamples, ...context } = read()
const [file = ''] = files
process.stdout.write(
  `${isSamples ? table(files.flatMap(samplesOf).map(measure)) : JSON.stringify(printed(textOf(file), context), null, 2)}\n`,
)

function read() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        today: { type: 'string' },
        locale: { type: 'string', default: 'es-ES' },
        'earliest-birth': { type: 'string', default: earliestBirthDate },
        doubtful: { type: 'boolean', default: false },
        samples: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    const day = values.today ?? todayIn(new Date(), 'Europe/Madrid')
    if (positionals.length === 0 || (positionals.length > 1 && !values.samples)) fail(usage)
    if (!isDate(day)) fail(`--today ${values.today} is not a day. ${usage}`)
    if (!isLocale(values.locale)) fail(`--locale ${values.locale} is none of ${locales.join(', ')}. ${usage}`)
    const earliest = values['earliest-birth']
    if (!isDate(earliest)) fail(`--earliest-birth ${values['earliest-birth']} is not a day. ${usage}`)
    const { locale, doubtful: withDoubts, samples: isSamples } = values
    return { today: day, locale, earliestBirthDate: earliest, files: positionals, withDoubts, isSamples }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}. ${usage}`)
  }
}

function textOf(file: string): string {
  return readOr(file, () => readFileSync(file === '-' ? 0 : file, 'utf8'))
}

function samplesOf(file: string): Sample[] {
  return readOr(file, () => samplesIn(file))
}

function readOr<Read>(file: string, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    return fail(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
