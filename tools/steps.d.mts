export function say(text: string): void
export function fail(text: string): never
export function step<T>(title: string, work: () => Promise<T> | T): Promise<T>
