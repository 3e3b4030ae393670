import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useProductName } from '#portal/products/store.ts'
import { SidePanel, type Step } from '#portal/kit/overlay/side-panel.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { policyQuery } from '#portal/policies/policy-query.ts'

/** The container of a desk: its policy's panel, or a page. */
export type Frame = { policyUuid: string; alone: string | undefined; onStep: Step | undefined; onClose: () => void }

type Props = Frame & {
  heading: string
  /** A tag beside the heading. */
  tag?: ReactNode
  /** The cost and the main button. */
  foot?: ReactNode
  children: ReactNode
}

/** A desk replaces the policy's details, under the same heading. */
export function DeskFrame({ heading, tag, foot, children, policyUuid, ...panel }: Props) {
  const { words } = useWords()
  const { data } = useQuery(policyQuery(policyUuid))
  const policy = data?.policy
  const productName = useProductName()
  return (
    <SidePanel
      {...panel}
      of={policyUuid}
      title={policy?.policyNumber || words('policies.policy')}
      state={
        <>
          {policy?.status === 'purchased' && <State tone="success">{words('policies.status_purchased')}</State>}
          {policy?.status === 'cancelled' && <State tone="over">{words('policies.status_cancelled')}</State>}
        </>
      }
      actions={foot}
    >
      <div>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="text-xl font-semibold">{heading}</h3>
          {tag}
        </div>
        <p className="mt-0.5 text-quiet">{policy && [policy.policyTaker, productName(policy)].filter(Boolean).join(' · ')}</p>
      </div>
      {children}
    </SidePanel>
  )
}
