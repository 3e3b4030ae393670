import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './kit/ui/theme.css'
import { showAppearance } from './kit/ui/appearance.ts'
import { WordsProvider } from './kit/words.tsx'
import { openRouter } from './routes.tsx'

const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })
const router = openRouter({ queries })

showAppearance()

const place = document.getElementById('portal')
if (place)
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <WordsProvider>
          <RouterProvider router={router} />
        </WordsProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
