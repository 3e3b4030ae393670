import { Component, type ReactNode } from 'react'
import { useWords } from '#portal/kit/words.tsx'
import { LoadError } from './load-error.tsx'

/** Limits an error to one panel, while the rest of the page keeps working (spec 8). */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <PanelFailed onRetry={() => this.setState({ failed: false })} /> : this.props.children
  }
}

function PanelFailed({ onRetry }: { onRetry: () => void }) {
  const { words } = useWords()
  return <LoadError small title={words('shell.panel_failed')} error={undefined} retry={onRetry} />
}
