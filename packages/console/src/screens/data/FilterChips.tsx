import { X } from 'lucide-react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { Icon } from '../../components/Icon.tsx'
import { splitValues } from '../../search-parameters.ts'
import styles from './FilterChips.module.css'
import { FilterEditor } from './FilterEditor.tsx'
import type { ActiveFilter } from './filters.ts'
import { activeFilters, filterText, withoutFilter } from './filters.ts'
import popoverStyles from './Popover.module.css'
import { useNames } from './requests.ts'
import { sortText } from './sort.ts'
import { useExplorer } from './use-explorer.ts'

/** The filters of the list. Each can be changed or removed. */
export const FilterChips = ({ isFirstPicture }: { readonly isFirstPicture: boolean }) => {
  const { resource, parameters, changeList } = useExplorer()
  const { active, unknown } = activeFilters(resource, parameters)
  const others = (['q', 'sort'] as const).filter((name) => parameters[name] !== undefined)
  if (active.length + unknown.length + others.length === 0) return undefined
  return (
    <ul className={styles.chips} aria-label="Filters">
      {parameters.q === undefined ? undefined : (
        <PlainChip name="search" value={parameters.q} onRemove={() => changeList({ q: undefined })} />
      )}
      {active.map((filter) => (
        <FilterChip key={filter.filter.key} filter={filter} isFirstPicture={isFirstPicture} />
      ))}
      {unknown.map((name) => (
        <PlainChip
          key={name}
          name={name}
          value={parameters[name] ?? ''}
          onRemove={() => changeList({ [name]: undefined })}
        />
      ))}
      {parameters.sort === undefined ? undefined : (
        <PlainChip
          name="sorted by"
          value={sortText(parameters.sort)}
          onRemove={() => changeList({ sort: undefined })}
        />
      )}
      {active.length + unknown.length + others.length > 1 ? (
        <li>
          <Button
            className={`${buttonStyles.button} ${buttonStyles.bare}`}
            onPress={() =>
              changeList({
                q: undefined,
                sort: undefined,
                ...Object.fromEntries(unknown.map((name) => [name, undefined])),
                ...Object.assign({}, ...active.map(({ filter }) => withoutFilter(filter))),
              })
            }
          >
            Clear
          </Button>
        </li>
      ) : undefined}
    </ul>
  )
}

interface FilterChipProps {
  readonly filter: ActiveFilter
  readonly isFirstPicture: boolean
}

const FilterChip = ({ filter: active, isFirstPicture }: FilterChipProps) => {
  const { changeList, filters } = useExplorer()
  const { filter, values } = active
  const names = useNames(filter.field?.references?.resource, splitValues(values.equals), { enabled: !isFirstPicture })
  const text = filterText(active, (value) => names.get(value) ?? value)
  const remove = (): void => changeList(withoutFilter(filter))
  const isOffered = filters.includes(filter)
  return (
    <li className={styles.chip}>
      {isOffered ? (
        <DialogTrigger>
          <Button className={styles.text} aria-label={`Change the filter ${filter.key}: ${text}`}>
            <ChipText name={filter.key} value={text} />
          </Button>
          <Popover className={popoverStyles.popover} placement="bottom start">
            <Dialog className={popoverStyles.dialog} aria-label={`Filter by ${filter.key}`}>
              {({ close }) => <FilterEditor filter={filter} onDone={close} />}
            </Dialog>
          </Popover>
        </DialogTrigger>
      ) : (
        <span className={styles.text}>
          <ChipText name={filter.key} value={text} />
        </span>
      )}
      <RemoveButton name={filter.key} onRemove={remove} />
    </li>
  )
}

interface PlainChipProps {
  readonly name: string
  readonly value: string
  readonly onRemove: () => void
}

const PlainChip = ({ name, value, onRemove }: PlainChipProps) => (
  <li className={styles.chip}>
    <span className={styles.text}>
      <ChipText name={name} value={value} />
    </span>
    <RemoveButton name={name} onRemove={onRemove} />
  </li>
)

const ChipText = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <>
    {name}{' '}
    <b>
      <bdi>{value.slice(0, 200)}</bdi>
    </b>
  </>
)

const RemoveButton = ({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) => (
  <Button className={styles.remove} aria-label={`Remove ${name}`} onPress={onRemove}>
    <Icon of={X} size={13} />
  </Button>
)
