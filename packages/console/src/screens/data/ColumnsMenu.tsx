import { Columns3 } from 'lucide-react'
import { Button, ButtonRow } from '../../kit/Button.tsx'
import { CheckboxMenu } from './CheckboxMenu.tsx'
import { shownColumns } from './columns.ts'
import { useExplorer } from './use-explorer.ts'

/** Chooses the columns. They are the parameter `fields` of the API, so an export has the same ones. */
export const ColumnsMenu = () => {
  const { resource, parameters, change } = useExplorer()
  const all = resource.allFields.map(({ name }) => name)
  const shown = shownColumns(resource, parameters).map(({ name }) => name)
  const show = (names: readonly string[]): void => change({ fields: names.join(',') }, { replace: true })
  return (
    <CheckboxMenu
      title="Columns"
      icon={Columns3}
      about="An export has the same columns once you have chosen some."
      choices={resource.allFields}
      chosen={shown}
      least={1}
      onToggle={(name) => show(all.filter((other) => shown.includes(other) !== (other === name)))}
    >
      <ButtonRow>
        <Button onPress={() => show(all)}>All {all.length}</Button>
        <Button
          isDisabled={parameters.fields === undefined}
          onPress={() => change({ fields: undefined }, { replace: true })}
        >
          Usual columns
        </Button>
      </ButtonRow>
    </CheckboxMenu>
  )
}
