import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { backgrounds, contrastOf, minContrast, parseColor, themeOf } from '../src/colors.ts'
import { chooseLocale, frameLocaleOf, languageName, languageTag } from '../src/locales/locales.ts'
import { frameLanguages, textsIn } from '../src/locales/texts/texts.ts'
import { noFilters } from '../src/postings/posting.ts'
import { applyLink, defaultSettings, parseBrandSettings } from '../src/postings/settings.ts'
import { parsePlace } from '../src/rendering/countries.ts'
import { formatPay, formatPlural, formatText, payOf } from '../src/rendering/formats.ts'
import { escapeMarkup, html, scriptJson } from '../src/rendering/html.ts'
import { renderGone, renderJob, renderList } from '../src/rendering/pages.ts'
import { emailAddress, hostName, imageUrl, webUrl } from '../src/urls.ts'
import { noChoices, posting, site } from './samples.ts'

describe('an html template', () => {
  it('escapes every value, in text and in attributes', () => {
    const hostile = `<script>alert('1')</script>&"`
    const escaped = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;'
    assert.equal(
      html`<p title="${hostile}">${[hostile, undefined, 5]}</p>`.text,
      `<p title="${escaped}">${escaped}5</p>`,
    )
    assert.equal(html`<p>${html`<b>${'<'}</b>`}</p>`.text, '<p><b>&lt;</b></p>')
  })

  it('replaces characters that neither HTML nor XML allows', () => {
    assert.equal(escapeMarkup('a\u0000b\u000bc\ud800d\uffff\t\n😀'), 'a\ufffdb\ufffdc\ufffdd\ufffd\t\n😀')
  })

  it('keeps JSON inside its script element', () => {
    assert.equal(scriptJson({ a: '</script><!--' }).text, '{"a":"\\u003c/script>\\u003c!--"}')
  })
})

describe('a colour', () => {
  it('is accepted only as #rgb or #rrggbb', () => {
    assert.deepEqual(['#ABC', ' #12345f '].map(parseColor), ['#aabbcc', '#12345f'])
    for (const text of ['red', '#12', '#12345', '#1234567', 'rgb(0,0,0)', '#fff;}', 'url(x)', '', undefined])
      assert.equal(parseColor(text), undefined, String(text))
  })

  it('has the contrast that WCAG defines', () => {
    assert.equal(contrastOf('#000000', '#ffffff'), 21)
    assert.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48')
  })

  it('is used for text and buttons only with enough contrast, in both themes', () => {
    for (const colors of [
      ['#ffff00', '#eeeeee'],
      ['#000000', '#111111'],
      ['#7a1f1f', '#f2a65a'],
      ['none', undefined],
      ['#767676', '#777777'],
    ] as const) {
      const theme = themeOf(colors[0], colors[1])
      for (const mode of ['light', 'dark'] as const) {
        const { link, onLink } = theme[mode]
        assert.ok(contrastOf(link, backgrounds[mode]) >= minContrast, `${colors} ${mode}`)
        assert.ok(contrastOf(onLink, link) >= minContrast, `${colors} ${mode} button`)
      }
    }
    assert.equal(themeOf('#ffff00', '#eeeeee').bar, '#eeeeee')
    assert.equal(themeOf('#ffff00', undefined).bar, '#ffff00')
  })

  it('is behind the heading, with text that has enough contrast, and is not bright in the dark theme', () => {
    for (let color = 0; color < 0x1000; color += 1) {
      const brand = `#${color.toString(16).padStart(3, '0')}`
      const { light, dark } = themeOf(brand, undefined)
      assert.equal(light.band, parseColor(brand))
      assert.ok(contrastOf(light.onBand, light.band) >= minContrast, brand)
      assert.ok(contrastOf(dark.onBand, dark.band) >= minContrast, `${brand} dark`)
      assert.ok(contrastOf('#ffffff', dark.band) >= minContrast, `${brand} is too bright`)
    }
  })
})

