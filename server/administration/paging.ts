/** The requested page of a list. */
export type Asked = { page: number; perPage: number }

export const offsetOf = ({ page, perPage }: Asked): number => (page - 1) * perPage

export const pagesOf = (total: number, { page, perPage }: Asked) => ({ total, totalPages: Math.ceil(total / perPage), page, perPage })
