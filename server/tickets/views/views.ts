import type { RequestOf } from '#common/kit/call.ts'
import type * as calls from '#common/tickets/views/calls.ts'
import { builtInTicketViews, ticketConditions, type TicketViewParams } from '#common/tickets/views/views.ts'
import { countedAtOnce } from '#common/views/views.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { countViews, saveView, viewsOf } from '#server/views/public.ts'
import { countTickets, filedTickets } from '../queries.ts'
import { filterOf, readerOf } from '../read.ts'

type SavedContent = Pick<RequestOf<typeof calls.saveTicketView>, 'params'>

/** Returns the user's views of a list with the numbers of tickets that the user may see. Each is counted in a transaction of its own. */
export const ticketViews =
  ({ database }: World): Handler<typeof calls.ticketViews> =>
  async ({ ask: { list, exact }, caller }) => {
    const { scope } = caller.unit
    const reader = readerOf(caller)
    const { saved, filed } = await database.inScope(scope, async tx => ({
      saved: await viewsOf<SavedContent>(tx, caller.userId, list),
      filed: await filedTickets(tx),
    }))
    const count = async (params: TicketViewParams) =>
      exact || filed <= countedAtOnce
        ? database.inScope(scope, async tx => countTickets(tx, await filterOf(tx, ticketConditions(list, params)), reader))
        : undefined
    return countViews(saved, { builtIn: builtInTicketViews, count })
  }

export const saveTicketView =
  (world: World): Handler<typeof calls.saveTicketView> =>
  input =>
    saveView(world, input, input.ask)
