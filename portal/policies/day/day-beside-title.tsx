import { Popover, useClosePopover } from '#portal/kit/overlay/popover.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { unnamed, withoutEmpty } from '#portal/kit/list/list-params.ts'
import { DayStrip, type LinkOf, moreLook, TaskLink, type Tasks } from './day-strip.tsx'

/** Opens a task's policy beside the list that is shown. */
const besideList: LinkOf = ({ policyUuid }) => unnamed(before => withoutEmpty({ ...before, policy: policyUuid }))

/** The tasks of the day beside the title of a list: one or two by the width, and a button that opens all. */
export const DayBesideTitle = () => (
  <DayStrip linkOf={besideList} hidden={['', '@max-5xl:hidden']} renderMore={tasks => <AllTasks tasks={tasks} />} />
)

function AllTasks({ tasks }: { tasks: Tasks }) {
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

/** The number of tasks that the strip does not show, by the same widths. */
function MoreTasks({ total }: { total: number }) {
  const { words } = useWords()
  return (
    <>
      <span className="sr-only">{words('day.all', { count: total })}</span>
      <span aria-hidden="true">
        {total > 1 && <span className="@5xl:hidden">{`+${total - 1}`}</span>}
        {total > 2 && <span className="@max-5xl:hidden">{`+${total - 2}`}</span>}
      </span>
      <Icon name="chevron-down" className="size-3.5" />
    </>
  )
}
