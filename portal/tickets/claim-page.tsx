import { TicketsPage } from './tickets-page.tsx'

export const ClaimPage = () => <TicketsPage kind="claim" />
