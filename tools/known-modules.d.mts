export function useKnown(root?: string): void
export function noteFound(root?: string): () => void
