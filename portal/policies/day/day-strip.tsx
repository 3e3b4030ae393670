import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import type { WordsOfData } from '#common/kit/words/words.ts'
import { policyDay } from '#common/policies/day-calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useProductName } from '#portal/products/store.ts'

export type Tasks = ResponseOf<typeof policyDay>['tasks']
type Task = Tasks['items'][number]
/** Returns the link that opens the policy of a task beside a list. */
export type LinkOf = (task: Pick<Task, 'policyUuid' | 'isBudget'>) => Pick<LinkProps, 'to' | 'search' | 'mask'>

type Props = {
  /** The end of the strip, which leads to all tasks. */
  renderMore: (tasks: Tasks) => ReactNode
  linkOf: LinkOf
  /** The widths at which each task is hidden. The first never is. */
  hidden: readonly string[]
}

export const dayQuery = {
  queryKey: ['policies', 'day'],
  ...loadingOf(policyDay, {}),
  // A client may have answered while the agent was elsewhere.
  refetchOnWindowFocus: true,
}

/** Today's tasks in one line, by amount: unsold quotes, unpaid sales, declined cards, failed emails, clients' answers. Hidden if there are none. */
export function DayStrip({ renderMore, linkOf, hidden }: Props) {
  const { words } = useWords()
  const { data, error, refetch } = useQuery(dayQuery)
  if (!data && error)
    return (
      <Strip>
        <div role="alert" className="contents">
          <p className="min-w-0 flex-1 truncate self-center px-3 text-danger">{words('day.failed')}</p>
          <Button look="plain" onClick={() => void refetch()}>
            {words('shell.try_again')}
          </Button>
        </div>
      </Strip>
    )
  if (!data || data.tasks.total === 0) return null
  return (
    <Strip>
      <p className="px-3 leading-10 font-semibold @max-5xl:sr-only">{words('day.title')}</p>
      <ul className="contents">
        {data.tasks.items.slice(0, hidden.length).map((task, index) => (
          <li key={task.policyUuid} className={`flex min-w-0 flex-1 border-l border-hair @max-5xl:first:border-0 ${hidden[index]}`}>
            <TaskLink task={task} linkOf={linkOf} />
          </li>
        ))}
      </ul>
      {renderMore(data.tasks)}
    </Strip>
  )
}

function Strip({ children }: { children: ReactNode }) {
  const { words } = useWords()
  return (
    <section
      aria-label={words('day.title')}
      className="@container flex min-h-10 w-full items-stretch rounded-lg border border-hair bg-sheet text-sm shadow-low pointer-coarse:min-h-11"
    >
      {children}
    </section>
  )
}

export const moreLook = 'ml-auto flex items-center gap-1 rounded-r-lg border-l border-hair px-3 text-quiet hover:bg-sunken'

type TaskProps = { task: Task; linkOf: LinkOf; onOpen?: () => void }

export function TaskLink({ task, linkOf, onOpen }: TaskProps) {
  const { words } = useWords()
  const { money } = useFormat()
  const { currency } = useUnit().configuration
  const nameOf = useProductName()
  // Safe: each kind of task has a message, with the days if it needs them.
  const label = (words as WordsOfData)(`day.${task.kind}`, { days: task.days })
  return (
    <Link
      {...linkOf(task)}
      resetScroll={false}
      onClick={onOpen}
      className="flex min-h-(--control) min-w-0 flex-1 items-center gap-2 px-3 whitespace-nowrap hover:bg-sunken"
    >
      <b className="font-semibold">{money(task.amount, currency)}</b>
      <span className="truncate text-quiet">{task.policyTaker || nameOf(task)}</span>
      <span className={`font-semibold ${colours[task.kind] ?? 'text-warning'}`}>{label}</span>
    </Link>
  )
}

/** The colours of tasks other than warnings. */
const colours: Partial<Record<Task['kind'], string>> = {
  declined: 'text-danger',
  mail: 'text-danger',
  offer_declined: 'text-danger',
  quote_declined: 'text-danger',
  withdrawn: 'text-danger',
  offer_paid: 'text-success',
  quote_paid: 'text-success',
  renewal: 'text-quiet',
}
