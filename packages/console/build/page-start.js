// Runs before the first paint, and before the main script, which may take long to load or fail to.

// The main script keeps the processor busy, so it runs after the first paint, which shows the frame of the screen. It is
// loaded before. A tab in the background is not painted.
const runMainScript = () => {
  const script = document.createElement('script')
  script.type = 'module'
  script.crossOrigin = 'anonymous'
  script.src = document.getElementById('main-script').href
  document.head.append(script)
}
addEventListener('DOMContentLoaded', () => {
  if (document.hidden) runMainScript()
  else requestAnimationFrame(() => setTimeout(runMainScript))
})

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

addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', showFailure)
    else if (document.querySelector('#console > :not([data-first-paint])') === null) showFailure()
  },
  { capture: true },
)
