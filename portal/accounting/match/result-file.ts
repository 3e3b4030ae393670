import { csvOf, dialectOf } from '#common/kit/csv/write.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Words } from '#portal/kit/words.tsx'
import type { Compared } from './compared.ts'

/** Returns the comparison as CSV for a spreadsheet, with the decimals of the language. */
export function resultFile({ rows, currency }: Compared, words: Words, locale: Locale): { name: string; content: Blob } {
  const heads = [
    words('match.policy'),
    words('match.reference'),
    words('match.state'),
    words('match.price_here'),
    words('match.price_list'),
    words('match.price_by'),
    words('match.commission_here'),
    words('match.commission_list'),
    words('match.commission_by'),
  ]
  const lines = rows.map(({ policyNumber, reference, state, ours, theirs, by, currency: other }) => [
    policyNumber,
    reference,
    [words('match.state_of', { state }), other !== null && words('match.other_currency', { other, currency })].filter(Boolean).join(' · '),
    ours?.gross ?? null,
    theirs?.gross ?? null,
    by.gross,
    ours?.commission ?? null,
    theirs?.commission ?? null,
    by.commission,
  ])
  // With this byte order mark, a spreadsheet reads the file as UTF-8.
  const text = `\uFEFF${csvOf([heads, ...lines], dialectOf(locale))}`
  return { name: `${words('match.policies')}.csv`, content: new Blob([text], { type: 'text/csv;charset=utf-8' }) }
}
