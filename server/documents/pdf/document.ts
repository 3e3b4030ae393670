import { contrast, eachPart, readColour, type Rgb, textOn, writeColour } from '#common/kit/contrast.ts'
import type { Locale } from '#common/kit/locales.ts'

/** A paper as the template (document.typ) is told of it: words and figures, written out in its language. */
export type PdfDocument = {
  lang: string
  region: string
  title: string
  subtitle: string
  /** What stands at the head of every page but the first. */
  running: string
  intro: string
  footer: string
  brand: Brand
  parts: Part[]
  /** The moment that it bears: with it, the same words give the same bytes. */
  at: Date
}

export type Brand = { name: string; lines: string[]; accent: string; onAccent: string; ink: string; logo: Logo | null }

/** A picture of a kind that the template can draw. */
export type Logo = { kind: 'svg' | 'png' | 'webp' | 'jpg'; content: Buffer }

export type Row = { label: string; value: string }
type Column = { label: string; wide: boolean; end: boolean }
export type Mark = 'yes' | 'no' | 'limit' | 'dot'
export type Answer = { heading: string; sign: string; mark: Mark; items: string[] }

export type Part =
  | { kind: 'hero'; rows: (Row & { note?: string })[] }
  | { kind: 'facts'; sides: { heading: string; rows: Row[] }[] }
  | { kind: 'table'; heading: string; columns: Column[]; rows: string[][]; total?: string[] }
  | { kind: 'help'; heading: string; note: string; phone: string; email: string }
  | { kind: 'check'; heading: string; note: string; rows: Row[]; qr: string | null; alt: string }
  /** `together`: on one page. */
  | { kind: 'answers'; columns: Answer[][]; together: boolean }
  | { kind: 'articles'; items: { heading: string; items: string[] }[] }
  | { kind: 'page' }
  | { kind: 'note'; heading: string; items: string[] }

/** All that a paper is printed of: kept with it, the very same bytes come of it again. */
export type Source = { data: string; logo: Logo | null; seconds: number }

export const sourceOf = (document: PdfDocument): Source => ({
  data: dataOf(document),
  logo: document.brand.logo,
  seconds: Math.floor(document.at.getTime() / 1000),
})

/** What the template reads. Nothing in it can be taken for markup; what would hide, turn or break a line is taken out. */
function dataOf(document: PdfDocument): string {
  const { at: _, ...told } = { ...document, brand: { ...document.brand, logo: null } }
  return JSON.stringify(told, (name, value: unknown) => (typeof value === 'string' && !drawings.has(name) ? plain(value) : value))
}

/** Pictures, not words. */
const drawings = new Set(['qr', 'sign'])

const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(endless, '$&\u200b')

/** A word that no line can hold is broken where it must be. */
const endless = /[^\s\u200b]{36}(?=[^\s])/gu

export const languageAndRegion = (locale: Locale): { lang: string; region: string } => ({
  lang: locale.slice(0, 2),
  region: locale === 'en-EN' ? 'gb' : locale.slice(3).toLowerCase(),
})

/** A unit's brand: its colour, what is read on it, and the colour as letters on white. */
export const brandOf = (name: string, accent: string, lines: string[], logo: string): Brand => ({
  name,
  lines,
  accent,
  onAccent: textOn(accent),
  ink: inkOf(accent),
  logo: logoOf(logo),
})

/** Darkened until it reads well on white and on its own tint (WCAG 1.4.3). */
function inkOf(accent: string): string {
  let ink: Rgb = readColour(accent) ?? [0, 0, 0]
  const white: Rgb = [255, 255, 255]
  while (contrast(eachPart(ink, Math.round), white) < 5.5) ink = eachPart(ink, part => part * 0.94)
  return writeColour(ink)
}

/** Out of a data: address; nothing for a kind that the template cannot draw. */
function logoOf(address: string): Logo | null {
  const [, kind, content] = /^data:image\/(svg\+xml|png|webp|jpeg);base64,(.+)$/s.exec(address) ?? []
  if (!kind || !content) return null
  const kinds: Record<string, Logo['kind']> = { 'svg+xml': 'svg', png: 'png', webp: 'webp', jpeg: 'jpg' }
  return { kind: kinds[kind] ?? 'svg', content: Buffer.from(content, 'base64') }
}
