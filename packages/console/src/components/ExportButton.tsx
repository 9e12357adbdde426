import { ChevronDown, Download } from 'lucide-react'
import { useState } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { formatInteger } from '../format/numbers.ts'
import { requestUrl } from '../service/requests.ts'
import { useSession } from '../service/session.tsx'
import { useIsWithheld } from '../service/visibility.ts'
import buttonStyles from './Button.module.css'
import { exportColumns, exportPath } from './export-columns.ts'
import { Icon } from './Icon.tsx'
import overlayStyles from './Overlay.module.css'
import stateStyles from './State.module.css'

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
      <DialogTrigger>
        <Button className={`${buttonStyles.button} ${buttonStyles.split}`} aria-label="Export with personal fields">
          <Icon of={ChevronDown} />
        </Button>
        <Popover className={overlayStyles.popover} placement="bottom end">
          <Dialog className={overlayStyles.content} aria-label="Export with personal fields">
            <p className={overlayStyles.title}>With personal fields</p>
            <p className="note">{personal.replaceAll(',', ', ')}</p>
            <div className={overlayStyles.actions}>
              <SaveButton {...props} fields={`${shown},${personal}`} />
            </div>
          </Dialog>
        </Popover>
      </DialogTrigger>
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
        Export <span className="number muted">{formatInteger(rows)} rows</span>
      </span>
    </>
  )
  if (token === undefined)
    return (
      <a className={buttonStyles.button} href={url} download={`${fileName}.csv`}>
        {content}
      </a>
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
      <Button className={buttonStyles.button} isDisabled={isSaving} onPress={() => void save()}>
        {content}
      </Button>
      {failure === undefined ? undefined : (
        <span role="alert" className={stateStyles.failure}>
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
