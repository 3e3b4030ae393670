import type { Break } from '../break.ts'

/** Breaks that let an attack in. */
export const attacks: Break[] = [
  {
    row: 'E75',
    file: 'server/kit/upload/pdf-syntax.ts',
    find: "if (token === '(') return endOfString(text, from)",
    replace: "if (token === '(') return from",
    tests: ['server/kit/upload/inspect-file.test.ts'],
    title: 'hidden by',
  },
  {
    row: 'E75',
    file: 'server/kit/upload/pdf-syntax.ts',
    find: 'else if (token === open.at(-1)) open.pop()',
    replace: "else if ('>>]'.includes(token)) open.pop()",
    tests: ['server/kit/upload/inspect-file.test.ts'],
    title: 'hidden by',
  },
  {
    row: 'E75',
    file: 'server/kit/upload/pdf.ts',
    find: 'numbers.length < 2 * count',
    replace: 'numbers.length === 0',
    tests: ['server/kit/upload/inspect-file.test.ts'],
    title: 'hidden by',
  },
]
