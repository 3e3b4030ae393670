import { Component, type ReactNode } from 'react'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'

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
  return (
    <Callout tone="danger" title={words('shell.panel_failed')}>
      <Button look="quiet" icon="repeat" className="mt-2" onClick={onRetry}>
        {words('shell.try_again')}
      </Button>
    </Callout>
  )
}
