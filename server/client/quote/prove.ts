import { intlTag, languageOf } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { type FileRow, type Files, findFiles, type RenderDocument } from '#server/documents/public.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { addressOpening, queueMail } from '#server/mail/public.ts'
import { addressOf, answerLink, findLink, lockLink, type PolicyRow, proofId, quotesOf, type Sales } from '#server/policies/public.ts'
import { audit, noRequest, scopeOf } from '#server/session/public.ts'
import { type Answer, proofOfAnswer } from './proof.ts'
import { filesOf } from './files.ts'
import { type StoredQuote, storedQuote } from './stored.ts'

/** A client has declined quotes, or accepted one. */
export const quoteAnswered = 'quote.answered'

/** Makes the proof of an answer, once, and keeps its hash with the answer. An answer whose quotes are gone gets none. */
export const proveAnswer =
  (sales: Sales, { files, render }: { files: Files; render: RenderDocument }): Subscriber =>
  async job => {
    const { world, documents } = sales
    const scope = scopeOf(job.businessUnitId)
    const linkId = String(job.payload['linkId'])
    const id = proofId(linkId)
    const quotes = await world.database.inScope(scope, async tx => (await quotesOf(tx, linkId)).filter(isKept))
    // Makes the documents that the client was offered, with no transaction open.
    for (const quote of quotes) await documents.make(scope, quote.id)
    const answer = await world.database.inScope(scope, tx => answerOf(world, tx, linkId))
    if (!answer) return undefined
    const { quotes: shown, locale } = answer
    const [{ stored: first }] = shown
    const about = shown.find(({ stored }) => stored.policy.id === answer.decidedPolicy)?.stored ?? first
    const words = world.words(locale)
    const made = await files.find(scope, id)
    if (!made) {
      const content = await render(scope, unit => proofOfAnswer(answer, unit, words))
      const name = `${words('documents.answer', { decision: answer.decision })}.pdf`
      const { id: policyId, seller_id: userId } = about.policy
      await files.put(scope, { id, kind: 'proof', name, mediaType: 'application/pdf', content, policyId, userId })
    }
    const proof = await files.find(scope, id)
    return async whole => {
      const tx = within(whole, scope)
      const link = await lockLink(tx, linkId)
      if (!proof?.sha256 || !link || link.proof_sha256 !== null) return
      // Its person has left the quotes while it was made.
      if (link.answered_by === '') return documents.remove(tx, id)
      await answerLink(tx, linkId, { proof_sha256: proof.sha256 })
      await mailProof(world, tx, answer, { linkId, about, proof })
      // The administration finds the answer by the hash of a copy that is shown to it.
      const entry = { action: 'client.quote_proved', outcome: 'done' as const, object: proof.sha256, businessUnitId: scope.businessUnitId }
      await audit(world, tx, noRequest, { ...entry, details: { policyUuid: about.policy.id } })
    }
  }

type Mailing = { linkId: string; about: StoredQuote; proof: FileRow }

/**
 * Mails the proof to the agency, and to the client at the quote's address or the one that the link was mailed to. A messenger's link may have neither. The
 * greeting has the policyholder's name, as the other one is a person's word.
 */
async function mailProof(world: World, tx: UnitTx, answer: Answer, { linkId, about, proof }: Mailing): Promise<void> {
  const { policy, people } = about
  const unit = await unitSettings(tx)
  const [first] = await quotesOf(tx, linkId)
  const address = addressOf(people.find(({ holder }) => holder)) ?? (await addressOpening(tx, first?.id ?? policy.id, linkId))
  const readers = [
    ...(address ? [{ reader: 'client', to: { name: policy.taker, address }, locale: policy.locale }] : []),
    { reader: 'agency', to: { name: unit.brandName, address: unit.contactInfo.email }, locale: unit.locale },
  ]
  const decided = answer.decision === 'accepted' ? [about] : answer.quotes.map(({ stored }) => stored)
  for (const { reader, to, locale } of readers) {
    const names = new Set(decided.map(({ sold }) => sold.product.name[languageOf(locale)]))
    await queueMail(world, tx, {
      to,
      template: 'quote_answered',
      locale,
      params: {
        name: to.name,
        reader,
        decision: answer.decision,
        client: answer.by,
        products: new Intl.ListFormat(intlTag(locale)).format(names),
      },
      about: policy.id,
      attachments: [{ filename: proof.name, contentType: proof.media_type, size: proof.size ?? 0, fileId: proof.id }],
    })
  }
}

const isKept = ({ status, erased_at: erasedAt }: PolicyRow): boolean => status !== 'deleted' && status !== 'blocked' && erasedAt === null

/** Reads the answer to a link, with the quotes that still have their people. Returns none once it is proved, or its person is gone with the name. */
async function answerOf(world: World, tx: UnitTx, linkId: string): Promise<Answer | undefined> {
  const link = await findLink(tx, linkId)
  if (!link?.decision || !link.decided_at || link.proof_sha256 !== null || link.answered_by === '') return undefined
  const [first, ...rest] = (await quotesOf(tx, linkId)).filter(isKept)
  if (!first) return undefined
  const read = async ({ id }: PolicyRow) => {
    const stored = await storedQuote(world.secrets, tx, id)
    const papers = filesOf(world, tx.scope, stored)
    const rows = await findFiles(
      tx,
      papers.map(({ paper }) => paper),
    )
    return { stored, files: papers.map(({ label, paper }) => ({ label, sha256: rows.find(row => row.id === paper)?.sha256 ?? '' })) }
  }
  const { timeZone } = await unitSettings(tx)
  return {
    decision: link.decision,
    decidedPolicy: link.decided_policy,
    reason: link.reason,
    at: link.decided_at,
    by: link.answered_by,
    locale: first.locale,
    timeZone,
    quotes: [await read(first), ...(await Promise.all(rest.map(read)))],
  }
}
