/** Shows all parts of the kit in all states. For development only: `npm run kit --workspace packages/console`. */
import '../src/styles/tokens.css'
import '../src/styles/base.css'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Section } from '../src/kit/Section.tsx'
import { ToggleGroup } from '../src/kit/ToggleGroup.tsx'
import { Frame } from './Frame.tsx'
import styles from './page.module.css'
import { parts } from './parts.tsx'

const Page = () => {
  const [direction, setDirection] = useState<'ltr' | 'rtl'>('ltr')
  const [theme, setTheme] = useState<'light' | 'dark'>('light')
  document.documentElement.dataset.theme = theme
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>Kit</h1>
        <ToggleGroup
          label="Theme"
          value={theme}
          options={[
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          onChange={setTheme}
        />
        <ToggleGroup
          label="Direction"
          value={direction}
          options={[
            ['ltr', 'Left to right'],
            ['rtl', 'Right to left'],
          ]}
          onChange={setDirection}
        />
      </header>
      {Object.entries(parts).map(([name, Part]) => (
        <Section key={name} title={name}>
          <Frame direction={direction}>
            <Part />
          </Frame>
        </Section>
      ))}
    </main>
  )
}

createRoot(document.getElementById('kit') as HTMLElement).render(<Page />)