describe('a URL from a record', () => {
  it('is used only with a harmless protocol and without a password', () => {
    assert.equal(webUrl('https://a.example/x?y'), 'https://a.example/x?y')
    for (const text of [
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'data:text/html,x',
      '//a.example',
      '/x',
      'https://u:p@a.example',
      'x',
    ])
      assert.equal(webUrl(text), undefined, text)
    assert.equal(imageUrl('http://a.example/logo.png'), undefined)
    assert.deepEqual(imageUrl('https://A.example:8443/l.png'), {
      href: 'https://a.example:8443/l.png',
      origin: 'https://a.example:8443',
    })
    assert.deepEqual(imageUrl('https://a.example;script-src*/x'), undefined)
    assert.deepEqual(
      [emailAddress('jobs@a.example'), emailAddress('a@b?bcc=c@d.example'), emailAddress('a b@c.example')],
      ['jobs@a.example', undefined, undefined],
    )
    assert.deepEqual(
      [hostName('Jobs.A.example'), hostName('a.example/x'), hostName('a.example:80'), hostName('localhost')],
      ['jobs.a.example', undefined, undefined, undefined],
    )
  })
})

describe('the settings of a brand', () => {
  it('are read from its JSON', () => {
    const { settings, problems } = parseBrandSettings(
      '{"show_pay":false,"posting_days":30,"apply":{"url":"https://a.example/{locale}/{code}"},"about":" We ","reply_within_days":5,"tone":"x"}',
    )
    assert.deepEqual(problems, [])
    assert.deepEqual(settings, {
      showPay: false,
      postingDays: 30,
      applyUrl: 'https://a.example/{locale}/{code}',
      applyEmail: undefined,
      about: 'We',
      replyWithinDays: 5,
    })
    assert.deepEqual(parseBrandSettings(undefined), { settings: defaultSettings, problems: [] })
  })

  it('are ignored and named where they are wrong', () => {
    for (const json of ['{', '[]', '"x"', 'null'])
      assert.deepEqual(
        parseBrandSettings(json).problems,
        ['settings_json is not a JSON object, so all of it is ignored.'],
        json,
      )
    const { settings, problems } = parseBrandSettings(
      '{"show_pay":"no","posting_days":0,"apply":{"url":"javascript:x","email":"x"},"about":7,"reply_within_days":1.5}',
    )
    assert.deepEqual(settings, defaultSettings)
    assert.deepEqual(
      problems.map((text) => text.split(' ')[0]),
      ['show_pay', 'posting_days', 'apply.url', 'apply.email', 'about', 'reply_within_days'],
    )
    assert.deepEqual(parseBrandSettings('{"apply":"x"}').problems, [
      'apply is ignored: it must be an object with url or email.',
    ])
    assert.equal(parseBrandSettings('{"apply":{"url":"https://{code}.example/"}}').problems.length, 1)
  })

  it('escape what they insert into the apply link', () => {
    const values = { code: 'a/b?c#d', id: '7', locale: undefined }
    assert.equal(
      applyLink('https://a.example/{locale}/{code}?id={id}', values),
      'https://a.example//a%2Fb%3Fc%23d?id=7',
    )
  })
})

