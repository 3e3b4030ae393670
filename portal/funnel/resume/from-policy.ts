// All that a sale from a saved quote or a policy needs, in one file, loaded when its notice is shown.
export { SourceNotice } from './source-notice.tsx'
export { StartFromPolicy } from './start-from-policy.tsx'
