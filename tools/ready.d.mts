export const root: string
export function install(): Promise<void>
export function findNode(): string | undefined
export function prepareWords(node: string): Promise<void>
export function buildPortal(node: string): Promise<void>
export function whenChanged(name: string, inputs: string[], work: () => Promise<unknown>): Promise<void>
