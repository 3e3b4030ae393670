import type { ReactNode } from 'react'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { toastError } from '#portal/kit/overlay/report-error.ts'
import { useFormat } from '#portal/kit/format.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { SaveView } from './save-view.tsx'
import { type OwnView, removeView, saveView, useViews, type ViewedList, type ViewParams, viewShown } from './use-views.ts'

type Props = {
  list: ViewedList
  params: ViewParams
  /** Shows the list with these parameters of a view, and without its other ones. */
  onSwitch: (params: ViewParams) => void
  /** The key hints of the list, at the end of the line. */
  hints?: ReactNode
  children: ReactNode
}

/** The views of a list, with the number of rows that each finds, over the list itself. */
export function ViewTabs({ list, params, onSwitch, hints, children }: Props) {
  const { words } = useWords()
  const { number } = useFormat()
  const { views, retry } = useViews(list)
  const shown = viewShown(list, views, params)
  const own = shown?.own
  return (
    <Tabs
      label={words('panel.views')}
      tabs={views.map(({ id, label, count }) => ({ id, label, ...(count === null ? {} : { count: number(count) }) }))}
      value={shown?.id}
      onChange={id => {
        const view = views.find(view => view.id === id)
        if (!view) return
        if (view.own?.hidden) list.columns?.show(view.own.hidden)
        onSwitch(view.params)
      }}
      after={
        <>
          {retry && <IconButton icon="repeat" label={words('panel.views_failed')} onClick={retry} />}
          <div className="flex max-sm:hidden">
            {own && (
              <IconButton
                icon="trash"
                label={words('panel.view_delete')}
                onClick={() => {
                  onSwitch({})
                  void remove(list, own, words)
                }}
              />
            )}
            <SaveView list={list} params={params} />
          </div>
          {hints}
        </>
      }
    >
      {children}
    </Tabs>
  )
}

/** Deletes a view, and offers to undo it. */
async function remove(list: ViewedList, view: OwnView, words: Words): Promise<void> {
  const { name, params, hidden } = view
  const undo = () => saveView(list, { name, params, ...(hidden ? { hidden } : {}) })
  try {
    await removeView(list, view)
    showToast({ summary: words('panel.view_deleted'), action: { label: words('ui.undo'), run: () => void undo().catch(toastError) } })
  } catch (error) {
    toastError(error)
  }
}
