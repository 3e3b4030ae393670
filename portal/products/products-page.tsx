import { getRouteApi } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { folded } from '#portal/kit/combobox/folded.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { EmptyState } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { ProductCard } from './product-card.tsx'
import { maxCompared, type Product, useProducts } from './store.ts'

const ProductDetails = lazy(() => import('./product-details.tsx').then(({ ProductDetails }) => ({ default: ProductDetails })))

const route = getRouteApi('/inside/products')

type Props = {
  /** The buttons of the catalogue, for the products chosen for comparison. */
  renderCompare: (products: readonly Product[]) => ReactNode
  /** Content above the products. */
  line?: ReactNode
  /** Replaces the catalogue, with its own buttons. */
  results?: ReactNode
}

/** The products that the agency sells. The URL keeps the search and the open product. */
export function ProductsPage({ renderCompare, line, results }: Props) {
  const { words } = useWords()
  const maySell = useMay('b2b-products-sell')
  const products = useProducts(({ products }) => products)
  const { search = '', type = '', product: shown } = route.useSearch()
  const navigate = route.useNavigate()
  const [chosen, setChosen] = useState<string[]>([])
  const updateSearch = (change: { search?: string; type?: string; product?: string | undefined }) =>
    void navigate({ search: before => clean({ ...before, ...change }), replace: !('product' in change), resetScroll: false })
  const detailed = products.find(({ uuid }) => uuid === shown)
  const matching = products.filter(product => (type === '' || product.type === type) && matches(product, search))
  const toggle = (uuid: string) => setChosen(before => (before.includes(uuid) ? before.filter(each => each !== uuid) : [...before, uuid]))

  return (
    <Page
      title={words('products.title')}
      hideTitle={Boolean(results)}
      intro={maySell && words(line ? 'line.intro' : 'products.intro')}
      actions={results ? undefined : renderCompare(products.filter(({ uuid }) => chosen.includes(uuid)))}
    >
      {line}
      {results || products.length === 0 ? (
        results || (
          <EmptyState icon="shield" title={words('products.empty')}>
            {words('products.empty_hint')}
          </EmptyState>
        )
      ) : (
        <>
          <div className="grid gap-3 sm:grid-cols-[minmax(0,22rem)_minmax(0,18rem)]">
            <TextField
              label={words('products.search')}
              hideLabel
              name="search"
              type="search"
              {...shortcut('search')}
              placeholder={words('products.search')}
              before={<Icon name="search" className="ml-3 size-4 text-quiet" />}
              value={search}
              onChange={event => updateSearch({ search: event.target.value })}
            />
            <Select
              label={words('products.type')}
              hideLabel
              name="type"
              value={type}
              onChange={type => updateSearch({ type })}
              options={[
                { value: '', label: words('products.all_types') },
                ...[...new Set(products.map(({ type }) => type))].map(name => ({ value: name, label: name })),
              ]}
            />
          </div>
          {matching.length === 0 && (
            <EmptyState
              icon="search"
              title={words('products.none_found')}
              action={
                <Button look="quiet" onClick={() => updateSearch({ search: '', type: '' })}>
                  {words('products.show_all')}
                </Button>
              }
            />
          )}
          <ul aria-label={words('products.title')} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4">
            {matching.map(product => (
              <ProductCard
                key={product.uuid}
                product={product}
                open={product === detailed}
                compared={chosen.includes(product.uuid)}
                isFull={chosen.length >= maxCompared}
                onCompare={() => toggle(product.uuid)}
                onDetails={() => updateSearch({ product: product.uuid })}
              />
            ))}
          </ul>
        </>
      )}
      <Suspense>
        {detailed && <ProductDetails product={detailed} sells={!results} onClose={() => updateSearch({ product: undefined })} />}
      </Suspense>
    </Page>
  )
}

type Query = { search?: string; type?: string; product?: string }

const clean = (query: { [name in keyof Query]?: Query[name] | undefined }): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value))

function matches({ name, description, type, characteristics, detailsFeatured, coverages }: Product, search: string): boolean {
  const text = folded(
    [name, description, type, ...characteristics, ...[...detailsFeatured, ...coverages].flatMap(({ name, value }) => [name, value])].join(
      ' ',
    ),
  )
  return folded(search)
    .split(/\s+/)
    .every(word => text.includes(word))
}
