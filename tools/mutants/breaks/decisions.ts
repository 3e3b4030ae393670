import type { Break } from '../break.ts'

/** Breaks of what only a decision says. */
export const decisions: Break[] = [
  {
    row: 'decision 23',
    file: 'server/app.ts',
    find: '    await lookAtStore?.()\n',
    replace: '',
    tests: ['server/documents/marker/marker.test.ts'],
    title: 'lost the marker',
  },
  {
    row: 'decision 89',
    file: 'server/documents/files.ts',
    find: 'setTimeout(() => contents.drop(name), freshForMs)',
    replace: 'setTimeout(() => {}, freshForMs)',
    tests: ['server/documents/fresh-contents.test.ts'],
    title: 'forgotten a minute after',
  },
  {
    row: 'decision 89',
    file: 'server/documents/files.ts',
    find: '      fresh.drop(nameOf(scope, contentId))\n',
    replace: '',
    tests: ['server/documents/files.test.ts'],
    title: 'not read from memory',
  },
  {
    row: 'decision 49',
    file: 'server/documents/files.ts',
    find: 'const kept = row.replaced_by === null ? fresh.get(name) : undefined',
    replace: 'const kept = fresh.get(name)',
    tests: ['server/documents/files.test.ts'],
    title: 'read with its mark once it is replaced',
  },
  {
    row: 'decision 49',
    file: 'server/documents/files.ts',
    find: 'if (row.replaced_by === null && isDocument(row.kind)) fresh.keep',
    replace: 'if (isDocument(row.kind)) fresh.keep',
    tests: ['server/documents/files.test.ts'],
    title: 'read with its mark once it is replaced',
  },
  {
    row: 'decision 92',
    file: 'portal/kit/shortcuts/typing-guard.ts',
    find: 'event.timeStamp - typedAt >= pauseMs',
    replace: 'event.timeStamp >= 0',
    tests: ['portal/kit/shortcuts/typing-guard.test.ts'],
    title: 'does nothing within half a second',
  },
  {
    row: 'decision 92',
    file: 'portal/funnel/sheet/sheet-row.tsx',
    find: '          tabIndex={-1}\n',
    replace: '',
    tests: ['portal/funnel/sheet/sheet.test.ts'],
    title: 'Tab leads from the last cell of a row',
  },
]
