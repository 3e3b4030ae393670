import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { messages } from './tools/vite-messages.ts'

const root = import.meta.dirname

export default defineConfig({
  root: join(root, 'portal'),
  plugins: [react(), tailwind(), messages()],
  build: {
    outDir: join(root, 'dist/portal'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // Images and fonts stay files, because the content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Lists the files of each page (tools/build-portal.ts).
    manifest: 'manifest.json',
    target: 'es2023',
    // Code of every page is one file, because it compresses better than many.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'frame', tags: ['$initial'] },
            // Code of the sign-in and all forms, then code of every page after the sign-in.
            {
              name: 'sign-in-form',
              test: /portal\/(?:kit\/(?:field\/(?:field|text-field)|submit\/(?:form-error|use-submit)|ui\/(?:progress|sheet-page)))\.tsx?$/,
            },
            {
              name: 'inside',
              test: /node_modules\/@tanstack\/(?:query-core|react-query)\/|portal\/(?:kit\/(?:queries|errors\/error-boundary|kept\/encryption|combobox\/folded|overlay\/(?:dialog|menu)|ui\/(?:accent|card|floating|icon-button|tooltip)|field\/(?:choices|select))|funnel\/store|session\/(?:ended-session|signing-out|sign-in-again|open)|shell\/(?:shell|sidebar|user-menu|keys|leave|reconnect))\.tsx?$/,
            },
            // Small parts of most pages, because each file costs a slow connection a request. Then parts of lists
            // and long forms.
            {
              name: 'pieces',
              test: /common\/(?:kit\/(?:dates|money)|policies\/(?:calls|search|states)|quotes\/(?:calls|destinations))\.ts$|portal\/(?:business-unit\/today|kit\/(?:format|file\/(?:file-link|save-file)|errors\/load-error|form\/idempotency-key|overlay\/report-error|field\/(?:date-(?:field|text)|radio-cards)|ui\/tabs))\.tsx?$/,
            },
            { name: 'sign-in-fields', test: /portal\/session\/form\/(?:use-code|code-field|sign-in-fields)\.tsx?$/ },
            { name: 'new-password', test: /portal\/session\/(?:form\/new-password-form|links\/link-token)\.tsx?$/ },
            { name: 'list', test: /portal\/kit\/list\// },
            { name: 'combobox', test: /portal\/kit\/combobox\/(?:combobox|option-list|options|parts)\.tsx?$/ },
            {
              name: 'form',
              test: /node_modules\/react-hook-form\/|react-router\/dist\/esm\/useBlocker|portal\/kit\/(?:form\/(?:bound|problems|pointer-release|rules-form|use-rules-form|use-unsaved))\.tsx?$/,
            },
            { name: 'more-fields', test: /portal\/kit\/(?:form\/bound-more|field\/(?:number-(?:field|text)|switch))\.tsx?$/ },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', strictPort: true },
})
