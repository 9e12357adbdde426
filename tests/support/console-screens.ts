/** Paths that open the screens of the console, for tests, benchmarks and screenshots. */
import type { PlainPath, ScreenPath, Screens } from '../../packages/console/src/frame/screens.ts'
import { screens } from '../../packages/console/src/frame/screens.ts'

type Screen = Screens[number]
/** `time to hire`: the label of a screen, or that among its tabs. */
type NameOf<S> = S extends { readonly tab: infer T extends string }
  ? Lowercase<T>
  : S extends { readonly label: infer L extends string }
    ? Lowercase<L>
    : never
type ScreenName = NameOf<Screen>

/** A path for each screen that shows one record or resource, such as `people/7`. */
export type ExamplePaths = Readonly<Record<Exclude<ScreenPath, PlainPath>, string>>
/** Other forms of a screen: by their name, the search parameters. */
type Variants = Readonly<Partial<Record<ScreenName, Readonly<Record<string, string>>>>>
type VariantName<V extends Variants> = { [N in keyof V]: keyof V[N] & string }[keyof V]

const nameOf = (screen: Screen): string => ('tab' in screen ? screen.tab : screen.label).toLowerCase()
const isExample = (path: string, examples: ExamplePaths): path is keyof ExamplePaths => path in examples

/** The paths of all screens by their name, relative to `/console/`. The variants of a screen follow it. */
export const consolePaths = <const V extends Variants>(
  examples: ExamplePaths,
  variants: V & Readonly<Record<Exclude<keyof V, ScreenName>, never>>,
): Readonly<Record<ScreenName | VariantName<V>, string>> => {
  const ofScreen: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = variants
  return Object.fromEntries(
    screens.flatMap((screen) => {
      const path = isExample(screen.path, examples) ? examples[screen.path] : screen.path.slice(1)
      const others = Object.entries(ofScreen[nameOf(screen)] ?? {})
      return [[nameOf(screen), path], ...others.map(([name, search]) => [name, `${path}?${search}`])]
    }),
  )
}
