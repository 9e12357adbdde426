// Runs before the first paint, and before the main script, which may take long to load or fail to.

// Sets the reader's theme and density. The main script does the same, but later.
try {
  for (const name of ['theme', 'density']) {
    const value = localStorage.getItem(`muster.${name}`)
    if (value === 'light' || value === 'dark' || value === 'compact') document.documentElement.dataset[name] = value
  }
} catch {
  // The browser does not allow storage.
}

// An overloaded service may refuse the main script. Without this the page would stay blank.
const reloadMs = 5_000

const showFailure = () => {
  const title = document.createElement('h1')
  title.textContent = 'The console could not be loaded'
  const text = document.createElement('p')
  text.textContent = `The service is busy or cannot be reached. The next attempt is in ${reloadMs / 1_000} seconds.`
  const main = document.createElement('main')
  main.role = 'alert'
  main.style.padding = '2rem'
  main.append(title, text)
  document.getElementById('console').replaceChildren(main)
  setTimeout(() => location.reload(), reloadMs)
}

const onFailure = () => {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', onFailure, { once: true })
  else if (document.querySelector('#console > :not([data-first-paint])') === null) showFailure()
}

// A script or a style sheet of the page was not loaded.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet'))
      onFailure()
  },
  { capture: true },
)
// The first script could not import the others.
addEventListener('unhandledrejection', onFailure)
