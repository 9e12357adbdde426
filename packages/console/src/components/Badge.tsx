import type { ReactNode } from 'react'
import styles from './Badge.module.css'

interface BadgeProps {
  readonly kind?: 'plain' | 'outline' | 'warning' | 'error' | 'good'
  readonly children: ReactNode
}

export const Badge = ({ kind = 'plain', children }: BadgeProps) => (
  <span className={[styles.badge, styles[kind]].join(' ')}>{children}</span>
)
