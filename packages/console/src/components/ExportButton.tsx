import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { formatInteger } from '../format/numbers.ts'
import { requestUrl } from '../service/requests.ts'
import { useSession } from '../service/session.tsx'
import buttonStyles from './Button.module.css'
import { Icon } from './Icon.tsx'

interface ExportButtonProps {
  /** Path of the list, such as `/api/v1/employees?status=active`. */
  readonly path: string
  readonly rows: number
  /** Name of the file, without `.csv`. */
  readonly fileName: string
}

/** Saves all records of a list as CSV. */
export const ExportButton = ({ path, rows, fileName }: ExportButtonProps) => {
  const { token } = useSession()
  const [isSaving, setIsSaving] = useState(false)
  const url = requestUrl(`${path}${path.includes('?') ? '&' : '?'}format=csv`)
  const content = (
    <>
      <Icon of={Download} />
      Export <span className="number muted">{formatInteger(rows)} rows</span>
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
    try {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      saveFile(await response.blob(), `${fileName}.csv`)
    } finally {
      setIsSaving(false)
    }
  }
  return (
    <Button className={buttonStyles.button} isDisabled={isSaving} onPress={() => void save()}>
      {content}
    </Button>
  )
}

const saveFile = (content: Blob, name: string): void => {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
