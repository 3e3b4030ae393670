import { Popover, useClosePopover } from '#portal/kit/overlay/popover.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { unnamed, withoutEmpty } from '#portal/kit/list/list-params.ts'
import { type LinkOf, moreLook, TaskLink, type Tasks } from './day-strip.tsx'

/** Opens a task's policy beside the list that is shown. */
export const besideList: LinkOf = ({ policyUuid }) => unnamed(before => withoutEmpty({ ...before, policy: policyUuid }))

/** A button at the end of the strip, which opens all tasks of the day. */
export function AllTasks({ tasks }: { tasks: Tasks }) {
  const { words } = useWords()
  return (
    <Popover label={words('day.all', { count: tasks.total })} align="end" content={<TaskList tasks={tasks} />}>
      {trigger => (
        <button type="button" {...trigger} className={moreLook}>
          <MoreTasks total={tasks.total} />
        </button>
      )}
    </Popover>
  )
}

function TaskList({ tasks: { items } }: { tasks: Tasks }) {
  const close = useClosePopover()
  return (
    <ul className="grid w-md max-w-full text-sm">
      {items.map(task => (
        <li key={task.policyUuid} className="flex border-b border-hair last:border-0">
          <TaskLink task={task} linkOf={besideList} onOpen={close} />
        </li>
      ))}
    </ul>
  )
}

/** The strip shows two tasks where there is room, and the widths at which it shows one and two. */
export const hiddenBesideTitle = ['', '@max-5xl:hidden']
const lastFrom = ['@5xl:hidden', '@max-5xl:hidden']

/** The number of tasks that the strip does not show. */
function MoreTasks({ total }: { total: number }) {
  const { words } = useWords()
  return (
    <>
      <span className="sr-only">{words('day.all', { count: total })}</span>
      {lastFrom.map(
        (look, last) =>
          total > last + 1 && (
            <span key={look} aria-hidden="true" className={look}>
              {`+${total - last - 1}`}
            </span>
          ),
      )}
      <Icon name="chevron-down" className="size-3.5" />
    </>
  )
}
