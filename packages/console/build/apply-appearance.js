// Sets the reader's theme and density before the first paint. The main script does the same, but later.
try {
  for (const name of ['theme', 'density']) {
    const value = localStorage.getItem(`muster.${name}`)
    if (value === 'light' || value === 'dark' || value === 'compact') document.documentElement.dataset[name] = value
  }
} catch {
  // The browser does not allow storage.
}
