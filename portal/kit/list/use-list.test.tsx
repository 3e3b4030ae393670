import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { listPolicies } from '#common/policies/calls.ts'
import { type ListPage, useList } from './use-list.ts'

const request = { page: 1 }
const reply = { page: 1, perPage: 10, total: 1, totalPages: 1, policies: ['a row'] }

/** Returns the list's state with this cache. */
function shown(client: QueryClient): ListPage<unknown> {
  let list: ListPage<unknown> | undefined
  function Probe() {
    list = useList(listPolicies, request, { key: ['list'], rows: ({ policies }) => policies })
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Probe />
    </QueryClientProvider>,
  )
  if (!list) throw new Error('nothing was rendered')
  return list
}

test('a list that fails to load again shows none of its earlier rows', { tags: 'S8.2' }, async () => {
  const client = new QueryClient()
  const queryKey = ['list', listPolicies.path, request]
  client.setQueryData(queryKey, reply)
  expect(shown(client)).toMatchObject({ rows: reply.policies, info: reply, error: null })
  const failed = new Error('no connection')
  await client.fetchQuery({ queryKey, queryFn: () => Promise.reject(failed) }).catch(() => undefined)
  expect(shown(client)).toMatchObject({ rows: undefined, info: undefined, error: failed })
})
