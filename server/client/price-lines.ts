import type { ClientPolicy } from '#common/client/calls.ts'
import type { Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import { taxName } from '#common/quotes/price-lines.ts'
import type { linesOf } from '#server/policies/public.ts'

type Lines = Pick<Awaited<ReturnType<typeof linesOf>>[number], 'kind' | 'code' | 'amount_cents'>[]
type Taxes = Parameters<typeof taxName>[0]
/** A tax with its own name, as the documents have it. */
type Named = { code: string; label: string }

/** Returns a price line by line. The agency's commission is part of the premium, and is not shown. */
export const priceLinesIn = (
  lines: Lines,
  { taxes, named }: { taxes: Taxes; named: readonly Named[] },
  locale: Locale,
): ClientPolicy['price']['lines'] =>
  lines.flatMap(({ kind, code, amount_cents: cents }) =>
    kind === 'commission' || cents === 0
      ? []
      : [
          {
            kind,
            ...taxLabel(taxes, { code, label: named.find(tax => tax.code === code)?.label ?? code }, locale),
            amount: fromCents(cents),
          },
        ],
  )

/** Returns a tax's name for a client: in their language if the edition sold has one, else its own, as in the documents. */
export function taxLabel(taxes: Taxes, { code, label }: { code: string | null; label: string | null }, locale: Locale) {
  const name = taxName(taxes, code, locale)
  return { label: name ?? label, translated: name !== undefined }
}
