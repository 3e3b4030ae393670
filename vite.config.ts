import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pageChunks } from './portal/page-chunks.ts'
import { currentBrowsers } from './tools/vite-current-browsers.ts'
import { messages } from './tools/vite-messages.ts'

const root = import.meta.dirname
const firstModules = new Set(Object.values(pageChunks).flatMap(({ modules }) => modules.map(module => join(root, 'portal', module))))

const lengthOf = (modules: Record<string, { renderedLength: number }>): number =>
  Object.values(modules).reduce((sum, { renderedLength }) => sum + renderedLength, 0)

export default defineConfig({
  root: join(root, 'portal'),
  plugins: [react(), tailwind(), currentBrowsers(), messages()],
  // The router imports a hook for versions of React that lack it. React 19 has it.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  build: {
    outDir: join(root, 'dist/portal'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // Images and fonts stay files, because the content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The first page of all has loaded these, so no later one need name them.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter(file => !/\/(?:index|react|rolldown-runtime)-/.test(file)),
    },
    // Lists the files of each page (tools/build-portal.ts).
    manifest: 'manifest.json',
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // Code of every page is one file, because it compresses better than many.
    rolldownOptions: {
      input: { index: join(root, 'portal/index.html'), early: join(root, 'portal/early.ts') },
      output: {
        // Compiles what pages load at first while it arrives, beside the main thread. Dialogs and the like are compiled as they are used.
        // A small file is compiled in no time, and the line would weigh more than it saves.
        postBanner: ({ isDynamicEntry, facadeModuleId, modules }) =>
          (isDynamicEntry && !firstModules.has(facadeModuleId ?? '')) || lengthOf(modules) < 6000 ? '' : '//# allFunctionsCalledOnLoad\n',
        // The first file names all others, and hashes do not compress: seven hexadecimal digits are enough for files of the same name.
        hashCharacters: 'hex',
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            // Apart, because the browser requests a page's own files once all of the first but this have arrived (early.ts).
            { name: 'react', tags: ['$initial'], test: /node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'frame', tags: ['$initial'], test: /^(?!.*portal\/early)/ },
            // Code of the sign-in and all forms, then code of every page after the sign-in.
            {
              name: 'sign-in-form',
              test: /portal\/(?:kit\/(?:field\/(?:field|text-field)|submit\/submit|ui\/progress|page\/sheet-page))\.tsx?$/,
            },
            // The pages for clients share these, and need the dates without the rest.
            { name: 'client', test: /common\/client\/calls\.ts$|portal\/client\/(?:frame|linked-page|token)\.tsx?$/ },
            { name: 'days', test: /common\/kit\/(?:dates|typed\/typed-date)\.ts$/ },
            // Apart, because it is needed as soon as the first reply is there, while the page's own files arrive.
            { name: 'first-reply', test: /common\/kit\/contrast\.ts$|portal\/kit\/(?:kept\/encryption|ui\/accent)\.ts$/ },
            {
              name: 'inside',
              test: /node_modules\/@tanstack\/(?:query-core|react-query|react-router\/dist\/esm\/useLocation)|portal\/(?:kit\/(?:queries|errors\/error-boundary|combobox\/folded|ui\/(?:card|floating|icon-button|more-icons|tooltip)|field\/choices)|funnel\/store|session\/(?:signing-out|sign-in-again|open)|shell\/(?:shell|menu\/(?:sidebar|user-menu)|leave|reconnect))\.tsx?$/,
            },
            { name: 'accounting', test: /common\/(?:accounting\/(?:book|calls|period)|kit\/validators\/accounts)\.ts$/ },
            // The agent's panel needs the calls alone, and is opened later.
            { name: 'quote', test: /common\/client\/quote\/calls\.ts$|portal\/client\/quote\/my-quote-page\.tsx$/ },
            // Windows, without the pages that open none at first.
            { name: 'dialog', test: /portal\/kit\/overlay\/dialog\.tsx$/ },
            // Small parts of most pages, because each file costs a slow connection a request. Then parts of lists
            // and long forms.
            {
              name: 'pieces',
              test: /common\/(?:kit\/(?:money|text|typed\/written-ages|validators\/(?:periods|presence))|policies\/(?:calls|search|states)|quotes\/trip-codecs)\.ts$|portal\/(?:business-unit\/today|policies\/price-until|kit\/(?:format|use-debounced|errors\/load-error|form\/complete-focused|field\/date-field))\.tsx?$/,
            },
            // The prices need these without forms and lists.
            { name: 'numbers', test: /portal\/kit\/field\/number-(?:field|text)\.tsx?$/ },
            { name: 'hints', test: /portal\/kit\/(?:form\/focus\.ts|page\/key-hints\.tsx)$/ },
            { name: 'files', test: /portal\/(?:documents\/upload\/shown|kit\/file\/use-download)\.ts$/ },
            // Neither the prices nor the sale has tabs.
            { name: 'tabs', test: /portal\/kit\/ui\/tabs\.tsx$/ },
            // The client's page needs these without the rest.
            { name: 'saving', test: /portal\/kit\/(?:file\/save-file|form\/idempotency-key)\.ts$/ },
            // The trip, above the products and in the sale.
            {
              name: 'trip',
              test: /common\/(?:quotes\/(?:calls|trip)|kit\/typed\/travellers)\.ts$|portal\/(?:business-unit\/countries|funnel\/(?:sale|trip-request))\.ts$/,
            },
            { name: 'sign-in-fields', test: /portal\/session\/form\/(?:code-field|sign-in-fields)\.tsx?$/ },
            {
              name: 'new-password',
              test: /common\/session\/account-calls\.ts$|portal\/session\/form\/new-password-form\.tsx$/,
            },
            {
              name: 'choices',
              test: /common\/kit\/validators\/emails\.ts$|portal\/(?:policies\/policy-query|kit\/(?:field\/(?:radio-cards|select)|file\/file-link|overlay\/(?:loading|popover|report-error)))\.tsx?$/,
            },
            {
              name: 'list',
              test: /portal\/(?:kit\/(?:errors\/missing-options|list\/|overlay\/(?:menu|side-panel)|page\/(?:properties|month-bars))|views\/view-tabs)/,
            },
            { name: 'validators', test: /common\/kit\/validators\/(?:all|bounds|cards|contacts)\.ts$/ },
            { name: 'rating', test: /common\/quotes\/rating\/.*\.ts$/ },
            { name: 'sale-rules', test: /common\/policies\/(?:people|step2)\.ts$|portal\/funnel\/(?:guard|people-form)\.ts$/ },
            { name: 'combobox', test: /portal\/kit\/combobox\/(?:combobox|option-list|options|parts)\.tsx?$/ },
            // The line of a trip, above the products and in step 1.
            {
              name: 'line',
              test: /portal\/funnel\/(?:compare\/(?:compare-button|use-standings)|paste\/paste-booking|quote\/(?:quote-first|trip-fields|use-line))\.tsx?$/,
            },
            {
              name: 'form',
              test: /node_modules\/react-hook-form\/|react-router\/dist\/esm\/useBlocker|portal\/kit\/(?:form\/(?:bound|problems|rules-form|use-rules-form|use-unsaved))\.tsx?$/,
            },
            { name: 'more-fields', test: /portal\/kit\/(?:form\/bound-more|field\/switch)\.tsx?$/ },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', strictPort: true },
})
