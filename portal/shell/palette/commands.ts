import { useNavigate } from '@tanstack/react-router'
import { openStore } from '#portal/kit/stores.ts'
import { useProductName, useProducts } from '#portal/products/store.ts'
import { menuFor } from '#common/shell/menu.ts'
import { mayOpen } from '#common/shell/routes.ts'
import { useSaleEntry } from '#portal/funnel/store.ts'
import { matching, type Option } from '#portal/kit/combobox/options.ts'
import { useFormat } from '#portal/kit/format.ts'
import { type IconName, iconOf } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type PolicySearch, usePolicySearch } from '#portal/policies/use-policy-search.ts'
import { currentUnitOf, useMay, useSession } from '#portal/session/session.ts'

export type Section = { title: string; commands: Command[] }

/**
 * Returns the commands that match the query, in sections: the recent ones, pages, products to sell, policies. Each occurs once. `state` is that of
 * the search for policies.
 */
export function useSections(query: string): { sections: Section[] } & Pick<PolicySearch, 'state' | 'searchAgain'> {
  const { words } = useWords()
  const { rows: found, state, searchAgain } = usePolicySearch(query)
  const [pages, sales, policies] = [usePageCommands(), useSaleCommands(), usePolicyCommands(found)]
  const actions = useActionCommands(found)
  const offered = new Map([...pages, ...sales].map(command => [command.value, command]))
  // A page or product has its name in the current language, and is shown only while it is offered.
  const recent = useRecent().flatMap(command => offered.get(command.value) ?? (command.search?.['policy'] ? command : []))
  const sections = [
    { title: words('keys.palette.recent'), commands: matching(recent, query) },
    { title: words('keys.palette.pages'), commands: matching(pages, query) },
    { title: words('keys.palette.sales'), commands: matching(sales, query) },
    { title: words('keys.palette.policies'), commands: policies },
    { title: words('keys.palette.after_sale'), commands: actions },
  ]
  const seen = new Set<string>()
  const shown = sections
    .map(({ title, commands }) => ({ title, commands: commands.filter(({ value }) => !seen.has(value) && seen.add(value)) }))
    .filter(({ commands }) => commands.length > 0)
  return { sections: shown, state, searchAgain }
}

/** Returns a function that opens a command's page and adds the command to the recent ones. */
export function useOpen(): (command: Command) => void {
  const navigate = useNavigate()
  return command => {
    // An action on a policy depends on the moment, so it is not kept: the search offers it again while it is possible.
    if (!command.search?.['desk']) keepRecent(command)
    void navigate({ to: command.to, search: command.search ?? {} })
  }
}

function usePageCommands(): Command[] {
  const { words } = useWords()
  const permissions = useSession(state => currentUnitOf(state)?.permissions) ?? []
  const sale = useSaleEntry()
  const maySell = useMay('b2b-products-sell') && mayOpen(permissions, '/funnel')
  const pages = menuFor(permissions)
    .flatMap(item => ('entries' in item ? item.entries : item))
    .filter(({ to }) => to !== '/')
    .map(({ to, label, icon }): Command => ({ value: to, label: words(label), icon, to }))
  if (!maySell) return pages
  // Users may also type the entry's usual label, which it has while no sale is in progress.
  return [
    { value: sale.to, label: words(sale.label), also: words('shell.menu.funnel'), icon: sale.icon, to: sale.to, search: sale.search },
    ...pages,
  ]
}

function useSaleCommands(): Command[] {
  const { words } = useWords()
  const permissions = useSession(state => currentUnitOf(state)?.permissions) ?? []
  const products = useProducts(({ products }) => products)
  const maySell = useMay('b2b-products-sell') && mayOpen(permissions, '/funnel')
  if (!maySell) return []
  return products.map(({ uuid, name, icon }) => ({
    value: uuid,
    label: words('keys.palette.sell', { product: name }),
    icon: iconOf(icon),
    to: '/funnel',
    search: { product: uuid },
  }))
}

/** Returns commands that open the policies whose number or name contains the query. */
function usePolicyCommands(found: Found): Command[] {
  const { words } = useWords()
  const { date, money } = useFormat()
  const productName = useProductName()
  return found.map(({ policyUuid, policyNumber, policyTaker, startDate, status, total, currency, ...product }) => {
    const isSold = status === 'purchased' || status === 'cancelled'
    return {
      value: policyUuid,
      label: [policyNumber, policyTaker, startDate && date(startDate), money(total, currency), productName(product)]
        .filter(Boolean)
        .join(' · '),
      icon: isSold ? 'receipt' : 'bookmark',
      to: isSold ? '/policies' : '/policies/saved',
      search: { policy: policyUuid },
      mark: status === 'cancelled' ? words('policies.status_cancelled') : undefined,
    }
  })
}

type Found = PolicySearch['rows']

/** Returns commands that change, cancel or reinstate the policy that the query means: the first one found, if it is sold. */
function useActionCommands([first]: Found): Command[] {
  const { words } = useWords()
  const mayChange = useMay('b2b-policies-change')
  if (!first || !mayChange) return []
  const actions =
    first.status === 'purchased'
      ? (['change', 'cancel'] as const)
      : first.status === 'cancelled' && !first.withdrawn
        ? (['reinstate'] as const)
        : []
  const policy = [first.policyNumber, first.policyTaker].filter(Boolean).join(' · ')
  return actions.map(desk => ({
    value: `${desk}-${first.policyUuid}`,
    label: words(actionLabels[desk], { policy }),
    icon: icons[desk],
    to: '/policies',
    search: { policy: first.policyUuid, desk },
  }))
}

const actionLabels = { change: 'keys.palette.change', cancel: 'keys.palette.cancel', reinstate: 'keys.palette.reinstate' } as const
const icons = { change: 'pencil', cancel: 'calendar-x', reinstate: 'repeat' } as const

/** A command of the palette: it opens a page, with its search. `mark` says that a policy is cancelled. */
export type Command = Option & { icon: IconName; to: string; search?: Record<string, string> | undefined; mark?: string | undefined }

const most = 5

/** The commands last chosen in each unit, newest first. They may name policyholders, so they are encrypted and end with the session. */
export const useRecents = openStore<{ byUnit: Record<string, Command[]> }>('recent', { byUnit: {} })

const unitNow = ({ unitUuid }: { unitUuid: string | undefined }): string => unitUuid ?? ''

function useRecent(): Command[] {
  const unit = useSession(unitNow)
  return useRecents(({ byUnit }) => byUnit[unit]) ?? none
}

const none: Command[] = []

export function keepRecent(command: Command): void {
  const unit = unitNow(useSession.getState())
  const { byUnit } = useRecents.getState()
  const others = (byUnit[unit] ?? none).filter(({ value }) => value !== command.value)
  useRecents.setState({ byUnit: { ...byUnit, [unit]: [command, ...others].slice(0, most) } })
}
