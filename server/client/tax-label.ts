import type { Locale } from '#common/kit/locales.ts'
import { taxName } from '#common/quotes/price-lines.ts'
import type { Loaded } from '#server/changes/public.ts'

type Edition = Loaded['policy']['edition']

/** Returns a tax's name for a client: in their language if the edition sold has one, else its own, as in the documents. */
export function taxLabel({ basis }: Edition, { code, label }: { code: string | null; label: string | null }, locale: Locale) {
  const name = taxName(basis.taxes, code, locale)
  return { label: name ?? label, translated: name !== undefined }
}
