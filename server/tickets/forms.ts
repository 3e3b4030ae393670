import { countryName } from '#common/geography/countries.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { displayDate } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { formatMoney, toCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { ibanGrouped } from '#common/kit/validators/accounts.ts'
import { isPresent } from '#common/kit/validators/presence.ts'
import { groupsCovered } from '#common/products/cover.ts'
import type { InFive } from '#common/products/texts.ts'
import type { TicketField, TicketType } from '#common/products/tickets.ts'
import { type Answer, type Answers, answerTo, visibleFields } from '#common/tickets/answers.ts'
import type * as calls from '#common/tickets/calls.ts'
import { mayCover } from '#common/tickets/ticket.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { problemIn, type Words } from '#common/kit/words/words.ts'
import { commonContent, type OfferedProduct, offeredProducts } from '#server/products/public.ts'
import type { StoredAnswer, StoredForm } from './tables.ts'

export const typeId = ({ key }: Pick<TicketType, 'key'>): string => stableId('ticket-type', key)

/** Returns the ticket types of the present catalogue. */
export const typesNow = async (tx: UnitTx): Promise<TicketType[]> => (await commonContent(tx)).content.tickets ?? []

export const types =
  (world: World): Handler<typeof calls.ticketTypes> =>
  async ({ caller, locale }) => {
    const all = await world.database.inScope(caller.unit.scope, typesNow)
    return all.map(type => ({ uuid: typeId(type), name: type.name[languageOf(locale)], kind: type.kind }))
  }

export const forms =
  (world: World): Handler<typeof calls.ticketForms> =>
  async ({ caller, locale }) => {
    return world.database.inScope(caller.unit.scope, async tx => {
      const offered = await offeredProducts(tx)
      return (await typesNow(tx)).map(type => formIn(locale, type, offered))
    })
  }

function formIn(locale: Locale, type: TicketType, offered: readonly OfferedProduct[]): ResponseOf<typeof calls.ticketForms>[number] {
  const translated = (text: InFive) => text[languageOf(locale)]
  return {
    uuid: typeId(type),
    key: type.key,
    kind: type.kind,
    name: translated(type.name),
    description: translated(type.description),
    icon: type.icon,
    policy: type.policy,
    calls: type.calls ?? false,
    coveredBy: type.covers ? offered.filter(({ content }) => mayCover(type, groupsCovered(content.coverages))).map(codeOf) : null,
    fields: type.fields.map(field => ({
      name: field.name,
      kind: field.kind,
      label: translated(field.label),
      hint: field.hint ? translated(field.hint) : null,
      required: field.required ?? false,
      when: field.when ?? null,
      maxLength: 'maxLength' in field ? field.maxLength : null,
      notAfterToday: 'notAfterToday' in field,
      options: 'options' in field ? field.options.map(({ value, label }) => ({ value, label: translated(label) })) : [],
    })),
    papers: type.papers.map(({ name, needed }) => ({ name: translated(name), needed })),
  }
}

const codeOf = ({ content }: OfferedProduct): string => content.code

export const storedForm = ({ name, fields }: TicketType, answers: Answers = {}, outsideCover: Problem[] = []): StoredForm => ({
  name,
  ...(outsideCover.length > 0 ? { outsideCover } : {}),
  answers: visibleFields(fields, answers).flatMap(field => storedAnswer(field, answerTo(answers, field.name))),
})

function storedAnswer(field: TicketField, value: Answer | undefined): StoredAnswer[] {
  if (value === undefined || !(isPresent(value) || value === 0)) return []
  const choice = 'options' in field ? field.options.find(option => option.value === value)?.label : undefined
  return [{ name: field.name, kind: field.kind, label: field.label, value, choice }]
}

/** Returns why the incident seems to be outside the cover, in sentences. */
export const outsideCoverIn = ({ outsideCover = [] }: StoredForm, words: Words): string[] =>
  outsideCover.map(problem => problemIn(words, problem))

/** Returns an answer as text in the reader's language. */
export function answerText({ kind, value, choice }: StoredAnswer, locale: Locale, words: Words, currency: string): string {
  if (kind === 'choice') return choice?.[languageOf(locale)] ?? String(value)
  if (kind === 'country') return countryName(Number(value), locale) ?? String(value)
  if (kind === 'amount') return formatMoney(toCents(Number(value)) ?? 0, locale, currency)
  if (kind === 'account') return ibanGrouped(String(value))
  if (kind === 'date') return displayDate(value) ?? String(value)
  return kind === 'flag' ? words('tickets.yes') : String(value)
}
