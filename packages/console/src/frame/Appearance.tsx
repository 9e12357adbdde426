import { SunMoon } from 'lucide-react'
import { Button, Dialog, DialogTrigger, Popover, ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import buttonStyles from '../components/Button.module.css'
import { Icon } from '../components/Icon.tsx'
import overlayStyles from '../components/Overlay.module.css'
import styles from './Appearance.module.css'
import type { Preference, PreferenceName } from './preferences.ts'
import { usePreference } from './preferences.ts'
import barStyles from './TopBar.module.css'

export const Appearance = () => (
  <DialogTrigger>
    <Button className={barStyles.tool} aria-label="Appearance">
      <Icon of={SunMoon} />
    </Button>
    <Popover className={overlayStyles.popover} placement="bottom end">
      <Dialog className={overlayStyles.content} aria-label="Appearance">
        <div className={styles.rows}>
          <Choice
            name="theme"
            label="Theme"
            options={[
              ['system', 'System'],
              ['light', 'Light'],
              ['dark', 'Dark'],
            ]}
          />
          <div className="only-wide">
            <Choice
              name="density"
              label="Rows"
              options={[
                ['comfortable', 'Comfortable'],
                ['compact', 'Compact'],
              ]}
            />
          </div>
        </div>
      </Dialog>
    </Popover>
  </DialogTrigger>
)

interface ChoiceProps<N extends PreferenceName> {
  readonly name: N
  readonly label: string
  readonly options: readonly (readonly [Preference<N>, string])[]
}

const Choice = <N extends PreferenceName>({ name, label, options }: ChoiceProps<N>) => {
  const [value, setValue] = usePreference(name)
  return (
    <div className={styles.row}>
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      <ToggleButtonGroup
        className={buttonStyles.group}
        aria-label={label}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[value]}
        onSelectionChange={([key]) => setValue(key as Preference<N>)}
      >
        {options.map(([id, text]) => (
          <ToggleButton key={id} id={id}>
            {text}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  )
}
