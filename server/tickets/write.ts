import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/tickets/calls.ts'
import { statusAfterMessage, statusesFor } from '#common/tickets/states.ts'
import { messageProblems } from '#common/tickets/ticket.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { attach, limitMessages } from './file.ts'
import { mailMessage } from './mails.ts'
import { requireTicket, sideOf } from './read.ts'
import { addMessage, changeTicket, lockTicket, markRead } from './queries.ts'

/** Sends a message to the other side, which gets it by mail. Earlier messages count as read by the sender. */
export const sendMessage =
  (world: World): Handler<typeof calls.sendTicketMessage> =>
  input => {
    const { ask, caller } = input
    const { scope } = caller.unit
    const problems = messageProblems(ask.text)
    if (problems.length > 0) throw refuseFields(problems)
    return world.database.inScope(scope, async tx => {
      await requireTicket(tx, caller, ask.uuid)
      await limitMessages(world, tx, input)
      const ticket = await lockTicket(tx, ask.uuid)
      const side = sideOf(caller)
      const status = statusAfterMessage(side)
      const id = world.ids.next()
      const at = world.clock.now()
      const message = await addMessage(
        tx,
        world.secrets,
        ticket,
        { id, at, from_support: side === 'support', user_id: caller.userId, author: caller.name, body: ask.text.trim() },
        status,
      )
      const files = await attach(tx, { ticketId: ticket.id, position: message.position }, input)
      await markRead(tx, { id: ticket.id, messages: message.position }, caller.userId)
      await audit(world, tx, input, {
        action: 'ticket.written',
        outcome: 'done',
        object: ticket.id,
        details: { side, files: files.length },
      })
      await mailMessage(world, tx, { ticket, message, files })
      return { messageUuid: id, status }
    })
  }

export const setStatus =
  (world: World): Handler<typeof calls.setTicketStatus> =>
  input => {
    const { ask, caller } = input
    const { scope } = caller.unit
    return world.database.inScope(scope, async tx => {
      await requireTicket(tx, caller, ask.uuid)
      const ticket = await lockTicket(tx, ask.uuid)
      if (ticket.status === ask.status) return { status: ticket.status }
      if (!statusesFor(sideOf(caller), ticket.status).includes(ask.status)) throw new Refusal('request.conflict')
      await changeTicket(tx, ticket.id, { status: ask.status, updated_at: world.clock.now() })
      await audit(world, tx, input, {
        action: 'ticket.status',
        outcome: 'done',
        object: ticket.id,
        details: { from: ticket.status, to: ask.status },
      })
      return { status: ask.status }
    })
  }

/** Support may find that a claim was filed by mistake. Its policy is then changed and refunded as if there were none. */
export const setMisfiled =
  (world: World): Handler<typeof calls.setMisfiled> =>
  input => {
    const { ask, caller } = input
    return world.database.inScope(caller.unit.scope, async tx => {
      await requireTicket(tx, caller, ask.uuid)
      const ticket = await lockTicket(tx, ask.uuid)
      if (ticket.kind !== 'claim') throw new Refusal('request.conflict')
      if (ticket.misfiled === ask.misfiled) return { misfiled: ticket.misfiled }
      await changeTicket(tx, ticket.id, { misfiled: ask.misfiled, updated_at: world.clock.now() })
      await audit(world, tx, input, {
        action: 'ticket.misfiled',
        outcome: 'done',
        object: ticket.id,
        details: { from: ticket.misfiled, to: ask.misfiled },
      })
      return { misfiled: ask.misfiled }
    })
  }
