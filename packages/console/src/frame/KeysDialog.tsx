import { Switch } from '../kit/Checkbox.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { closeDialog } from './dialogs.ts'
import styles from './KeysDialog.module.css'
import { keyGroups, screenPrefix } from './keys.ts'
import { usePreference } from './preferences.ts'
import { mainScreens } from './screens.ts'

/** The list of keys. Single keys can be turned off, because they get in the way of some input methods. */
export const KeysDialog = () => {
  const [keys, setKeys] = usePreference('keys')
  return (
    <Dialog title="Keys" hasCloseButton className={styles.modal} onClose={closeDialog}>
      <div className={styles.columns}>
        <section>
          <h3 className={styles.title}>Screens</h3>
          <dl className={styles.keys}>
            {mainScreens.map(({ path, label, key }) => (
              <div key={path}>
                <dt>{label}</dt>
                <dd>
                  <kbd>{screenPrefix}</kbd> then <kbd>{key}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <div>
          {keyGroups.map(({ title, entries }) => (
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
      <Switch isSelected={keys === 'on'} onChange={(isOn) => setKeys(isOn ? 'on' : 'off')}>
        Use single-key shortcuts
      </Switch>
    </Dialog>
  )
}

const Combination = ({ keys }: { readonly keys: readonly string[] }) =>
  keys.map((key, index) => (
    <span key={key}>
      {index === 0 ? undefined : ' '}
      <kbd>{key}</kbd>
    </span>
  ))
