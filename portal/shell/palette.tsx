import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { menuFor } from '#common/shell/menu.ts'
import { mayOpen } from '#common/shell/routes.ts'
import { matching, type Option } from '#portal/kit/combobox/options.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Icon, iconOf, type IconName } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { usePolicySearch } from '#portal/policies/use-policy-search.ts'
import { useSaleEntry } from '#portal/funnel/store.ts'
import { useProducts } from '#portal/products/store.ts'
import { currentUnitOf, useMay, useSession } from '#portal/session/session.ts'

type Command = Option & { icon: IconName; run: () => unknown }

/** Finds pages, products and policies by a few letters. `firstText` was typed before the palette was loaded. */
export function Palette({ firstText, onClose }: { firstText: string; onClose: () => void }) {
  const { words } = useWords()
  const id = useId()
  const [query, setQuery] = useState(firstText)
  const [activeIndex, setActiveIndex] = useState(0)
  const commands = [...matching(useCommands(), query), ...usePolicyCommands(query)]
  const current = commands[Math.min(activeIndex, commands.length - 1)]

  function choose(command: Command | undefined) {
    if (!command) return
    onClose()
    void command.run()
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActiveIndex((Math.min(activeIndex, commands.length - 1) + step + commands.length) % Math.max(commands.length, 1))
    else if (event.key === 'Enter') choose(current)
    else return
    event.preventDefault()
  }
  return (
    <Dialog open onClose={onClose} title={words('shell.search')} size="medium">
      <input
        data-first
        type="search"
        name="palette"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${current.value}`}
        aria-label={words('shell.search')}
        placeholder={words('shell.palette.hint')}
        autoComplete="off"
        value={query}
        onChange={event => {
          setQuery(event.target.value)
          setActiveIndex(0)
        }}
        onKeyDown={onKeyDown}
        className="control px-3"
      />
      <div id={`${id}-list`} role="listbox" aria-label={words('shell.search')} className="grid max-h-96 gap-0.5 overflow-auto empty:hidden">
        {commands.map((command, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input keeps the focus and handles the keys
          <div
            key={command.value}
            id={`${id}-${command.value}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            ref={element => {
              if (command === current) element?.scrollIntoView({ block: 'nearest' })
            }}
            onPointerMove={() => setActiveIndex(index)}
            onClick={() => choose(command)}
            className="flex min-h-(--control) cursor-pointer items-center gap-2.5 rounded-md px-2.5 aria-selected:bg-accent-soft"
          >
            <Icon name={command.icon} className="size-4 text-quiet" />
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
          </div>
        ))}
      </div>
      {commands.length === 0 && <p className="py-4 text-center text-quiet">{words('ui.combobox.none', { text: query })}</p>}
    </Dialog>
  )
}

function useCommands(): Command[] {
  const { words } = useWords()
  const navigate = useNavigate()
  const permissions = useSession(state => currentUnitOf(state)?.permissions) ?? []
  const products = useProducts(({ products }) => products)
  const sale = useSaleEntry()
  const maySell = useMay('b2b-products-sell')
  const pages = menuFor(permissions)
    .flatMap(item => ('entries' in item ? item.entries : item))
    .filter(({ to }) => to !== '/')
    .map(({ to, label, icon }): Command => ({ value: to, label: words(label), icon, run: () => navigate({ to }) }))
  if (!maySell || !mayOpen(permissions, '/funnel')) return pages
  const sales = products.map(
    ({ uuid, name, icon }): Command => ({
      value: uuid,
      label: words('shell.palette.sell', { product: name }),
      icon: iconOf(icon),
      run: () => navigate({ to: '/funnel', search: { product: uuid } }),
    }),
  )
  return [
    {
      value: sale.to,
      label: words(sale.label),
      // Users may also type the entry's usual label, which it has while no sale is in progress.
      also: words('shell.menu.funnel'),
      icon: sale.icon,
      run: () => navigate({ to: sale.to, search: sale.search }),
    },
    ...pages,
    ...sales,
  ]
}

/** Returns commands that open the policies whose number or name contains the query. */
function usePolicyCommands(query: string): Command[] {
  const navigate = useNavigate()
  return usePolicySearch(query).map(({ policyUuid, policyNumber, policyTaker, productName, startDate, status }) => {
    const isSold = status === 'purchased'
    return {
      value: policyUuid,
      label: [policyNumber, policyTaker, productName, startDate].filter(Boolean).join(' · '),
      icon: isSold ? 'receipt' : 'bookmark',
      run: () => navigate({ to: isSold ? '/policies' : '/policies/saved', search: { policy: policyUuid } }),
    }
  })
}
