export const sizes = ['small', 'medium', 'large', 'huge'] as const
export type Size = (typeof sizes)[number]
