import styles from './CodeBlock.module.css'

interface CodeBlockProps {
  readonly children: string
  /** Whether it may be so long that it scrolls, which keys must be able to do. */
  readonly isLong?: boolean
}

/** A request, a command or a record, as text. */
export const CodeBlock = ({ children, isLong = false }: CodeBlockProps) => (
  <code className={styles.code} tabIndex={isLong ? 0 : undefined}>
    {children}
  </code>
)
