import { useLocation, useNavigate } from '@tanstack/react-router'
import { openStore } from '#portal/kit/stores.ts'
import { useProductName, useProducts } from '#portal/products/store.ts'
import { intlTag, languageOf, locales } from '#common/kit/locales.ts'
import { menuFor } from '#common/shell/menu.ts'
import { mayOpen } from '#common/shell/routes.ts'
import { useSaleEntry } from '#portal/funnel/store.ts'
import { matching, type Option } from '#portal/kit/combobox/options.ts'
import { useFormat } from '#portal/kit/format.ts'
import { languageNames } from '#portal/kit/language.ts'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { type IconName, iconOf } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type PolicySearch, usePolicySearch } from '#portal/policies/use-policy-search.ts'
import { signOut } from '#portal/session/open.ts'
import { currentUnitOf, useMay, useSession } from '#portal/session/session.ts'
import { changeLanguage, themes } from '../preferences.ts'

export type Section = { title: string; commands: Command[] }

type Search = Pick<PolicySearch, 'state' | 'searchAgain'> & { areSimilar: boolean }

/**
 * Returns the commands that match the query, in sections: the recent ones, pages, products to sell, actions, policies. Each occurs once. `state`
 * is that of the search for policies. If nothing matches, policies with a similar word are returned. `onSend` sends a policy.
 */
export function useSections(query: string, onSend: (policy: PolicySearch['rows'][number]) => void): { sections: Section[] } & Search {
  const { words } = useWords()
  const [pages, sales, own] = [usePageCommands(), useSaleCommands(), useOwnCommands()]
  const offered = new Map([...pages, ...sales].map(command => [command.value, command]))
  // A page or product has its name in the current language, and is shown only while it is offered.
  const recent = useRecent().flatMap(command => offered.get(command.value) ?? (command.search?.['policy'] ? command : []))
  const here = [
    { title: words('keys.palette.recent'), commands: matching(recent, query) },
    { title: words('keys.palette.pages'), commands: matching(pages, query) },
    { title: words('keys.palette.sales'), commands: matching(sales, query) },
    // All of them would hide the recent ones.
    { title: words('keys.palette.actions'), commands: query.trim() === '' ? [] : matching(own, query) },
  ]
  const {
    rows: found,
    areSimilar = false,
    maySend = false,
    state,
    searchAgain,
  } = usePolicySearch(
    query,
    here.every(({ commands }) => commands.length === 0),
  )
  const policies = usePolicyCommands(found)
  // A similar policy may not be the one that the query means.
  const actions = useActionCommands(areSimilar ? [] : found, maySend, onSend)
  const sections = [
    ...here,
    { title: words(areSimilar ? 'keys.palette.similar' : 'keys.palette.policies'), commands: policies },
    { title: words('keys.palette.after_sale'), commands: actions },
  ]
  const seen = new Set<string>()
  const shown = sections
    .map(({ title, commands }) => ({ title, commands: commands.filter(({ value }) => !seen.has(value) && seen.add(value)) }))
    .filter(({ commands }) => commands.length > 0)
  return { sections: shown, areSimilar: areSimilar && found.length > 0, state, searchAgain }
}