describe('locales', () => {
  it('fall back to English texts, with the language of the records kept', () => {
    const direction = 'ltr'
    assert.deepEqual(frameLocaleOf('de-AT'), {
      language: 'de',
      formats: 'de-AT',
      contentLanguage: undefined,
      direction,
    })
    assert.deepEqual(frameLocaleOf('pt_BR'), {
      language: 'pt',
      formats: 'pt-BR',
      contentLanguage: undefined,
      direction,
    })
    assert.deepEqual(frameLocaleOf('vi'), { language: 'en', formats: 'en', contentLanguage: 'vi', direction })
    assert.deepEqual(frameLocaleOf('"><x'), { language: 'en', formats: 'en', contentLanguage: undefined, direction })
  })

  it('have the direction of their script', () => {
    for (const locale of ['ar', 'he', 'fa-IR', 'ur', 'pa-Arab', 'dv'])
      assert.equal(frameLocaleOf(locale).direction, 'rtl')
    for (const locale of ['en', 'ja', 'pa', 'ks-Deva', 'el']) assert.equal(frameLocaleOf(locale).direction, 'ltr')
  })

  it('are named in their own language, with the country if there is one', () => {
    assert.deepEqual(['de', 'pt', 'de-CH', 'en-AU', 'pt_BR', '"><x'].map(languageName), [
      'Deutsch',
      'Português',
      'Deutsch (Schweiz)',
      'English (Australia)',
      'Português (Brasil)',
      '"><x',
    ])
  })

  it('are not parsed if they are longer than any language tag', () => {
    assert.equal(languageTag(`en-x-${'ab-'.repeat(10)}ab`), `en-x-${'ab-'.repeat(10)}ab`)
    assert.equal(languageTag(`en-x-${'ab-'.repeat(4_000)}ab`), undefined)
  })

  it('are chosen by Accept-Language', () => {
    const locales = ['vi', 'pt-BR', 'en', 'de']
    for (const [header, expected] of [
      ['de-AT,en;q=0.5', 'de'],
      ['en;q=0.5, de;q=0.8', 'de'],
      ['pt-PT', 'pt-BR'],
      ['fr', 'en'],
      ['de;q=0, vi', 'vi'],
      ['de;q=0', 'en'],
      ['*', 'en'],
      [undefined, 'en'],
      ['%%%,,;q=', 'en'],
      [`de-${'a-'.repeat(7_000)}a,vi`, 'vi'],
    ] as const)
      assert.equal(chooseLocale(header, locales), expected, String(header))
    assert.equal(chooseLocale('fr', ['vi', 'de']), 'vi')
  })

  it('have all texts, with the same placeholders', () => {
    const placeholders = (text: string) => (text.match(/\{\w+\}|#/g) ?? []).sort()
    const english = textsIn('en')
    for (const language of frameLanguages) {
      for (const [name, text] of Object.entries(textsIn(language))) {
        const expected = english[name as keyof typeof english]
        const values = typeof text === 'string' ? [text] : Object.values(text)
        assert.deepEqual(
          placeholders(values[0] as string),
          placeholders(typeof expected === 'string' ? expected : (Object.values(expected)[0] as string)),
          `${language} ${name}`,
        )
        for (const value of values) assert.notEqual(value, '', `${language} ${name}`)
      }
      assert.notEqual(languageName(language), language)
    }
  })

  it('address the reader neither formally nor informally where employers do both', () => {
    for (const [language, address] of [
      ['de', /\b(?:Sie|Ihnen|Ihre?[nrsm]?|du|dir|dich|deine?[nrsm]?)\b/],
      ['es', /\b(?:tú|tus?|te|usted|sus?|envía|envíe)\b/i],
      ['pt', /\b(?:você|teus?|tuas?|seus?|suas?|envie|envia)\b/i],
    ] as const)
      assert.doesNotMatch(JSON.stringify(textsIn(language)), address, language)
  })
})

describe('formats', () => {
  it('show pay in the notation of the locale', () => {
    const pay = payOf(posting, site.brands.get('1'))
    assert.ok(pay !== undefined)
    assert.deepEqual(
      (['en', 'de', 'ja'] as const).map((language) => formatPay(pay, frameLocaleOf(language)).replaceAll(/\s/g, ' ')),
      ['€45,300 – €59,800 per year', '45.300–59.800 € pro Jahr', '年収€45,300 ～ €59,800'],
    )
    assert.equal(formatPay({ min: 10, max: 10, currency: 'JPY' }, frameLocaleOf('en')), '¥10 per year')
  })

  it('say if only the lowest or the highest pay is known', () => {
    const lines = (['en', 'de', 'pl', 'ja'] as const).flatMap((language) =>
      [
        { min: 10, max: undefined },
        { min: undefined, max: 20 },
      ].map((amounts) => formatPay({ ...amounts, currency: 'EUR' }, frameLocaleOf(language)).replaceAll(/\s/g, ' ')),
    )
    assert.deepEqual(lines, [
      'From €10 per year',
      'Up to €20 per year',
      'Ab 10 € pro Jahr',
      'Bis zu 20 € pro Jahr',
      'Od 10 € rocznie',
      'Do 20 € rocznie',
      '年収€10以上',
      '年収€20以下',
    ])
  })

  it('show no pay that is impossible, or that the brand does not show', () => {
    const brand = { name: 'B', logoUrl: undefined, settings: { ...defaultSettings, showPay: false } }
    assert.equal(payOf(posting, brand), undefined)
    for (const change of [
      { currency: undefined },
      { currency: 'eur' },
      { currency: 'XYZ' },
      { payMin: 9, payMax: 8 },
      { payMin: undefined, payMax: -1 },
    ])
      assert.equal(payOf({ ...posting, ...change }, undefined), undefined, JSON.stringify(change))
  })

  it('choose the plural of the language', () => {
    const { jobCount } = textsIn('pl')
    assert.deepEqual(
      [1, 3, 5, 22].map((count) => formatPlural(jobCount, count, frameLocaleOf('pl'))),
      ['1 oferta pracy', '3 oferty pracy', '5 ofert pracy', '22 oferty pracy'],
    )
  })

  it('turn plain text into paragraphs and lists', () => {
    const text = 'One\ntwo\n\n- a\n- b <i>\n\nThree\r\n1. x\n2. y\n- c\n3) z\nFour'
    assert.equal(
      formatText(text)
        .map((block) => block.text)
        .join(''),
      '<p dir="auto">One<br>two</p><ul dir="auto"><li>a</li><li>b &lt;i&gt;</li></ul><p dir="auto">Three</p><ol dir="auto"><li>x</li><li>y</li></ol><ul dir="auto"><li>c</li></ul><ol dir="auto" start="3"><li>z</li></ol><p dir="auto">Four</p>',
    )
  })

  it('read the country from a place', () => {
    for (const [place, expected] of [
      ['Lisboa, Portugal', { locality: 'Lisboa', country: 'PT' }],
      ['Köln, Deutschland', { locality: 'Köln', country: 'DE' }],
      ['東京, 日本', { locality: '東京', country: 'JP' }],
      ['Austin, TX, USA', { locality: 'Austin, TX', country: 'US' }],
      ['Brazil', { locality: undefined, country: 'BR' }],
      ['London, UK', { locality: 'London', country: 'GB' }],
      ['Cardiff, Wales', { locality: 'Cardiff', country: 'GB' }],
      ['Praha, Czech Republic', { locality: 'Praha', country: 'CZ' }],
      ['Amsterdam, Holland', { locality: 'Amsterdam', country: 'NL' }],
      ['İstanbul, Turkey', { locality: 'İstanbul', country: 'TR' }],
      ['Seoul, Republic of Korea', { locality: 'Seoul', country: 'KR' }],
      ['Vienna, AT', { locality: 'Vienna', country: 'AT' }],
      ['Berlin', undefined],
      ['Somewhere, European Union', undefined],
      ['', undefined],
    ] as const)
      assert.deepEqual(parsePlace(place), expected, place)
  })
})

describe('a page', () => {
  const list = { filters: noFilters, choices: noChoices, page: 1, total: 120, postings: [posting] }

  it('names the language of each part if the texts are not translated', () => {
    const { text } = renderJob(site, 'vi', { posting, alternates: [], others: [] })
    assert.match(text, /<html lang="en">/)
    assert.match(text, /<h1 lang="vi" dir="auto">Planner<\/h1>/)
  })

  it('links to the pages before and after it and keeps the filters', () => {
    const filters = { ...noFilters, words: 'a&b', place: 'Köln, Germany' }
    const { text } = renderList(site, 'de', { ...list, filters, page: 2 })
    const query = 'q=a%26b&amp;place=K%C3%B6ln%2C+Germany'
    assert.match(text, new RegExp(`rel="prev" href="./\\?${RegExp.escape(query)}"`))
    assert.match(text, new RegExp(`rel="next" href="./\\?${RegExp.escape(query)}&amp;page=3"`))
    assert.match(text, /Seite 2 von 3/)
  })

  it('says that applications are not taken if the brand does not say how to apply', () => {
    const brands = new Map([['1', { name: 'Brand', logoUrl: undefined, settings: defaultSettings }]])
    const { text } = renderJob({ ...site, brands }, 'en', { posting, alternates: [], others: [] })
    assert.match(text, /This site does not take applications for this position\./)
    assert.doesNotMatch(text, /ld\+json|class="apply"/)
  })

  it('of a closed job is not indexed', () => {
    const { text, headers } = renderGone(site, 'de', { title: 'Planner', others: [posting] })
    assert.match(text, /Diese Stelle ist nicht mehr offen/)
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.doesNotMatch(text, /rel="canonical"/)
  })

  it('has a policy that allows its own style and the host of its logo only', () => {
    const { headers } = renderList({ ...site, logoUrl: 'https://img.example/a.svg' }, 'en', list)
    assert.match(
      headers['content-security-policy'] ?? '',
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src https:\/\/img\.example; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    assert.doesNotMatch(renderList(site, 'en', list).headers['content-security-policy'] ?? '', /img-src/)
  })
})
