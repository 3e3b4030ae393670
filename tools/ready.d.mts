export const root: string
export function install(wanted: { withTools: boolean }): Promise<void>
export function findNode(): string | undefined
export function prepareWords(node: string): Promise<void>
export function buildPortal(node: string): Promise<void>
export const compiled: string
export const serviceFlags: string[]
export function compileService(node: string): Promise<void>
export function whenChanged(name: string, inputs: string[], outputs: string[], work: () => Promise<unknown>): Promise<void>
export const pinnedNode: string | undefined
export function isAlive(pid: number): boolean
