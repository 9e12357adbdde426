/** Draws SVG plots with colours for light and dark pages. */

export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface LinePlot {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly series: readonly Series[]
}

export interface BarPlot {
  readonly title: string
  readonly xTitle: string
  readonly groups: readonly {
    readonly name: string
    readonly bars: readonly (readonly [name: string, value: number])[]
  }[]
}

const width = 760
const style = `
  .page { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e } .grid { stroke: #d1d9e0 } .axis { stroke: #59636e }
  .s0 { --c: #0969da } .s1 { --c: #bc4c00 } .s2 { --c: #1a7f37 } .s3 { --c: #8250df } .s4 { --c: #59636e }
  .line { fill: none; stroke: var(--c); stroke-width: 2.5 } .dot, .bar { fill: var(--c) }
  text { font: 13px system-ui, sans-serif } .strong { font-weight: 600 } .title { font-size: 16px; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .text { fill: #e6edf3 } .faint { fill: #9198a1 } .grid { stroke: #3d444d } .axis { stroke: #9198a1 }
    .s0 { --c: #4493f8 } .s1 { --c: #f0883e } .s2 { --c: #3fb950 } .s3 { --c: #ab7df8 } .s4 { --c: #9198a1 }
  }
`

/**
 * Draws lines on logarithmic axes: constant latency is a horizontal line, and latency proportional to x is a diagonal.
 */
export const drawLinePlot = ({ title, xTitle, yTitle, series }: LinePlot): string => {
  const plotArea = { left: 84, right: width - 20, top: 84, bottom: 370 }
  const allPoints = series.flatMap(({ points }) => points)
  const x = logScale(
    allPoints.map(([value]) => value),
    plotArea.left,
    plotArea.right,
  )
  const y = logScale(
    allPoints.map(([, value]) => value),
    plotArea.bottom,
    plotArea.top,
  )
  const grid = [
    ...x.decades.map((value) =>
      drawTick(
        x.at(value),
        plotArea.top,
        x.at(value),
        plotArea.bottom,
        x.at(value),
        plotArea.bottom + 20,
        'middle',
        formatCompact(value),
      ),
    ),
    ...y.decades.map((value) =>
      drawTick(
        plotArea.left,
        y.at(value),
        plotArea.right,
        y.at(value),
        plotArea.left - 8,
        y.at(value) + 4,
        'end',
        formatCompact(value),
      ),
    ),
  ]
  const lines = series.map(({ points }, index) => {
    const coordinates = points.map(([px, py]) => `${round(x.at(px))},${round(y.at(py))}`)
    const dots = coordinates.map((pair) => `<circle class="dot" r="4" cx="${pair.replace(',', '" cy="')}"/>`)
    return `<g class="s${index}"><polyline class="line" points="${coordinates.join(' ')}"/>${dots.join('')}</g>`
  })
  const middle = (plotArea.top + plotArea.bottom) / 2
  return svgDocument(430, title, [
    ...drawLegend(series.map(({ name }) => name)),
    ...grid,
    `<path class="axis" fill="none" d="M${plotArea.left} ${plotArea.top}V${plotArea.bottom}H${plotArea.right}"/>`,
    ...lines,
    `<text class="text" text-anchor="middle" x="${(plotArea.left + plotArea.right) / 2}" y="${plotArea.bottom + 44}">${escapeXml(xTitle)}</text>`,
    `<text class="text" text-anchor="middle" transform="translate(20 ${middle}) rotate(-90)">${escapeXml(yTitle)}</text>`,
  ])
}

/** Draws horizontal bars on a logarithmic axis, each labelled with its value. */
export const drawBarPlot = ({ title, xTitle, groups }: BarPlot): string => {
  const rowHeight = 21
  const gap = 34
  const plotArea = { left: 250, right: width - 86, top: 52 }
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(([name]) => name)))]
  const x = logScale(
    groups.flatMap(({ bars }) => bars.map(([, value]) => value)),
    plotArea.left,
    plotArea.right,
  )
  const parts: string[] = []
  let at = plotArea.top
  for (const { name, bars } of groups) {
    parts.push(`<text class="text strong" x="20" y="${at + 16}">${escapeXml(name)}</text>`)
    at += 24
    for (const [label, value] of bars) {
      const length = Math.max(1, x.at(value) - plotArea.left)
      parts.push(
        `<text class="text" text-anchor="end" x="${plotArea.left - 8}" y="${at + 14}">${escapeXml(label)}</text>`,
        `<rect class="bar s${names.indexOf(label) % 5}" x="${plotArea.left}" y="${at + 2}" width="${round(length)}" height="${rowHeight - 5}"/>`,
        `<text class="text" x="${round(plotArea.left + length + 6)}" y="${at + 14}">${escapeXml(formatCompact(value))}</text>`,
      )
      at += rowHeight
    }
    at += gap - 24
  }
  const grid = x.decades.map((value) =>
    drawTick(x.at(value), plotArea.top, x.at(value), at, x.at(value), at + 18, 'middle', formatCompact(value)),
  )
  return svgDocument(at + 56, title, [
    ...grid,
    ...parts,
    `<text class="text" text-anchor="middle" x="${(plotArea.left + plotArea.right) / 2}" y="${at + 42}">${escapeXml(xTitle)}</text>`,
  ])
}

/** Makes a logarithmic scale that begins and ends at the powers of ten around the values. */
const logScale = (values: readonly number[], from: number, to: number) => {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  const decades = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
  return { decades, at: (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from) }
}

const drawLegend = (names: readonly string[]): string[] => {
  const step = (width - 40) / names.length
  return names.map(
    (name, index) =>
      `<g class="s${index}"><circle class="dot" r="5" cx="${round(26 + index * step)}" cy="56"/><text class="text" x="${round(38 + index * step)}" y="60">${escapeXml(name)}</text></g>`,
  )
}

const drawTick = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x: number,
  y: number,
  anchor: 'middle' | 'end',
  label: string,
): string =>
  `<path class="grid" d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}"/><text class="faint" text-anchor="${anchor}" x="${round(x)}" y="${round(y)}">${label}</text>`

const svgDocument = (height: number, title: string, parts: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    `<text class="text title" x="20" y="30">${escapeXml(title)}</text>`,
    ...parts,
    '</svg>\n',
  ].join('\n')

const formatCompact = (value: number): string => {
  if (value >= 1e6) return `${formatShort(value / 1e6)} M`
  if (value >= 1e4) return `${formatShort(value / 1e3)} k`
  return formatShort(value)
}

const formatShort = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)))

const round = (value: number): number => Math.round(value * 10) / 10

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
