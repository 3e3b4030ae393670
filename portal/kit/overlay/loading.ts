import { type LoaderState, useLoader } from './notices.ts'

const tasks = new Set<object>()

/** Shows the loader until the returned function is called. With several callers, the last one hides it. */
export function showLoader(options: Partial<Omit<LoaderState, 'isVisible'>> = {}): () => void {
  // A sign-out has hidden the loader of earlier tasks.
  if (!useLoader.getState().isVisible) tasks.clear()
  const task = {}
  tasks.add(task)
  useLoader.setState({ ...useLoader.getInitialState(), ...options, isVisible: true })
  return () => {
    if (tasks.delete(task) && tasks.size === 0) useLoader.setState(useLoader.getInitialState())
  }
}

/** Shows the loader during work that has no indicator of its own. */
export async function whileLoading<Result>(work: Promise<Result>): Promise<Result> {
  const hide = showLoader()
  try {
    return await work
  } finally {
    hide()
  }
}
