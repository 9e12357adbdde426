import { SunMoon } from 'lucide-react'
import { Button } from '../kit/Button.tsx'
import { Icon } from '../kit/Icon.tsx'
import { Popover } from '../kit/Popover.tsx'
import { ToggleGroup } from '../kit/ToggleGroup.tsx'
import type { Preference, PreferenceName } from './preferences.ts'
import { usePreference } from './preferences.ts'
import styles from './TopBar.module.css'

export const Appearance = () => (
  <Popover
    label="Appearance"
    placement="bottom end"
    trigger={
      <Button kind="own" className={styles.tool} aria-label="Appearance">
        <Icon of={SunMoon} />
      </Button>
    }
  >
    <div className={styles.choices}>
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
  </Popover>
)

interface ChoiceProps<N extends PreferenceName> {
  readonly name: N
  readonly label: string
  readonly options: readonly (readonly [Preference<N>, string])[]
}

const Choice = <N extends PreferenceName>({ name, label, options }: ChoiceProps<N>) => {
  const [value, setValue] = usePreference(name)
  return (
    <div className={styles.choice}>
      <span className="muted" aria-hidden>
        {label}
      </span>
      <ToggleGroup label={label} value={value} options={options} onChange={setValue} />
    </div>
  )
}
