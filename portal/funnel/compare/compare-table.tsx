import { compareCovers, type ComparedCell, tellingApart } from '#common/products/compare.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { groupNames } from './group-names.ts'
import { askingProduct, PriceCell } from './price-cell.tsx'
import type { Pricing } from './types.ts'

type Props = {
  products: readonly Product[]
  onlyDifferences: boolean
  pricing: Pricing | undefined
  /** Called with true while the focus is in the table. */
  hold: (isHeld: boolean) => void
}

/** A column for each product: its price, then a row for each group of covers. */
export function CompareTable({ products, onlyDifferences, pricing, hold }: Props) {
  const { words } = useWords()
  const { list } = useFormat()
  const asking = pricing && askingProduct(products, pricing.prices)
  const rows = compareCovers(products)
  const shown = onlyDifferences ? rows.filter(({ isDifferent }) => isDifferent) : rows
  const alike = rows.flatMap(({ group, isDifferent }) => (isDifferent ? [] : [words(groupNames[group ?? 'other'])]))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only follows the focus of the fields within
    <table
      onFocus={() => hold(true)}
      onBlur={event => hold(event.currentTarget.contains(event.relatedTarget))}
      // A phone shows two columns side by side, and gives none to the names of the rows.
      style={{ minWidth: `calc(${products.length} * 10.75rem + var(--names))` }}
      className="w-full table-fixed [--names:10rem] max-sm:[--names:0rem] border-separate border-spacing-0 text-left"
    >
      <thead>
        <tr>
          <th scope="col" className="sticky top-0 left-0 z-20 w-(--names) bg-raised">
            <span className="sr-only">{words('compare.cover')}</span>
          </th>
          {products.map(({ uuid, name, type }) => (
            <th key={uuid} scope="col" className="sticky top-0 z-10 border-l border-line bg-raised px-3 py-2 align-bottom">
              {name}
              <span className="block text-sm font-normal text-quiet">{type}</span>
            </th>
          ))}
        </tr>
        {pricing && (
          <tr>
            <RowHead name={words('compare.price')} />
            {products.map(product => (
              <td key={product.uuid} className={cellLook}>
                <PriceCell product={product} asking={asking} {...pricing} />
              </td>
            ))}
          </tr>
        )}
      </thead>
      <tbody>
        {shown.map(row => (
          <tr key={row.group ?? 'other'}>
            <RowHead name={words(groupNames[row.group ?? 'other'])} note={row.isDifferent ? undefined : words('compare.alike')} />
            {(onlyDifferences ? tellingApart(row) : row.cells).map((cell, column) => (
              <td key={products[column]?.uuid} className={cellLook}>
                <Covers cell={cell} all={row.cells[column]?.covers.length ?? 0} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {onlyDifferences && alike.length > 0 && (
        <tfoot>
          <tr>
            <RowHead name={words('compare.alike')} />
            <td colSpan={products.length} className={cellLook}>
              {list(alike)}
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}

const cellLook = 'border-t border-l border-line px-3 py-2 align-top max-sm:pt-8'

/** The name of a row. On a phone it takes no column: it lies above the cells, and stays in sight when these are scrolled. */
const RowHead = ({ name, note }: { name: string; note?: string | undefined }) => (
  <th scope="row" className="sticky left-0 border-t border-line bg-raised py-2 pr-3 align-top font-semibold">
    <span className="bg-raised max-sm:absolute max-sm:pl-3 max-sm:whitespace-nowrap">
      {name} {note && <span className="text-sm font-normal text-quiet">{note}</span>}
    </span>
  </th>
)

/** The covers that a product has in a group. What is not the same elsewhere has a sign, and a word for it. `all` counts those not shown, too. */
function Covers({ cell: { covers, isUnknown }, all }: { cell: ComparedCell; all: number }) {
  const { words } = useWords()
  if (covers.length === 0)
    return <span className="text-quiet">{words(all > 0 ? 'compare.alike' : isUnknown ? 'compare.unknown' : 'compare.not_covered')}</span>
  return (
    <ul className="grid gap-1.5">
      {covers.map(({ name, value, isDifferent }) => (
        <li key={name} className="grid">
          <span className="text-sm text-quiet">{name}</span>
          <span className={isDifferent ? 'font-semibold' : ''}>
            {isDifferent && (
              <>
                <span aria-hidden="true">≠ </span>
                <span className="sr-only">{words('compare.different')} </span>
              </>
            )}
            {value}
          </span>
        </li>
      ))}
    </ul>
  )
}
