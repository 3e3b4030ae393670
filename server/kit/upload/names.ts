import { composed } from '#common/kit/text.ts'
import { type BroughtKind, fileKinds } from '#common/kit/files.ts'

/** Whether a name ends as files of this kind do; anything else is a file that says it is something that it is not. */
export const endsAs = (name: string, kind: BroughtKind): boolean =>
  fileKinds[kind].endings.some(ending => name.toLowerCase().endsWith(ending))

/**
 * A name that can be shown and saved anywhere: without folders, controls, directions and signs that systems read, without endings within,
 * with the ending of what it is. It is only ever shown; bytes are kept under names of our own.
 */
export function cleanName(name: string, kind: BroughtKind): string {
  const own = name.split(/[/\\]/).at(-1) ?? ''
  const stem = composed(own.toWellFormed())
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}<>:"|?*%]/gu, '')
    .replace(/\.[^.]*$/, '')
    // `invoice.pdf.exe` and `photo.php.jpg` are told apart from `Dr. Gil` and `12.05.2026`.
    .replaceAll(/\.(?=[a-z][a-z\d]{1,5}(?:\.|$))/gi, '_')
    .replace(/^[\s.~-]+/, '')
    .slice(0, 100)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[\s.]+$/, '')
  const plain = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `_${stem}` : stem
  return `${plain || kind}${fileKinds[kind].endings[0]}`
}
