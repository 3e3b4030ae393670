import { expect, test } from 'vitest'
import { linksOf, ownFiles } from './contents.ts'

test('the release has every page to which one of its pages links', () => {
  const entries = ownFiles()
  const paths = new Set(entries.map(({ path }) => path))
  const links = entries.flatMap(({ path, content }) => (path.endsWith('.md') ? linksOf(path, content.toString()) : []))
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter(target => !paths.has(target))).toEqual([])
  expect(['docs/operations.md', 'docs/updating.md', 'docs/privacy.md'].filter(page => !paths.has(page))).toEqual([])
})

test('the links of a page are paths from the root', () => {
  const text = '[a](./privacy.md) [b](../CHANGELOG.md#c) [d](#e) [f](https://g.example/docs/sale.md) ![h](i/j.png)'
  expect(linksOf('docs/operations.md', text)).toEqual(['docs/privacy.md', 'CHANGELOG.md', 'docs/i/j.png'])
})
