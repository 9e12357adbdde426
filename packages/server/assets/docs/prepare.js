/* Runs before the reference does, and lets it keep to the page's security policy. */
{
  const { nonce } = document.currentScript

  // The reference gives the nonce to the first of its style sheets only.
  const createElement = document.createElement
  document.createElement = function (name, options) {
    const element = createElement.call(this, name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }

  // One of its libraries would ask by way of eval whether it may use eval.
  globalThis.__zod_globalConfig = { jitless: true }

  // The dialog of a request opens with the token's field folded away, even where a token is required.
  const unfoldToken = () => {
    const folded = [...document.querySelectorAll('[role=dialog] button[aria-expanded=false]')]
    folded.find(({ textContent }) => /^\s*Authentication\s*Required/.test(textContent))?.click()
  }
  const onClick = ({ target }) => {
    if (target.closest('.show-api-client-button') !== null) requestAnimationFrame(unfoldToken)
  }
  document.addEventListener('click', onClick, { capture: true })
}