/** Returns a function that runs a command, or opens its page and adds it to the recent ones. */
export function useOpen(): (command: Command) => void {
  const navigate = useNavigate()
  return command => {
    if ('run' in command) return command.run()
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
  if (mayOpen(permissions, '/earnings'))
    pages.push({ value: 'reports', label: words('keys.palette.reports'), icon: 'rows', to: '/earnings', search: { tab: 'reports' } })
  if (!maySell) return pages
  // Users may also type the entry's usual label, which it has while no sale is in progress.
  return [
    { value: sale.to, label: words(sale.label), also: words('shell.menu.funnel'), icon: sale.icon, to: sale.to, search: sale.search },
    ...pages,
  ]
}

/** Returns commands that need no page: they change language and colours, send the open quote, or sign out. */
function useOwnCommands(): Command[] {
  const { words, locale } = useWords()
  const maySell = useMay('b2b-products-sell')
  const opened = useLocation({ select: ({ pathname, search }) => (pathname === '/policies/saved' ? search.policy : undefined) })
  const { theme, prefer } = useAppearance()
  const names = new Intl.DisplayNames(intlTag(locale), { type: 'language' })
  return [
    ...locales
      .filter(each => each !== locale)
      .map(each => ({
        value: each,
        label: languageNames[each],
        // Also found by the name in the current language, and by the menu that offers it.
        also: `${names.of(languageOf(each))} ${words('shell.preferences')}`,
        icon: 'globe' as const,
        run: () => void changeLanguage(each),
      })),
    ...themes
      .filter(([value]) => value !== theme)
      .map(([value, icon, label]) => ({
        value,
        label: words(label),
        also: words('shell.preferences'),
        icon,
        run: () => prefer({ theme: value }),
      })),
    ...(maySell && opened ? [{ value: 'send', label: words('keys.offer'), icon: 'mail' as const, ...sending(opened) }] : []),
    { value: 'sign-out', label: words('session.sign_out'), icon: 'log-out', run: signOut },
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

/** Returns commands that change, cancel, reinstate or send the policy that the query means: the first one found. */
function useActionCommands([first]: Found, maySend: boolean, onSend: (policy: Found[number]) => void): Command[] {
  const { words } = useWords()
  const mayChange = useMay('b2b-policies-change')
  const maySell = useMay('b2b-products-sell')
  if (!first) return []
  const actions = !mayChange
    ? []
    : first.status === 'purchased'
      ? (['change', 'cancel'] as const)
      : first.status === 'cancelled' && !first.withdrawn
        ? (['reinstate'] as const)
        : []
  const policy = [first.policyNumber, first.policyTaker].filter(Boolean).join(' · ')
  const commands = actions.map(
    (desk): Command => ({
      value: `${desk}-${first.policyUuid}`,
      label: words(actionLabels[desk], { policy }),
      icon: icons[desk],
      to: '/policies',
      search: { policy: first.policyUuid, desk },
    }),
  )
  const sends = { value: `send-${first.policyUuid}`, label: words('keys.palette.send', { policy }), icon: 'mail' as const }
  if (!maySend) return commands
  // A saved quote is sent from its details, which have its link.
  if (maySell && first.status === 'budgeted') return [...commands, { ...sends, ...sending(first.policyUuid) }]
  return [...commands, { ...sends, run: () => onSend(first), takesOver: true as const }]
}

const sending = (policy: string) => ({ to: '/policies/saved', search: { policy, desk: 'send' } })

const actionLabels = { change: 'keys.palette.change', cancel: 'keys.palette.cancel', reinstate: 'keys.palette.reinstate' } as const
const icons = { change: 'pencil', cancel: 'calendar-x', reinstate: 'repeat' } as const

/** A command that opens a page, with its search. `mark` says that a policy is cancelled. */
type PageCommand = Option & { icon: IconName; to: string; search?: Record<string, string> | undefined; mark?: string | undefined }

/** A command of the palette. It opens a page, or runs at once. `takesOver`: its dialog takes the palette’s place. */
export type Command =
  | (PageCommand & { takesOver?: undefined })
  | (Option & { icon: IconName; run: () => void; takesOver?: true; mark?: undefined })

const most = 5

/** The commands last chosen in each unit, newest first. They may name policyholders, so they are encrypted and end with the session. */
export const useRecents = openStore<{ byUnit: Record<string, PageCommand[]> }>('recent', { byUnit: {} })

const unitNow = ({ unitUuid }: { unitUuid: string | undefined }): string => unitUuid ?? ''

function useRecent(): PageCommand[] {
  const unit = useSession(unitNow)
  return useRecents(({ byUnit }) => byUnit[unit]) ?? none
}

const none: PageCommand[] = []

export function keepRecent(command: PageCommand): void {
  const unit = unitNow(useSession.getState())
  const { byUnit } = useRecents.getState()
  const others = (byUnit[unit] ?? none).filter(({ value }) => value !== command.value)
  useRecents.setState({ byUnit: { ...byUnit, [unit]: [command, ...others].slice(0, most) } })
}
