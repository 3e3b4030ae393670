import type { RequestOf } from '#common/kit/call.ts'
import type * as calls from '#common/reports/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { saveView, viewsOf } from '#server/views/public.ts'

type SavedContent = Pick<RequestOf<typeof calls.saveReportView>, 'params'>

/** Returns the reports that the user has saved. They have no counts, as they find no rows. */
export const reportViews =
  ({ database }: World): Handler<typeof calls.reportViews> =>
  ({ caller }) =>
    database.inScope(caller.unit.scope, async tx => {
      const saved = await viewsOf<SavedContent>(tx, caller.userId, 'report')
      return { views: saved.map(({ id, name, params }) => ({ viewUuid: id, name, params })) }
    })

export const saveReportView =
  (world: World): Handler<typeof calls.saveReportView> =>
  input =>
    saveView(world, input, { ...input.ask, list: 'report' })
