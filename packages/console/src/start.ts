/**
 * The first script of the page. It imports the others after the first paint, which shows the frame of the screen,
 * because they keep the processor busy. A tab in the background runs no animation frames, so there it imports them at
 * once.
 */
let isImported = false
const importMain = (): void => {
  if (isImported) return
  isImported = true
  void import('./main.tsx')
}

if (document.hidden) importMain()
else {
  requestAnimationFrame(() => setTimeout(importMain))
  document.addEventListener('visibilitychange', importMain, { once: true })
}
