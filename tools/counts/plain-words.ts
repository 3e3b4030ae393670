import { parseSync } from 'vite'
import { realTestsIn } from '../real-tests.ts'
import { add, type Counts } from './record.ts'
import { codeEndings, groupOf, type Source, trackedFiles } from './sources.ts'

const openings = /^(?:what|whoever|who|of|nobody)\b/i
const generic = /\b(?:he|his|him|himself)\b/gi
/** These files must name the words that they count. */
const exempt = new Set(['tools/counts/plain-words.ts', 'tools/plain-words.test.ts'])
const words = ['told', 'whoever', 'nobody', 'somebody']

/**
 * Counts breaches of the style guide.
 * These are comments and test titles that open with What, Whoever, Who, Of or Nobody; the generic "he" in prose; four words anywhere.
 * Prose is comments, test titles and Markdown. Landed migrations cannot change, so SQL is not read.
 */
export function countPlainWords(sources: Source[] = trackedFiles([...codeEndings, 'md'])): Counts {
  const counts: Counts = {}
  for (const { path, text } of sources.filter(source => !exempt.has(source.path))) {
    const group = groupOf(path)
    const comments = path.endsWith('.md') ? [] : commentsIn(path, text)
    const titles = /\.(?:test|e2e)\.tsx?$/.test(path) ? [...realTestsIn(path, text)] : []
    const prose = path.endsWith('.md') ? text : [...comments, ...titles].join('\n')
    add(counts, group, 'opening', [...comments, ...titles].filter(text => openings.test(text)).length)
    add(counts, group, 'he', occurrences(prose, generic))
    for (const word of words) add(counts, group, word, occurrences(text, new RegExp(`\\b${word}\\b`, 'gi')))
  }
  return counts
}

/** Returns the text of each comment. Line comments that follow each other are one. */
function commentsIn(path: string, text: string): string[] {
  const found: string[] = []
  let end = -1
  for (const { type, value, start, end: next } of parseSync(path, text).comments) {
    const isContinued = type === 'Line' && end >= 0 && /^\n[ \t]*$/.test(text.slice(end, start))
    if (isContinued) found.push(`${found.pop()}\n${value}`)
    else found.push(value.replace(/^[*\s]+/, ''))
    end = type === 'Line' ? next : -1
  }
  return found
}

const occurrences = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
