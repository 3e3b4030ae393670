import type { ReactNode } from 'react'
import { compareCovers, type ComparedCell, tellingApart } from '#common/products/compare.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { groupNames } from './group-names.ts'
import { askingProduct, PriceCell } from './price-cell.tsx'
import type { Pricing } from './use-standings.ts'
import './compare.css'

type Props = {
  products: readonly Product[]
  onlyDifferences: boolean
  pricing: Pricing | undefined
  /** Called with true when the table gets the focus, and with false when it loses it. */
  hold: (isHeld: boolean) => void
}

/**
 * A column for each product: its price, then a row for each group of covers. A phone shows the products of a row below each other, each with its
 * name.
 */
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
      data-columns={products.length}
      className="compare-table"
    >
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">{words('compare.cover')}</span>
          </th>
          {products.map(({ uuid, name, type }) => (
            <th key={uuid} scope="col">
              {name}
              <span className="block text-sm font-normal text-quiet">{type}</span>
            </th>
          ))}
        </tr>
        {pricing && (
          <tr>
            <RowHead name={words('compare.price')} />
            {products.map(product => (
              <Cell key={product.uuid} product={product}>
                <PriceCell product={product} asking={asking} {...pricing} />
              </Cell>
            ))}
          </tr>
        )}
      </thead>
      <tbody>
        {shown.map(row => (
          <tr key={row.group ?? 'other'}>
            <RowHead name={words(groupNames[row.group ?? 'other'])} note={row.isDifferent ? undefined : words('compare.alike')} />
            {(onlyDifferences ? tellingApart(row) : row.cells).map((cell, column) => (
              <Cell key={products[column]?.uuid} product={products[column]}>
                <Covers cell={cell} all={row.cells[column]?.covers.length ?? 0} />
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
      {onlyDifferences && alike.length > 0 && (
        <tfoot>
          <tr>
            <RowHead name={words('compare.alike')} />
            <td colSpan={products.length}>{list(alike)}</td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}

/** The name of a row, beside its cells or, on a phone, above them. */
const RowHead = ({ name, note }: { name: string; note?: string | undefined }) => (
  <th scope="row">
    {name} {note && <span className="text-sm font-normal text-quiet">{note}</span>}
  </th>
)

/** A product's part of a row. A phone shows the product's name in it, as column headings are only read aloud there. */
const Cell = ({ product, children }: { product: Product | undefined; children: ReactNode }) => (
  <td>
    <span aria-hidden="true" className="compare-product text-sm text-quiet">
      {product?.name}
    </span>
    {children}
  </td>
)

/** A product's covers in a group. Covers that differ are tinted, and have a word that is read aloud. `all` also counts those not shown. */
function Covers({ cell: { covers, isUnknown }, all }: { cell: ComparedCell; all: number }) {
  const { words } = useWords()
  if (covers.length === 0)
    return <span className="text-quiet">{words(all > 0 ? 'compare.alike' : isUnknown ? 'compare.unknown' : 'compare.not_covered')}</span>
  return (
    <ul className="grid gap-1.5">
      {covers.map(({ name, value, isDifferent }) => (
        <li key={name} className="grid">
          <span className="text-sm text-quiet">{name}</span>
          <span className={isDifferent ? 'justify-self-start rounded-sm bg-warning-soft px-1 font-semibold' : ''}>
            {isDifferent && <span className="sr-only">{words('compare.different')} </span>}
            {value}
          </span>
        </li>
      ))}
    </ul>
  )
}
