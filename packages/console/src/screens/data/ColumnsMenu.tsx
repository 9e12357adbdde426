import { Check, Columns3 } from 'lucide-react'
import { Button, Checkbox, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { Icon } from '../../components/Icon.tsx'
import { shownColumns } from './columns.ts'
import styles from './Popover.module.css'
import { useExplorer } from './use-explorer.ts'

/** Chooses the columns. They are the parameter `fields` of the API, so an export has the same ones. */
export const ColumnsMenu = () => {
  const { resource, parameters, change } = useExplorer()
  const shown = shownColumns(resource, parameters).map(({ name }) => name)
  const show = (names: readonly string[]): void => change({ fields: names.join(',') }, { replace: true })
  return (
    <DialogTrigger>
      <Button className={`${buttonStyles.button} ${buttonStyles.bare}`}>
        <Icon of={Columns3} />
        Columns <span className="number muted">{shown.length}</span>
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <Dialog className={styles.dialog}>
          <Heading slot="title" level={2} className={styles.title}>
            Columns
          </Heading>
          <p className={styles.about}>An export has the same columns once you have chosen some.</p>
          <div className={styles.choices}>
            {resource.allFields.map(({ name, about }) => {
              const isShown = shown.includes(name)
              return (
                <Checkbox
                  key={name}
                  className={styles.choice}
                  isSelected={isShown}
                  isDisabled={isShown && shown.length === 1}
                  onChange={() =>
                    show(
                      resource.allFields
                        .map((field) => field.name)
                        .filter((other) => (other === name ? !isShown : shown.includes(other))),
                    )
                  }
                >
                  <span className={styles.box}>{isShown ? <Icon of={Check} size={11} /> : undefined}</span>
                  <span title={about}>{name}</span>
                </Checkbox>
              )
            })}
          </div>
          <div className={styles.actions}>
            <Button className={buttonStyles.button} onPress={() => show(resource.allFields.map(({ name }) => name))}>
              All {resource.allFields.length}
            </Button>
            <Button
              className={buttonStyles.button}
              isDisabled={parameters.fields === undefined}
              onPress={() => change({ fields: undefined }, { replace: true })}
            >
              Usual columns
            </Button>
          </div>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
