import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { daysBetween } from '#common/kit/dates.ts'
import { policyDay } from '#common/policies/day-calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { useFormat } from '#portal/kit/format.ts'
import { unnamed, withoutEmpty } from '#portal/kit/list/list-params.ts'
import { Popover, useClosePopover } from '#portal/kit/overlay/popover.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Tasks = ResponseOf<typeof policyDay>['tasks']
type Task = Tasks['items'][number]

/** The widths from which the first and the second task are shown, and the number of further tasks for each. */
const fromWidth = ['@max-2xl:hidden', '@max-5xl:hidden']
const more = ['@2xl:hidden', '@max-2xl:hidden @5xl:hidden', '@max-5xl:hidden']

/** Today's tasks in one line, by amount: unsold quotes, unpaid sales, declined cards, failed emails, clients' answers. Hidden if there are none. */
export function DayStrip() {
  const { words } = useWords()
  const { money } = useFormat()
  const { currency } = useUnit().configuration
  const { data, error, refetch } = useQuery({
    queryKey: ['policies', 'day'],
    ...loadingOf(policyDay, {}),
    // A client may have answered while the agent was elsewhere.
    refetchOnWindowFocus: true,
  })
  if (!data && error)
    return (
      <Strip>
        <p className="min-w-0 flex-1 truncate self-center px-3 text-danger">{words('policies.day_failed')}</p>
        <Button look="plain" onClick={() => void refetch()}>
          {words('shell.try_again')}
        </Button>
      </Strip>
    )
  if (!data || data.tasks.total === 0) return null
  const { items, total, amount } = data.tasks
  return (
    <Strip>
      <p className="flex min-w-0 items-center gap-2 px-3 whitespace-nowrap">
        <b className="font-semibold">{words('policies.day')}</b>
        {amount > 0 && <span className="truncate text-quiet">{words('policies.open_amount', { amount: money(amount, currency) })}</span>}
      </p>
      <ul className="contents">
        {items.slice(0, fromWidth.length).map((task, index) => (
          <li key={task.policyUuid} className={`flex min-w-0 flex-1 border-l border-hair ${fromWidth[index]}`}>
            <TaskLink task={task} />
          </li>
        ))}
      </ul>
      <Popover label={words('policies.tasks_all', { count: total })} align="end" content={<AllTasks tasks={data.tasks} />}>
        {trigger => (
          <button
            type="button"
            {...trigger}
            className="ml-auto flex items-center gap-1 rounded-r-lg border-l border-hair px-3 text-quiet hover:bg-sunken"
          >
            <span className="sr-only">{words('policies.tasks_all', { count: total })}</span>
            {more.map(
              (look, shown) =>
                total > shown && (
                  <span key={look} aria-hidden="true" className={look}>
                    {`+${total - shown}`}
                  </span>
                ),
            )}
            <Icon name="chevron-down" className="size-3.5" />
          </button>
        )}
      </Popover>
    </Strip>
  )
}

function Strip({ children }: { children: ReactNode }) {
  const { words } = useWords()
  return (
    <section
      aria-label={words('policies.day')}
      className="@container flex min-h-10 w-full items-stretch rounded-lg border border-hair bg-sheet text-sm shadow-low pointer-coarse:min-h-11"
    >
      {children}
    </section>
  )
}

/** Opens the policy of a task beside the list. */
function TaskLink({ task: { policyUuid, policyTaker, productName, amount, ...task }, onOpen }: { task: Task; onOpen?: () => void }) {
  const { words } = useWords()
  const { money } = useFormat()
  const { currency } = useUnit().configuration
  const days = Math.max(daysBetween(todayInUnit(), task.startDate), 0)
  const labels = {
    declined: () => words('policies.task_declined'),
    unpaid: () => words('policies.task_unpaid', { days }),
    lapsing: () => words('policies.task_unsold', { days }),
    mail: () => words('policies.task_mail'),
    offer_declined: () => words('policies.task_offer_declined'),
    offer_paid: () => words('policies.task_offer_paid'),
    withdrawn: () => words('policies.task_withdrawn'),
  }
  return (
    <Link
      {...unnamed(before => withoutEmpty({ ...before, policy: policyUuid }))}
      resetScroll={false}
      onClick={onOpen}
      className="flex min-h-(--control) min-w-0 flex-1 items-center gap-2 px-3 whitespace-nowrap hover:bg-sunken"
    >
      <b className="font-semibold">{money(amount, currency)}</b>
      <span className="truncate text-quiet">{policyTaker || productName}</span>
      <span className={`font-semibold ${colours[task.kind]}`}>{labels[task.kind]()}</span>
    </Link>
  )
}

const colours = {
  declined: 'text-danger',
  unpaid: 'text-warning',
  lapsing: 'text-warning',
  mail: 'text-danger',
  offer_declined: 'text-danger',
  offer_paid: 'text-success',
  withdrawn: 'text-danger',
} as const satisfies Record<Task['kind'], string>

function AllTasks({ tasks: { items } }: { tasks: Tasks }) {
  const close = useClosePopover()
  return (
    <ul className="grid w-md max-w-full text-sm">
      {items.map(task => (
        <li key={task.policyUuid} className="flex border-b border-hair last:border-0">
          <TaskLink task={task} onOpen={close} />
        </li>
      ))}
    </ul>
  )
}
