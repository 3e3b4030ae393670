import { Component, type ReactNode } from 'react'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** A panel that fails alone: what is around it goes on working (spec 8). */
export class Contained extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Broken again={() => this.setState({ failed: false })} /> : this.props.children
  }
}

function Broken({ again }: { again: () => void }) {
  const { words } = useWords()
  return (
    <Callout tone="danger" title={words('shell.panel_failed')}>
      <Button look="quiet" icon="repeat" className="mt-2" onClick={again}>
        {words('shell.try_again')}
      </Button>
    </Callout>
  )
}
