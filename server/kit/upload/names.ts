import { composed } from '#common/kit/text.ts'
import { type BroughtKind, fileKinds } from '#common/kit/files.ts'

/** True if a name has an ending of this kind. */
export const endsAs = (name: string, kind: BroughtKind): boolean =>
  fileKinds[kind].endings.some(ending => name.toLowerCase().endsWith(ending))

/**
 * Returns a name that is safe to show and to save on any system. It has no folders, control, direction or special characters, no endings within, and
 * the ending of its kind. The file store uses names of its own.
 */
export function cleanName(name: string, kind: BroughtKind): string {
  const own = name.split(/[/\\]/).at(-1) ?? ''
  const stem = composed(own.toWellFormed())
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}<>:"|?*%]/gu, '')
    .replace(/\.[^.]*$/, '')
    // Changes `invoice.pdf.exe` and `photo.php.jpg`, but not `Dr. Gil` and `12.05.2026`.
    .replaceAll(/\.(?=[a-z][a-z\d]{1,5}(?:\.|$))/gi, '_')
    .replace(/^[\s.~-]+/, '')
    .slice(0, 100)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[\s.]+$/, '')
  const plain = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `_${stem}` : stem
  return `${plain || kind}${fileKinds[kind].endings[0]}`
}
