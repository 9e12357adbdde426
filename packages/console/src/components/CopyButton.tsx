import type { LucideIcon } from 'lucide-react'
import { Check, Copy, Link } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Icon } from '../kit/Icon.tsx'

interface CopyButtonProps {
  readonly label: string
  /** Returns what is copied, when the button is pressed. */
  readonly text: () => string
  readonly icon?: LucideIcon
  readonly bare?: boolean
}

export const CopyButton = ({ label, text, icon = Copy, bare = false }: CopyButtonProps) => {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <Button kind={bare ? 'bare' : 'plain'} onPress={() => void copyText(text()).then(() => setIsCopied(true))}>
      <Icon of={isCopied ? Check : icon} />
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  )
}

export const CopyLinkButton = () => <CopyButton bare label="Copy link" icon={Link} text={() => location.href} />

/** `navigator.clipboard` exists only on secure origins; a console in a company network often has none. */
const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
