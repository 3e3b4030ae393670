/** The requested page of a list. */
export type Paging = { page: number; perPage: number }

export const offsetOf = ({ page, perPage }: Paging): number => (page - 1) * perPage

export const pagesOf = (total: number, { page, perPage }: Paging) => ({ total, totalPages: Math.ceil(total / perPage), page, perPage })
