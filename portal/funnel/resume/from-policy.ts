// All that a sale from a saved quote or a policy needs: one file, which is there when its notice is shown.
export { SourceNotice } from './source-notice.tsx'
export { StartFromPolicy } from './start-from-policy.tsx'
