import { ChevronDown, Download } from 'lucide-react'
import { useState } from 'react'
import { plural } from '../format/labels.ts'
import { formatInteger } from '../format/numbers.ts'
import { Button, ButtonAnchor, ButtonRow } from '../kit/Button.tsx'
import { Icon } from '../kit/Icon.tsx'
import { Popover } from '../kit/Popover.tsx'
import { requestUrl } from '../service/requests.ts'
import { useSession } from '../service/session.tsx'
import { useIsWithheld } from '../service/use-is-withheld.ts'
import { exportColumns, exportPath } from './export-columns.ts'

interface ExportButtonProps {
  /** Path of the list, such as `/api/v1/employees?status=active`. */
  readonly path: string
  /** The fields to save, separated by commas. Default: those that the screens of the resource show. */
  readonly fields?: string
  readonly rows: number
  /** Name of the file, without `.csv`. */
  readonly fileName: string
}

/** Saves all records of a list as CSV. Personal fields that the screen does not show are saved by a second button. */
export const ExportButton = ({ fields, ...props }: ExportButtonProps) => {
  const isWithheld = useIsWithheld()
  const { shown = 'id', personal } = exportColumns[props.path.split(/[/?]/)[3] as string] ?? {}
  if (fields !== undefined || personal === undefined || isWithheld !== false)
    return <SaveButton {...props} fields={fields ?? shown} />
  return (
    <>
      <SaveButton {...props} fields={shown} />
      <Popover
        title="With personal fields"
        placement="bottom end"
        trigger={
          <Button kind="split" aria-label="Export with personal fields">
            <Icon of={ChevronDown} />
          </Button>
        }
      >
        <p className="note">{personal.replaceAll(',', ', ')}</p>
        <ButtonRow>
          <SaveButton {...props} fields={`${shown},${personal}`} />
        </ButtonRow>
      </Popover>
    </>
  )
}

const SaveButton = ({ path, fields, rows, fileName }: ExportButtonProps & { readonly fields: string }) => {
  const { token } = useSession()
  const [isSaving, setIsSaving] = useState(false)
  const [failure, setFailure] = useState<string>()
  const url = requestUrl(exportPath(path, fields))
  const content = (
    <>
      <Icon of={Download} />
      <span>
        Export{' '}
        <span className="number muted">
          {formatInteger(rows)} {plural(rows, 'row', 'rows')}
        </span>
      </span>
    </>
  )
  if (token === undefined)
    return (
      <ButtonAnchor href={url} download={`${fileName}.csv`}>
        {content}
      </ButtonAnchor>
    )
  // A link cannot send a token.
  const save = async (): Promise<void> => {
    setIsSaving(true)
    setFailure(undefined)
    try {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      if (response.ok) saveFile(await response.blob(), `${fileName}.csv`)
      else setFailure(await errorText(response))
    } catch {
      // An export whose connection is cut has a status of success.
      setFailure('the connection was lost')
    } finally {
      setIsSaving(false)
    }
  }
  return (
    <>
      <Button isDisabled={isSaving} onPress={() => void save()}>
        {content}
      </Button>
      {failure === undefined ? undefined : (
        <span role="alert" className="failure">
          Not exported: {failure}.
        </span>
      )}
    </>
  )
}

/** Status and code, such as `503 database_unavailable`. */
const errorText = async (response: Response): Promise<string> => {
  const body = (await response.json().catch(() => undefined)) as { error?: { code?: string } } | undefined
  return [response.status, body?.error?.code].filter(Boolean).join(' ')
}

const saveFile = (content: Blob, name: string): void => {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
