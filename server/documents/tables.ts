import type { ColumnType, Generated } from 'kysely'
import type { FileKind } from '#common/documents/kinds.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Instant, UnitId } from '#server/kit/sql/tables.ts'
import type { Logo } from './pdf/document.ts'

type OrNull<T> = ColumnType<T | null, T | null | undefined, T | null>

export type DocumentTables = {
  files: {
    business_unit_id: UnitId
    id: string
    kind: FileKind
    name: string
    media_type: string
    /** The language of a document; null for uploads. */
    locale: OrNull<Locale>
    state: 'pending' | 'ready' | 'failed'
    content_id: OrNull<string>
    size: OrNull<number>
    sha256: OrNull<string>
    /** The key that encrypted the content in the store. */
    sealed_by: OrNull<string>
    user_id: OrNull<string>
    policy_id: OrNull<string>
    /** The version of the policy that a document is made of. Null: the one that was sold. */
    policy_version: OrNull<number>
    /** For a certificate: the version of the policy that replaced it. */
    replaced_by: OrNull<number>
    quote_id: OrNull<string>
    product_id: OrNull<string>
    created_at: Instant
  }
  paper_sources: { business_unit_id: UnitId; content_id: string; source: Buffer; sealed_by: OrNull<string>; logo_sha256: OrNull<string> }
  /** `left_out`: it cannot be drawn, and no document shows it. */
  paper_logos: { business_unit_id: UnitId; sha256: string; kind: Logo['kind']; content: Buffer; left_out: Generated<boolean> }
  /** Holds one row at most. */
  file_store: { one: ColumnType<true, true | undefined, never>; id: string; marked: boolean }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends DocumentTables {}
}
