/** Divides the connections to the database between the process that serves and its process for jobs. */
export function dividePool(connections: number): { serving: number; jobs: number } {
  const jobs = Math.max(1, Math.floor(connections / 3))
  return { serving: Math.max(1, connections - jobs), jobs }
}
