/** What the service needs and cannot reach at this moment: told as 503, and tried again later. */
export class Outage extends Error {}
