import { refundDue } from '#common/changes/money.ts'
import { travels } from '#common/changes/state.ts'
import { displayDate, today } from '#common/kit/dates.ts'
import { languageOf } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import { fullName } from '#common/kit/text.ts'
import { personFieldsWhere } from '#common/people/person.ts'
import { manyTrips } from '#common/quotes/rating/many-trips.ts'
import { type DocumentFile, momentIn } from '#server/documents/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type Mail, type MailAttachment, queueMail, dropMails } from '#server/mail/public.ts'
import { addressOf, type PolicyRow, scopeIn, type Sales } from '#server/policies/public.ts'
import type { Loaded } from '../load.ts'
import { type MovementRow, movedIn } from '../queries.ts'
import type { Step } from '../write.ts'

/** A step that was written, with the policy as it is now and the files of its documents. */
type Made = { policy: PolicyRow; loaded: Loaded; step: Step; movement: MovementRow; files: DocumentFile[] }

/** True for two spellings of one address. Mailboxes ignore case. */
const isSame = (one: string, other: string | undefined): boolean => one.toLowerCase() === other?.toLowerCase()

/**
 * Queues the emails of a step, in its transaction: to the policyholder, to people who join or leave, and to both addresses where contact data
 * changed. Waiting emails with an outdated certificate are dropped, and these bring their other documents.
 */
export async function queueMails(sales: Sales, tx: UnitTx, made: Made): Promise<void> {
  const { step, policy, files } = made
  const isOutdating = step.ending !== null || step.papers.includes('certificate')
  const late = isOutdating ? await stillToSend(sales, tx, policy, files) : []
  const attachments = [...files.map(attachmentOf), ...late]
  const write = writer(sales, tx, made)
  const [was, is] = [addressOf(contactOf(made.loaded.policy.people[0])), holderAddress(made)]
  const isMoved = step.kind === 'change' && hasOtherContact(made)
  const template = templateOf(made, isMoved)
  if (is && template) await write(template, { name: policy.taker, address: is }, attachments)
  const { copyTo } = made.loaded
  if (copyTo && !isSame(copyTo.address, is) && template) await write(template, { ...copyTo, greeting: policy.taker }, attachments)
  if (isMoved) {
    if (is && !template) await write('contact_changed', { name: policy.taker, address: is }, attachments)
    // The former address may belong to a stranger, so this email has no name and no documents.
    if (was && !isSame(was, is)) await write('contact_changed', { name: '', address: was })
  }
  if (step.kind !== 'change') return
  for (const { template: about, person, held } of moversOf(made)) {
    const address = addressOf(contactOf(person))
    if (address && !isSame(address, is)) await write(about, { name: fullName(person), address, held })
  }
}

type Template = Mail['template']

/** Returns the email to the policyholder; none if only contact data or the agency's reference changed. */
function templateOf({ step: { kind, papers: kinds }, movement }: Made, isMoved: boolean): Template | undefined {
  switch (kind) {
    case 'cancellation':
      return 'policy_cancelled'
    case 'withdrawal':
      // A client's own statement has had its receipt at once.
      return movement.withdrawal_id ? 'withdrawal_done' : 'policy_withdrawn'
    case 'reinstatement':
      return 'policy_reinstated'
    case 'change':
    case 'undo':
      return kinds.includes('supplement') || (kinds.includes('certificate') && !isMoved) ? 'policy_changed' : undefined
  }
}

/** The emails that bring a certificate. One about contact data or a refund stays true. */
const bringing = [
  'policy_purchased',
  'policy_certificates',
  'policy_changed',
  'policy_reinstated',
  'policy_cancelled',
] as const satisfies Template[]

/** Drops the waiting emails, and returns those of their documents that are still valid. */
async function stillToSend({ world, documents }: Sales, tx: UnitTx, policy: PolicyRow, files: DocumentFile[]): Promise<MailAttachment[]> {
  const brought = await dropMails(tx, policy.id, bringing, world.clock.now())
  if (brought.length === 0) return []
  const holding = new Set((await documents.list(tx, policy)).map(({ uuid }) => uuid))
  const known = new Set(files.map(({ uuid }) => uuid))
  return [...new Map(brought.map(file => [file.fileId, file])).values()].filter(({ fileId }) => holding.has(fileId) && !known.has(fileId))
}

/** Its size is known once it is made: when the email leaves, at the latest. */
const attachmentOf = ({ uuid, name }: DocumentFile): MailAttachment => ({
  filename: name,
  contentType: 'application/pdf',
  size: 0,
  fileId: uuid,
})

/** `held`: the reader was the policyholder until now. `greeting`: the name of the person whose email it copies. */
type To = { name: string; address: string; held?: boolean | undefined; greeting?: string }

