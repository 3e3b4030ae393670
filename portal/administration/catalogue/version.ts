import type { catalogueVersions } from '#common/administration/catalogue-calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'

export type Version = ResponseOf<typeof catalogueVersions>['loads'][number]['versions'][number]

export const versionName = ({ name }: Version, common: string): string => name ?? common

export const kinds = {
  common: 'administration.kind_common',
  product: 'administration.kind_product',
  tariff: 'administration.kind_tariff',
} as const
