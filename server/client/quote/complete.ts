import type * as calls from '#common/client/quote/calls.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { personFieldNames, personFields, type PersonField } from '#common/people/person.ts'
import type { User } from '#common/policies/people.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { lockLink, noteOnce, recordEvent, register, type Sales, type Stored, storedVersion } from '#server/policies/public.ts'
import { readerOf } from '../access.ts'
import { lastByAgency } from '../queries.ts'
import { travellersIn, usersIn } from './missing.ts'
import { decisionOn, linkIn } from './states.ts'
import { storedQuote } from './stored.ts'
import { againBy, asConflict, ownQuote } from './own.ts'

type Input = HandlerInput<typeof calls.clientQuoteComplete>

/** Fills in what a quote lacks, as its next version. The price may change with an age, and stands until the same moment. */
export const completeQuote =
  (sales: Sales): Handler<typeof calls.clientQuoteComplete> =>
  async input => {
    const { world } = sales
    const { ask } = input
    const { scope, linkId } = await readerOf(world, input, 'client.quote_completed', ask.token)
    const { before, registration } = await world.database.inScope(scope, async tx => {
      const link = await linkIn(tx, linkId, lockLink)
      const { stored, state } = await ownQuote(world, tx, link, ask.policyUuid)
      if (decisionOn(link)) throw new Refusal('request.conflict')
      if (state === 'expired') throw new Refusal('policy.price_expired')
      if (state !== 'open' || stored.policy.version !== ask.version) throw new Refusal('request.conflict')
      const users = await filledIn(sales, tx, stored, ask.users)
      return { before: stored.policy.total_cents, registration: await againBy(tx, input, stored, { saveBudget: true, users }) }
    })
    const { total, policyUuid } = await register(sales)(registration).catch(asConflict)
    return world.database.inScope(scope, async tx => {
      const stored = await storedQuote(world.secrets, tx, policyUuid)
      const at = world.clock.now()
      await noteOnce(tx, linkId, 'completed_at', at)
      await recordEvent(world, tx, {
        policyId: stored.policy.id,
        at,
        by: { userId: null, name: stored.policy.taker },
        what: 'quote_completed',
      })
      // Safe: registration.ts writes it.
      const { quote } = stored.version.content as { quote: { provisional?: boolean } }
      return {
        version: stored.policy.version,
        total,
        before: fromCents(before),
        provisional: quote.provisional ?? false,
        travellers: travellersIn(stored, stored.settings, at),
      }
    })
  }

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Fields that may go with a missing one: a number is wrong without the kind of its document. */
const companions: Partial<Record<PersonField, PersonField>> = {
  documentKind: 'docNumber',
  phonePrefix: 'phoneNumber',
  residenceCountryId: 'address',
}

/** Returns the people with what the client fills in. A fact that the agency entered is refused at its field, so that a link renames no one. */
async function filledIn(sales: Sales, tx: UnitTx, stored: Stored, sent: Input['ask']['users']): Promise<User[]> {
  const { secrets, clock } = sales.world
  const users = usersIn(stored)
  const now = clock.now()
  // The facts that the client filled in before may be replaced: those that the agency's last version lacks.
  const agency = await lastByAgency(tx, stored.policy.id)
  const theirs =
    agency === stored.policy.version
      ? stored
      : { ...stored, ...(await storedVersion(secrets, tx, { id: stored.policy.id, version: agency })) }
  const missing = travellersIn(theirs, stored.settings, now)
  const byAgency = usersIn(theirs)
  const problems: Problem[] = []
  for (const { position, ...facts } of sent) {
    const user = users[position]
    const open = new Set<string>(missing[position]?.missing)
    if (!user) problems.push({ path: `users[${position}]`, rule: 'known', key: 'policies.fixed' })
    for (const [field, value] of Object.entries(facts)) {
      // Safe: the schema has no other fields.
      const name = field as PersonField
      if (isEmpty(value)) continue
      // The country of residence decides the cover, also beside an address that is missing.
      const isSet = name === 'residenceCountryId' && ![undefined, null, value].includes(byAgency[position]?.[name])
      const isOpen = open.has(name) || (open.has(companions[name] ?? '') && !isSet)
      if (!isOpen) problems.push({ path: `users[${position}].${name}`, rule: 'fixed', key: 'policies.fixed' })
    }
    // An empty field is not sent, and empties none.
    users[position] = { ...user, ...Object.fromEntries(Object.entries(facts).filter(([, value]) => !isEmpty(value))) }
  }
  if (problems.length > 0) throw refuseFields(problems)
  // Those at the end of whom nothing is known stay out.
  const last = users.findLastIndex(user => personFieldNames.some(field => personFields[field].is !== 'documentKind' && user[field]))
  return users.slice(0, last + 1)
}