/** Returns the function that queues one email about the step. */
function writer({ world }: Sales, tx: UnitTx, made: Made) {
  const { policy } = made
  const params = paramsOf({ world }, made)
  const holder = holderAddress(made)
  return (template: Template, { held, greeting, ...to }: To, attachments: MailAttachment[] = []) =>
    queueMail(world, tx, {
      to,
      template,
      locale: policy.locale,
      params: { ...params, name: greeting ?? to.name, held: held ? 'yes' : 'no' },
      about: policy.id,
      ...(withLink.has(template) && to.address === holder ? { opens: policy.id } : {}),
      attachments,
    })
}

/** The emails that lead the policyholder to the page of their policy: all that may bring a certificate. */
const withLink = new Set<Template>(['policy_changed', 'policy_reinstated', 'contact_changed'])

function paramsOf({ world }: Pick<Sales, 'world'>, { policy, loaded, step, movement }: Made): Mail['params'] {
  const { locale, currency } = policy
  const where = { policy, seller: { timeZone: loaded.policy.timeZone } }
  const { product, common } = loaded.sold
  const { insurer } = common.content
  const { days, by } = refundDue(movement.at, loaded.policy.timeZone)
  const { charge, refund } = movedIn(movement)
  const { stopped_cents: stopped } = movement
  const statement = world.words(locale)('documents.withdrawal.statement.text', {
    name: statedBy(movement, policy),
    number: policy.number ?? '',
    product: product.name[languageOf(locale)],
    insurer: insurer.legalName,
    sold: displayDate(today(policy.purchased_at ?? policy.created_at, loaded.policy.timeZone)) ?? '',
  })
  return {
    number: policy.number ?? '',
    product: policy.product_name,
    policyholder: policy.taker,
    start: displayDate(policy.start_date) ?? '',
    end: displayDate(policy.end_date) ?? '',
    when: momentIn(movement.at, where),
    gap: momentIn(loaded.version.at, where),
    undone: step.kind === 'undo' ? 'yes' : 'no',
    money: moneyOf({ charge, refund, stopped }),
    amount: formatMoney(refund > 0 ? refund : charge, locale, currency),
    stopped: formatMoney(stopped, locale, currency),
    days,
    by: displayDate(by) ?? '',
    statement,
    assistance: insurer.emergencyPhone,
    ...scopeIn(manyTrips(loaded.policy.edition.basis, step.contents.trip), locale),
  }
}

/** Returns the case of the money. An earlier refund may be stopped, as a whole or with a charge for the part that left. */
function moneyOf({ charge, refund, stopped }: Record<'charge' | 'refund' | 'stopped', number>): string {
  if (refund > 0) return 'refund'
  if (stopped > 0) return charge > 0 ? 'both' : 'stopped'
  return charge > 0 ? 'charge' : 'none'
}

/** A client who withdraws on the page of their own states a name and an address. */
const statedBy = ({ asked }: MovementRow, { taker }: PolicyRow): string => (typeof asked['name'] === 'string' ? asked['name'] : taker)

function holderAddress({ step, movement }: Made): string | undefined {
  const stated = movement.asked['confirmTo']
  return (typeof stated === 'string' && addressOf({ email: stated })) || addressOf(contactOf(step.contents.people[0]))
}

type Person = Loaded['policy']['people'][number] | Step['contents']['people'][number]

const contactOf = (person: Person | undefined): { email: string | null } => ({ email: person?.email ?? null })

/** True if the policyholder is the same person with other contact data. */
function hasOtherContact({ loaded, step }: Made): boolean {
  const [[was], [is]] = [loaded.policy.people, step.contents.people]
  if (was?.personUuid !== is?.personUuid) return false
  return personFieldsWhere('part', 'reach', 'address').some(field => (was?.[field] ?? '') !== (is?.[field] ?? ''))
}

/** Returns travellers who join or leave, and a policyholder who is replaced, whether or not they travel. */
function moversOf({ loaded, step }: Made): { template: Template; person: Person; held?: boolean }[] {
  const { people, holder } = loaded.policy
  const [next] = step.contents.people
  const staying = new Set(step.contents.people.map(({ personUuid }) => personUuid))
  const travelling = (_: unknown, index: number) => travels(holder, index)
  return [
    ...step.contents.people
      .filter(travelling)
      .flatMap(person => (person.personUuid ? [] : [{ template: 'policy_joined' as const, person }])),
    ...people.flatMap((person, index) => {
      const isGone = travels(holder, index) && !staying.has(person.personUuid)
      const isReplaced = index === 0 && next?.personUuid !== person.personUuid
      return isGone || isReplaced ? [{ template: 'policy_left' as const, person, held: !isGone }] : []
    }),
  ]
}
