import { Link } from '@tanstack/react-router'
import { menuFor } from '#common/shell/menu.ts'
import type { RoutePath } from '#common/shell/routes.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { currentUnitOf, useSession } from '#portal/session/session.ts'
import './places.css'

/** The most used pages, in order. The first four that the user may open are in the bar. */
const places: readonly RoutePath[] = ['/products', '/policies', '/policies/saved', '/earnings', '/claim', '/account', '/administration']

/** The bar at the bottom of a phone: the main pages, and the menu with all others. */
export function Places({ onMenu }: { onMenu: () => void }) {
  const { words } = useWords()
  const permissions = useSession(state => currentUnitOf(state)?.permissions)
  const entries = menuFor(permissions ?? []).flatMap(item => ('to' in item ? item : item.entries))
  return (
    <nav className="places" aria-label={words('shell.places')}>
      {places
        .flatMap(place => entries.filter(({ to }) => to === place))
        .slice(0, 4)
        .map(({ to, label, icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            <Icon name={icon} className="size-5" />
            {words(label)}
          </Link>
        ))}
      <button type="button" onClick={onMenu}>
        <Icon name="more" className="size-5" />
        {words('shell.more')}
      </button>
    </nav>
  )
}
