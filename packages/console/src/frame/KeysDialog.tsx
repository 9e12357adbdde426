import { X } from 'lucide-react'
import { Button, Dialog, Heading, Switch } from 'react-aria-components'
import buttonStyles from '../components/Button.module.css'
import { Icon } from '../components/Icon.tsx'
import overlayStyles from '../components/Overlay.module.css'
import { FrameModal } from './FrameModal.tsx'
import styles from './KeysDialog.module.css'
import { usePreference } from './preferences.ts'
import { screens } from './screens.ts'

const groups = [
  {
    title: 'Everywhere',
    keys: [
      { keys: ['/'], or: ['Ctrl', 'K'], label: 'Search' },
      { keys: ['f'], label: 'Go to the search field of the screen' },
      { keys: ['?'], label: 'Show these keys' },
      { keys: ['Esc'], label: 'Close what is open' },
    ],
  },
  {
    title: 'Lists and trees',
    keys: [
      { keys: ['j'], or: ['↓'], label: 'Next row' },
      { keys: ['k'], or: ['↑'], label: 'Previous row' },
      { keys: ['Enter'], label: 'Open' },
      { keys: ['←'], or: ['→'], label: 'Collapse or expand' },
    ],
  },
  {
    title: 'Charts',
    keys: [
      { keys: ['←'], or: ['→'], label: 'Previous or next mark' },
      { keys: ['Home'], or: ['End'], label: 'First or last mark' },
      { keys: ['Enter'], label: 'Open the rows behind a mark' },
    ],
  },
]

/** The list of keys. Single keys can be turned off, because they get in the way of some input methods. */
export const KeysDialog = () => {
  const [keys, setKeys] = usePreference('keys')
  return (
    <FrameModal className={styles.modal}>
      <Dialog className={overlayStyles.content}>
        <div className={overlayStyles.head}>
          <Heading slot="title" level={2} className={overlayStyles.title}>
            Keys
          </Heading>
          <Button slot="close" className={buttonStyles.icon} aria-label="Close">
            <Icon of={X} />
          </Button>
        </div>
        <div className={styles.columns}>
          <section>
            <h3 className={styles.title}>Screens</h3>
            <dl className={styles.keys}>
              {screens.map(({ to, label, key }) => (
                <div key={to}>
                  <dt>{label}</dt>
                  <dd>
                    <kbd>g</kbd> then <kbd>{key}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
          <div>
            {groups.map(({ title, keys: entries }) => (
              <section key={title}>
                <h3 className={styles.title}>{title}</h3>
                <dl className={styles.keys}>
                  {entries.map(({ label, keys: first, or }) => (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>
                        <Combination keys={first} />
                        {or === undefined ? undefined : (
                          <>
                            {' or '}
                            <Combination keys={or} />
                          </>
                        )}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        </div>
        <Switch className={styles.switch} isSelected={keys === 'on'} onChange={(isOn) => setKeys(isOn ? 'on' : 'off')}>
          <span className={styles.track} aria-hidden />
          Use single-key shortcuts
        </Switch>
      </Dialog>
    </FrameModal>
  )
}

const Combination = ({ keys }: { readonly keys: readonly string[] }) =>
  keys.map((key, index) => (
    <span key={key}>
      {index === 0 ? undefined : ' '}
      <kbd>{key}</kbd>
    </span>
  ))
