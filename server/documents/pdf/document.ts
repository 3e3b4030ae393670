import { createHash } from 'node:crypto'
import { contrast, eachPart, readColour, type Rgb, textOn, writeColour } from '#common/kit/contrast.ts'
import type { Locale } from '#common/kit/locales.ts'

/** A document as its template (document.typ) receives it: texts and figures in the document's language. */
export type PdfDocument = {
  lang: string
  region: string
  title: string
  subtitle: string
  /** The head of every page but the first. */
  running: string
  intro: string
  footer: string
  brand: Brand
  parts: Part[]
  /** The document's date. With it, equal texts give equal bytes. */
  at: Date
}

export type Brand = { name: string; lines: string[]; accent: string; onAccent: string; ink: string; logo: Logo | null }

/** A picture in a format that the template can draw. */
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
  | { kind: 'check'; heading: string; note: string; rows: Row[]; qr: string | null; alt: string; low?: true }
  /** `together`: never split across pages. */
  | { kind: 'answers'; columns: Answer[][]; together: boolean }
  | { kind: 'articles'; items: { heading: string; items: string[]; apart?: true }[] }
  | { kind: 'page' }
  | { kind: 'note'; heading: string; items: string[] }

/** All that a document is rendered from. It is kept, and gives the same bytes again. */
export type Source = { data: string; logo: Logo | null; seconds: number }

export const sourceOf = (document: PdfDocument): Source => ({
  data: dataOf(document),
  logo: document.brand.logo,
  seconds: Math.floor(document.at.getTime() / 1000),
})

/** Returns a document with nothing but this picture, or an empty one. */
export const proofOf = (logo: Logo | null): Source => ({
  ...sourceOf({
    lang: 'en',
    region: 'gb',
    title: 'Proof',
    subtitle: '',
    running: '',
    intro: '',
    footer: '',
    brand: brandOf('Proof', '#1f6f8b', [], ''),
    parts: [],
    at: new Date(0),
  }),
  logo,
})

/** Adds a text across every page of a document that was made. */
export const stamped = (source: Source, stamp: string): Source => {
  // Safe: `dataOf` wrote it.
  const data = JSON.parse(source.data) as Record<string, unknown>
  return { ...source, data: JSON.stringify({ ...data, stamp }) }
}

/** Returns the template's input as JSON. The template treats it as text only. Characters that hide, turn or break a line are removed. */
function dataOf(document: PdfDocument): string {
  const { at: _, ...data } = { ...document, brand: { ...document.brand, logo: null } }
  return JSON.stringify(data, (name, value: unknown) => (typeof value === 'string' && !drawings.has(name) ? plain(value) : value))
}

/** Fields that hold pictures, not text. */
const drawings = new Set(['qr', 'sign'])

const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(longWord, '$&\u200b')

/** A word too long for a line may break inside. */
const longWord = /[^\s\u200b]{36}(?=[^\s])/gu

export const languageAndRegion = (locale: Locale): { lang: string; region: string } => ({
  lang: locale.slice(0, 2),
  region: locale === 'en-EN' ? 'gb' : locale.slice(3).toLowerCase(),
})

/** Returns a unit's brand: its colour, a text colour on it, and a shade of it for letters on white. */
export const brandOf = (name: string, accent: string, lines: string[], logo: string): Brand => ({
  name,
  lines,
  accent,
  onAccent: textOn(accent),
  ink: inkOf(accent),
  logo: logoOf(logo),
})

/** Darkens a colour until it is readable on white and on its own tint (WCAG 1.4.3). */
function inkOf(accent: string): string {
  let ink: Rgb = readColour(accent) ?? [0, 0, 0]
  const white: Rgb = [255, 255, 255]
  while (contrast(eachPart(ink, Math.round), white) < 5.5) ink = eachPart(ink, part => part * 0.94)
  return writeColour(ink)
}

export const hashOf = ({ content }: Logo): string => createHash('sha256').update(content).digest('hex')

/** Decodes a data: URL; null for a format that the template cannot draw. */
export function logoOf(address: string): Logo | null {
  const [, kind, content] = /^data:image\/(svg\+xml|png|webp|jpeg);base64,(.+)$/s.exec(address) ?? []
  if (!kind || !content) return null
  const kinds: Record<string, Logo['kind']> = { 'svg+xml': 'svg', png: 'png', webp: 'webp', jpeg: 'jpg' }
  return { kind: kinds[kind] ?? 'svg', content: Buffer.from(content, 'base64') }
}
