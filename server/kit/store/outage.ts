/** A dependency that cannot be reached at this moment. Its response is 503, and jobs retry it. */
export class Outage extends Error {}
