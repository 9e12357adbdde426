import { Download } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useState } from 'react'
import { CopyButton } from '../../components/CopyButton.tsx'
import { ExportButton } from '../../components/ExportButton.tsx'
import { exportPath } from '../../components/export-columns.ts'
import { Loadable } from '../../components/Loadable.tsx'
import { formatBytes, formatInteger } from '../../format/numbers.ts'
import { Button, ButtonRow } from '../../kit/Button.tsx'
import { CodeBlock } from '../../kit/CodeBlock.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Popover, PopoverText } from '../../kit/Popover.tsx'
import { curlCommand, listPath } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import { exportedFields } from './columns.ts'
import styles from './DataScreen.module.css'
import { estimatedBytes, maxFileBytes } from './export-size.ts'
import { clientQuery, omit } from './list-query.ts'
import { useRows } from './requests.ts'
import { useExplorer } from './use-explorer.ts'

/** Smaller lists are saved without a look at their size. */
const maxUncheckedRows = 20_000

interface ExportProps {
  readonly total: number
  /** If true, a large export is part of a dialog that is already open. */
  readonly isInDialog?: boolean
}

/** Saves the list as CSV. The button says how many rows that are. */
export const Export = ({ total, isInDialog = false }: ExportProps) => {
  const { resource, parameters } = useExplorer()
  // CSV has no related records, and an export has all pages.
  const exported = omit(parameters, ['limit', 'offset', 'expand', 'fields'])
  const file = {
    path: listPath(resource.path, clientQuery(resource, exported)),
    fields: exportedFields(resource, parameters),
    rows: total,
    fileName: resource.path,
  }
  if (total <= maxUncheckedRows) return <ExportButton {...file} />
  const large = <LargeExport file={file} exported={exported} />
  if (isInDialog) return large
  return (
    <Popover
      label="Export"
      width="wide"
      placement="bottom end"
      trigger={
        <Button>
          <Icon of={Download} />
          Export <span className="number muted">{formatInteger(total)} rows</span>
        </Button>
      }
    >
      {large}
    </Popover>
  )
}

interface LargeExportProps {
  readonly file: ComponentProps<typeof ExportButton> & { readonly fields: string }
  readonly exported: Readonly<Record<string, string>>
}

/** Estimates the size from a page in the middle of the list, because the first records are often shorter. */
const LargeExport = ({ file, exported }: LargeExportProps) => {
  const { resource } = useExplorer()
  const { token } = useSession()
  const { path, fields, rows: total } = file
  const [offset] = useState(() => Math.floor(total / 2))
  const sample = useRows(resource, { ...omit(exported, ['sort']), fields, limit: '50', offset: String(offset) })
  const command = `${curlCommand(exportPath(path, fields), token !== undefined)} -o ${resource.path}.csv`
  return (
    <>
      <h2 className={styles.title}>Export {formatInteger(total)} rows</h2>
      <Loadable result={sample} asked="a sample of the rows">
        {({ data }) => {
          const bytes = estimatedBytes(data, total)
          return bytes <= maxFileBytes ? (
            <>
              <PopoverText>About {formatBytes(bytes)} of CSV.</PopoverText>
              <ExportButton {...file} />
            </>
          ) : (
            <>
              <PopoverText>
                About {formatBytes(bytes)} of CSV: too much for a browser. This command writes it to a file.
                {token === undefined ? '' : ' It takes the token from the variable MUSTER_API_TOKEN.'}
              </PopoverText>
              <CodeBlock isLong>{command}</CodeBlock>
              <ButtonRow>
                <CopyButton label="Copy curl" text={() => command} />
              </ButtonRow>
            </>
          )
        }}
      </Loadable>
    </>
  )
}
