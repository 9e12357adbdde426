/** The texts around the postings of a career site, in nine languages. */
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'
import type { Texts } from './types.ts'

const textsByLanguage = { en, de, fr, es, pt, pl, nl, sv, ja } as const satisfies Readonly<Record<string, Texts>>

export type FrameLanguage = keyof typeof textsByLanguage

export const frameLanguages = Object.keys(textsByLanguage) as readonly FrameLanguage[]

export const textsIn = (language: FrameLanguage): Texts => textsByLanguage[language]
