import { hash } from 'node:crypto'
import type { Theme } from './colors.ts'
import { backgrounds } from './colors.ts'

export interface Style {
  readonly css: string
  /** The source expression that allows this style in a Content-Security-Policy. */
  readonly source: string
}

const maxStyles = 200
const styles = new Map<string, Style>()

/** Styles are stored by their colours, so that the text is hashed once per site. */
export const styleOf = (theme: Theme): Style => {
  const colors = colorRules(theme)
  const existing = styles.get(colors)
  if (existing !== undefined) return existing
  if (styles.size >= maxStyles) styles.clear()
  const css = colors + rules
  const style = { css, source: `'sha256-${hash('sha256', css, 'base64')}'` }
  styles.set(colors, style)
  return style
}

const colorRules = ({ bar, accent, light, dark }: Theme): string =>
  `:root{color-scheme:light dark;--bar:${bar};--accent:${accent};--link:${light.link};--on-link:${light.onLink};` +
  `--bg:${backgrounds.light};--text:#1b1f24;--muted:#545b66;--line:#d8dce2;--card:#f6f7f9}` +
  `@media (prefers-color-scheme:dark){:root{--link:${dark.link};--on-link:${dark.onLink};` +
  `--bg:${backgrounds.dark};--text:#e8eaed;--muted:#a7aeb9;--line:#343a44;--card:#1d2128}}`

/** Written for a phone; wider screens and print change what they must. */
const rules = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK JP",sans-serif;overflow-wrap:break-word;border-top:6px solid var(--bar)}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:.75rem;background:var(--bg);padding:.5rem}
header,main,footer{max-width:60rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between;padding-top:.75rem;padding-bottom:.75rem}
.brand{display:inline-flex;gap:.6rem;align-items:center;font-weight:650;color:var(--text);text-decoration:none;min-height:2.75rem}
.brand img{max-height:2.25rem;max-width:9rem}
.langs{display:flex;flex-wrap:wrap;gap:0 .9rem;list-style:none;margin:0;padding:0;font-size:.95rem}
.langs a,.langs span{display:inline-block;padding:.45rem 0}
.langs span{font-weight:650;border-bottom:3px solid var(--accent)}
h1{font-size:1.75rem;line-height:1.2;margin:.75rem 0 .5rem;letter-spacing:-.01em;text-wrap:balance}
h2{font-size:1.2rem;line-height:1.3;margin:2rem 0 .5rem}
.lead{font-size:1.1rem;color:var(--muted);margin:.25rem 0 1.25rem;max-width:40rem}
p{margin:.5rem 0 .9rem}
.muted{color:var(--muted)}
form{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem;margin:1.25rem 0}
label{display:block;font-size:.9rem;font-weight:600}
input,select{display:block;width:100%;min-height:2.75rem;margin-top:.2rem;padding:.4rem .65rem;font:inherit;font-weight:400;color:var(--text);background:var(--bg);border:1px solid var(--muted);border-radius:.5rem}
.fields{display:grid;gap:.75rem}
summary{cursor:pointer;padding:.6rem 0 .3rem;font-weight:600;color:var(--link)}
.actions{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin-top:1rem}
.button,button{display:inline-flex;align-items:center;justify-content:center;min-height:3rem;padding:.6rem 1.5rem;font:inherit;font-weight:650;text-align:center;text-decoration:none;color:var(--on-link);background:var(--link);border:0;border-radius:.6rem;cursor:pointer}
.button:hover,button:hover{text-decoration:underline}
.list{list-style:none;margin:0;padding:0}
.list>li{position:relative;border-top:1px solid var(--line);padding:.9rem 0}
.list>li:last-child{border-bottom:1px solid var(--line)}
.list h2,.list h3{font-size:1.1rem;line-height:1.35;margin:0}
.list a{text-decoration:none;font-weight:650}
.list a:hover{text-decoration:underline}
.list a::after{content:"";position:absolute;inset:0}
.facts{display:flex;flex-wrap:wrap;gap:.1rem .5rem;margin:.2rem 0 0;padding:0;list-style:none;color:var(--muted);font-size:.95rem}
.facts>li:not(:last-child,.pay)::after{content:"·";padding-inline-start:.5rem}
.facts .pay{flex-basis:100%;color:var(--text);font-weight:600}
.pages{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;margin:1.25rem 0}
.pages a{padding:.6rem 0;font-weight:600}
dl{display:grid;grid-template-columns:auto 1fr;gap:.3rem 1.25rem;margin:1rem 0 1.25rem;padding:1rem;background:var(--card);border:1px solid var(--line);border-inline-start:5px solid var(--accent);border-radius:.6rem}
dt{color:var(--muted)}
dd{margin:0;font-weight:600}
.text{max-width:42rem}
.text ul{padding-inline-start:1.3rem;margin:.5rem 0 1rem}
.text li{margin:.3rem 0}
.apply{margin:1.25rem 0}
.apply .button{width:100%}
.apply p{margin:.6rem 0 0}
footer{border-top:1px solid var(--line);margin-top:2.5rem;padding-top:1rem;padding-bottom:2rem;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;font-size:.95rem}
footer a{padding:.4rem 0}
@media (min-width:40rem){
h1{font-size:2.35rem}
.apply .button{width:auto;min-width:14rem}
.fields{grid-template-columns:1fr 1fr}
.list>li{padding:1rem .5rem;margin:0 -.5rem}
.list>li:hover{background:var(--card)}
}
@media (min-width:60rem){
.fields{grid-template-columns:repeat(4,1fr)}
@supports selector(details::details-content){
details::details-content{content-visibility:visible;height:auto}
summary{display:none}
details .fields{margin-top:.75rem}
}
}
@media print{
:root{--bg:#fff;--text:#000;--muted:#333;--line:#999;--card:#fff;--link:#000;--on-link:#000}
body{border-top-width:2px;font-size:11pt}
form,.langs,.skip,.pages,.others,footer{display:none}
.button{display:inline;min-height:0;padding:0;background:none}
.apply a[href]::after{content:" " attr(href);font-weight:400}
dl,.list>li{break-inside:avoid}
h2{break-after:avoid}
}
`.replaceAll('\n', '')
