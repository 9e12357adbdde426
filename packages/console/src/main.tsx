import './styles/tokens.css'
import './styles/base.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyStoredPreferences } from './frame/preferences.ts'
import icon from './icon.svg'
import { router } from './router.tsx'
import { SessionProvider } from './service/session.tsx'

applyStoredPreferences()

// The browser resolves the URL of an icon again when the router changes the URL of the page, so it must be absolute.
document.head.append(Object.assign(document.createElement('link'), { rel: 'icon', type: 'image/svg+xml', href: icon }))

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client already repeats a failed request once.
      retry: false,
      // The service answers a repeated request with 304 and without a query, so figures may be asked for again soon.
      staleTime: 10_000,
      // Requests without a network fail at once and say so, instead of waiting without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      // The screen says when records have changed, instead of moving under the reader.
      refetchOnWindowFocus: false,
    },
  },
})

const render = (): void =>
  createRoot(document.getElementById('console') as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  )

// Until the screen is loaded, the page shows its frame. React would remove that and show nothing.
void router.load().then(render, render)
