import type { LucideIcon } from 'lucide-react'

/** An icon of a control. It is never the only name of the control. */
export const Icon = ({ of: Picture, size = 16 }: { readonly of: LucideIcon; readonly size?: number }) => (
  <Picture size={size} strokeWidth={1.6} aria-hidden />
)
