/** One label has one meaning: the figures of all screens that have the same label are the same number on the same day. */
import { openConsole, screens } from '../support/console-page.ts'
import type { LabelledFigure } from '../support/figures.ts'
import { labelledFigures } from '../support/figures.ts'
import { expect, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

/** The screens of Data show any list, so their label is the name of the resource. */
const paths = Object.entries(screenPaths).filter(([, path]) => !path.startsWith('data'))

interface Place {
  readonly screen: string
  readonly link: string | undefined
}

test('figures with the same label show the same number on all screens', async ({ page, muster }) => {
  test.setTimeout(240_000)
  const placesByLabel = new Map<string, Map<string, Place[]>>()
  for (const [screen, path] of paths) {
    await openConsole(page, muster, path, screens.wide)
    await waitForScreen(page)
    await showTables(page)
    const figures = await labelledFigures(page)
    for (const figure of figures) {
      const label = fullLabel(figure, figures, path)
      const places = placesByLabel.get(label) ?? new Map<string, Place[]>()
      places.set(figure.text, [...(places.get(figure.text) ?? []), { screen, link: figure.link }])
      placesByLabel.set(label, places)
    }
  }
  const shared = [...placesByLabel].filter(
    ([, places]) => new Set([...places.values()].flat().map(({ screen }) => screen)).size > 1,
  )
  console.log(`${placesByLabel.size} labels, ${shared.length} of them on several screens`)
  expect(shared.map(([label]) => label)).toEqual(
    expect.arrayContaining([
      'active applications',
      'people',
      'direct reports, manager_id=7',
      'day fri 30 oct 2026: absent without leave',
    ]),
  )
  expect([...placesByLabel].filter(([, places]) => places.size > 1).map(describeDifference)).toEqual([])
})

const showTables = async (page: Parameters<typeof waitForScreen>[0]): Promise<void> => {
  const buttons = page.getByRole('main').getByRole('button', { name: /^Show as a table/ })
  for (let left = await buttons.count(); left > 0; left -= 1) {
    await buttons.first().click()
    await expect(buttons).toHaveCount(left - 1)
  }
}

/**
 * The label with what the reader knows besides: the record that the figure is about, and the title of its table if another table
 * of the screen has the same heads.
 */
const fullLabel = (figure: LabelledFigure, all: readonly LabelledFigure[], path: string): string => {
  const { label, link = '', table } = figure
  const parameters = new URLSearchParams(link.split('?')[1])
  const records = [...parameters].filter(([name]) => /(?:^|_)id$|^under$/.test(name))
  const screen = /^[a-z-]+(?:\/[a-z-]+)*\/\d+/.exec(path)?.[0]
  // Filters and groups of a list count its own records.
  const list = /^(?:today\/|hiring\/candidates(?:\?|$))/.test(path) ? path : undefined
  const isAmbiguous = all.some((other) => other.label === label && other.table !== table)
  return [
    label,
    ...(records.length > 0 ? records.map(([name, id]) => `${name}=${id}`) : screen === undefined ? [] : [screen]),
    ...(list === undefined ? [] : [`in the list ${list}`]),
    ...(table !== undefined && isAmbiguous ? [`in the table ${table}`] : []),
  ].join(', ')
}

const describeDifference = ([label, places]: [string, Map<string, Place[]>]): string =>
  `${label}: ${[...places].map(([text, [first]]) => `${text} on ${first?.screen} (${first?.link})`).join(', ')}`
