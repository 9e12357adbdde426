import { hash } from 'node:crypto'
import type { Theme } from '../colors.ts'
import { backgrounds, cards, textColors } from '../colors.ts'

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

const colorRules = ({ bar, light, dark }: Theme): string =>
  `:root{color-scheme:light dark;--bar:${bar};--link:${light.link};--on-link:${light.onLink};--band:${light.band};--on-band:${light.onBand};` +
  `--bg:${backgrounds.light};--text:${textColors.light};--muted:#545b66;--line:#d8dce2;--card:${cards.light}}` +
  `@media (prefers-color-scheme:dark){:root{--link:${dark.link};--on-link:${dark.onLink};--band:${dark.band};--on-band:${dark.onBand};` +
  `--bg:${backgrounds.dark};--text:${textColors.dark};--muted:#a7aeb9;--line:#343a44;--card:${cards.dark}}}`

/**
 * Written for a phone; wider screens and print change what they must.
 *
 * On a phone the apply button stays at the lower edge of the screen while the job is read, so its block comes after the
 * text. On a wide screen the same block stays beside the text.
 */
const rules = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-block:1rem 8rem}
body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK JP",sans-serif;overflow-wrap:anywhere;display:flex;flex-direction:column;min-height:100vh}
main{flex:1}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;top:-9rem}
.skip:focus{top:.75rem;inset-inline-start:1rem;z-index:2;background:var(--bg);padding:.5rem}
header,footer,.wrap{width:100%;max-width:64rem;margin:0 auto;padding:0 1rem}
header{display:flex;gap:1rem;align-items:center;justify-content:space-between;padding-block:.5rem}
.brand{display:inline-flex;gap:.6rem;align-items:center;min-height:2.75rem;font-weight:650;line-height:1.3;color:var(--text);text-decoration:none}
.brand span{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.brand img{height:2.25rem;max-width:9rem;object-fit:contain}
.langs ul{list-style:none;margin:0;padding:0}
.langs a,summary{display:block;padding:.55rem 0}
.langs{position:relative;flex:none}
details.langs ul{position:absolute;inset-inline-end:0;z-index:1;min-width:12rem;max-height:70vh;overflow:auto;padding:.35rem 1rem;background:var(--bg);border:1px solid var(--line);border-radius:.6rem;box-shadow:0 6px 24px #0003}
summary{cursor:pointer;font-weight:600;color:var(--link);width:fit-content;list-style:none}
summary::-webkit-details-marker{display:none}
summary::after{content:"";display:inline-block;width:.5em;height:.5em;margin:0 .3em .15em;margin-inline-start:.5em;border:solid;border-width:0 .13em .13em 0;transform:rotate(45deg)}
[open]>summary::after{transform:translateY(.25em) rotate(225deg)}
.band{background:var(--band);color:var(--on-band);border-bottom:5px solid var(--bar);padding:1.5rem 0 1.4rem}
h1{font-size:1.75rem;line-height:1.2;margin:0;max-width:48rem;letter-spacing:-.01em;text-wrap:balance;hyphens:auto}
.lead{font-size:1.1rem;max-width:44rem}
.lead,.lead p{margin:.4rem 0 0}
h2{font-size:1.25rem;line-height:1.3;margin:2rem 0 .5rem}
p{margin:.5rem 0 .9rem}
form{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 .6rem;align-items:end;background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.85rem 1rem .5rem;margin:1.25rem 0 0}
label{display:block;font-size:.9rem;font-weight:600}
input,select{display:block;width:100%;min-height:2.75rem;margin:.2rem 0 0;padding:.4rem .65rem;font:inherit;font-weight:400;color:var(--text);background:var(--bg);border:1px solid var(--muted);border-radius:.5rem}
form>label{white-space:nowrap}
form summary{color:var(--text)}
form details{grid-column:1/-1;grid-row:2}
.fields{display:grid;gap:.75rem;padding:.25rem 0 .75rem}
.button,button{display:inline-flex;align-items:center;justify-content:center;min-height:2.75rem;padding:.4rem 1.25rem;font:inherit;font-weight:650;line-height:1.3;text-align:center;text-decoration:none;color:var(--on-link);background:var(--link);border:1px solid transparent;border-radius:.5rem;cursor:pointer}
.button:hover,button:hover{text-decoration:underline}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;list-style:none;margin:.75rem 0;padding:0}
.chips a{display:inline-block;padding:.55rem 0;line-height:1.3}
.chips .chip{padding-inline:.9rem;border:1px solid var(--muted);border-radius:2rem;color:var(--text);text-decoration:none}
.chip::after{content:"✕";content:"✕"/"";margin-inline-start:.6rem;color:var(--muted)}
.chip:hover{text-decoration:underline}
.list{list-style:none;margin:.75rem 0;padding:0}
.list>li{position:relative;border-top:1px solid var(--line);padding:.85rem 0}
.list>li:last-child{border-bottom:1px solid var(--line)}
.list h3{font-size:1.1rem;line-height:1.35;margin:0}
.list a{text-decoration:none;font-weight:650}
.list a:hover{text-decoration:underline}
.list a::after{content:"";position:absolute;inset:0 -.6rem;border-radius:.5rem}
.list a:focus-visible{outline:0}
.list a:focus-visible::after{outline:3px solid var(--link);outline-offset:-1px}
.pay{margin:.1rem 0 0;font-weight:600}
.facts{display:flex;flex-wrap:wrap;margin:.1rem -1rem 0;padding:0;padding-inline-end:1rem;list-style:none;color:var(--muted);font-size:.95rem;clip-path:inset(0 1rem)}
.facts li{display:flex;min-width:0}
.facts li::before{content:"·";content:"·"/"";flex:none;width:1rem;text-align:center}
.pages{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:1.25rem 0}
.plain{color:var(--link);background:none;border-color:var(--link)}
dl{display:grid;grid-template-columns:minmax(min-content,auto) minmax(0,1fr);gap:.3rem .75rem;margin:1.25rem 0;padding:.9rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
dt{color:var(--muted);font-size:.95rem;overflow-wrap:normal}
dd{margin:0;font-weight:600}
h1,.lead,dd{text-align:match-parent}
.text :is(ul,ol){padding-inline-start:1.4rem;margin:.5rem 0 1rem}
.text li{margin:.3rem 0}
.wrap>p:first-child{margin-top:1.5rem}
.apply{position:sticky;bottom:0;z-index:1;margin:1.5rem -1rem 0;padding:.75rem 1rem;background:var(--bg);border-top:1px solid var(--line);text-align:center}
.apply .button{width:100%;min-height:3rem;font-size:1.05rem}
.apply p{margin:.4rem 0 0;font-size:.95rem;color:var(--muted)}
.others{padding-bottom:.5rem}
footer{border-top:1px solid var(--line);margin-top:2.5rem;padding-block:.75rem 1.5rem;display:flex;flex-wrap:wrap;gap:0 1.5rem;font-size:.95rem}
footer a{padding:.55rem 0}
[dir=rtl]{text-align:right}
[dir=rtl] :is(p,h1,h2,h3,dt,dd,label,summary,.facts li,.pages span){unicode-bidi:plaintext}
[dir=rtl] .text [dir]{text-align:start}
@media (max-height:20rem){.apply{position:static}}
@media (min-width:40rem){
h1{font-size:2.25rem}
.band{padding:2.25rem 0 2rem}
.fields{grid-template-columns:1fr 1fr}
dl{grid-template-columns:repeat(2,auto minmax(0,1fr))}
.text{max-width:44rem}
.list>li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 1.5rem}
.list h3{grid-column:1}
.facts{grid-column:1/-1}
.pay{grid-column:2;grid-row:1;margin:0}
.apply{display:flex;gap:1rem;align-items:center}
.apply .button{width:auto;min-width:14rem}
.apply p{margin:0}
}
@media (min-width:60rem){
.fields{grid-template-columns:repeat(4,1fr)}
.job{display:grid;grid-template:auto 1fr/minmax(0,1fr) 23rem;gap:0 3.5rem}
.job dl,.apply{grid-column:2}
dl{grid-template-columns:minmax(min-content,auto) minmax(0,1fr)}
.text{max-width:none}
.text{grid-column:1;grid-row:1/3}
.text h2:first-child{margin-top:1.5rem}
.apply{grid-row:2;align-self:start;display:block;bottom:auto;top:1rem;margin:0;padding:0;border:0}
.apply .button{width:100%}
.apply p{margin:.6rem 0 0}
@supports selector(details::details-content){
form details::details-content{content-visibility:visible;height:auto}
form summary{display:none}
.fields{padding-top:.75rem}
}
}
@media (prefers-color-scheme:dark){.brand img{background:#fff;border-radius:.4rem}}
@media (max-width:59.99rem){form:has(details[open]) button{grid-column:1/-1;grid-row:3;margin-bottom:.5rem}form:has(details[open]) label:first-child{grid-column:1/-1}}
@page{margin:1.5cm}
@media print{
:root{--bg:#fff;--text:#000;--muted:#333;--line:#999;--card:#fff;--link:#000;--band:#fff;--on-band:#000}
body{display:block;font-size:11pt}
header,.wrap{max-width:none}
.band{padding:0 0 .75rem;border-bottom-width:2px}
h1{font-size:20pt}
form,.langs,.skip,.chips,.pages,.others,.apply .button,footer{display:none}
.how a[href^=http]::after{content:" (" attr(href) ")"}
.apply{position:static;margin:0;padding:0;border:0;text-align:start}
dl,li{break-inside:avoid}
h2{break-after:avoid}
}
`.replaceAll('\n', '')
