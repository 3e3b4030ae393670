import { TicketsPage } from './tickets-page.tsx'

export const CustomerServicePage = () => <TicketsPage kind="request" />
