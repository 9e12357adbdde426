import { cumulativeWeights, pickWeighted } from '../random.ts'
import { cultures } from './names.ts'

export interface Country {
  readonly code: string
  readonly name: string
  readonly locale: string
  readonly currency: string
  /** Units of the local currency per euro. */
  readonly unitsPerEuro: number
  /** Pay relative to the average of all countries. */
  readonly payFactor: number
  /** A town may be followed by a vertical bar and its local spelling. */
  readonly towns: readonly string[]
  readonly cultures: Readonly<Record<string, number>>
}

export interface Office {
  readonly city: string
  readonly country: Country
  readonly weight: number
}

const germany: Country = {
  code: 'DE',
  name: 'Germany',
  locale: 'de',
  currency: 'EUR',
  unitsPerEuro: 1,
  payFactor: 1.12,
  towns: ['Berlin', 'Potsdam', 'Köln', 'Nürnberg', 'Göttingen', 'Halle (Saale)', 'Lübeck'],
  cultures: {
    german: 50,
    turkish: 10,
    polish: 7,
    ukrainian: 7,
    arabic: 7,
    vietnamese: 4,
    italian: 4,
    english: 4,
    hebrew: 2,
    georgian: 2,
  },
}
const portugal: Country = {
  code: 'PT',
  name: 'Portugal',
  locale: 'pt',
  currency: 'EUR',
  unitsPerEuro: 1,
  payFactor: 0.78,
  towns: ['Lisboa', 'Porto', 'Braga', 'Évora', 'Setúbal', 'Viseu'],
  cultures: { portuguese: 66, brazilian: 18, ukrainian: 4, french: 4, yoruba: 2, hindi: 3, romanian: 3 },
}
const poland: Country = {
  code: 'PL',
  name: 'Poland',
  locale: 'pl',
  currency: 'PLN',
  unitsPerEuro: 4.3,
  payFactor: 0.74,
  towns: ['Kraków', 'Łódź', 'Wrocław', 'Gdańsk', 'Poznań', 'Rzeszów'],
  cultures: { polish: 74, ukrainian: 15, czech: 3, vietnamese: 3, georgian: 3, english: 2 },
}
const greece: Country = {
  code: 'GR',
  name: 'Greece',
  locale: 'el',
  currency: 'EUR',
  unitsPerEuro: 1,
  payFactor: 0.7,
  towns: ['Thessaloniki|Θεσσαλονίκη', 'Athens|Αθήνα', 'Patras|Πάτρα', 'Volos|Βόλος'],
  cultures: { greek: 78, bulgarian: 8, arabic: 5, georgian: 5, english: 4 },
}
const japan: Country = {
  code: 'JP',
  name: 'Japan',
  locale: 'ja',
  currency: 'JPY',
  unitsPerEuro: 160,
  payFactor: 0.92,
  towns: ['Osaka|大阪市', 'Kyoto|京都市', 'Kobe|神戸市', 'Nagoya|名古屋市', 'Sapporo|札幌市'],
  cultures: { japanese: 84, chinese: 6, korean: 5, vietnamese: 3, north_american: 2 },
}
const vietnam: Country = {
  code: 'VN',
  name: 'Vietnam',
  locale: 'vi',
  currency: 'VND',
  unitsPerEuro: 27000,
  payFactor: 0.4,
  towns: ['Hà Nội', 'Đà Nẵng', 'Hải Phòng', 'Huế', 'Cần Thơ'],
  cultures: { vietnamese: 92, chinese: 3, korean: 3, japanese: 2 },
}
const australia: Country = {
  code: 'AU',
  name: 'Australia',
  locale: 'en-AU',
  currency: 'AUD',
  unitsPerEuro: 1.65,
  payFactor: 1.15,
  towns: ['Melbourne', 'Geelong', 'Hobart', 'Newcastle', 'Ballarat'],
  cultures: { english: 40, irish: 8, greek: 10, italian: 8, vietnamese: 9, chinese: 10, indian_latin: 9, arabic: 6 },
}
const india: Country = {
  code: 'IN',
  name: 'India',
  locale: 'en-IN',
  currency: 'INR',
  unitsPerEuro: 92,
  payFactor: 0.42,
  towns: ['Pune|पुणे', 'Nashik|नाशिक', 'Nagpur|नागपुर', 'Coimbatore', 'Kochi'],
  cultures: { indian_latin: 55, hindi: 43, english: 2 },
}
const spain: Country = {
  code: 'ES',
  name: 'Spain',
  locale: 'es',
  currency: 'EUR',
  unitsPerEuro: 1,
  payFactor: 0.83,
  towns: ['València', 'Málaga', 'A Coruña', 'Cádiz', 'San Sebastián'],
  cultures: { spanish: 70, latin_american: 15, romanian: 6, arabic: 5, chinese: 2, ukrainian: 2 },
}
const mexico: Country = {
  code: 'MX',
  name: 'Mexico',
  locale: 'es-MX',
  currency: 'MXN',
  unitsPerEuro: 20,
  payFactor: 0.5,
  towns: ['Guadalajara', 'Querétaro', 'Mérida', 'Zapopan', 'Torreón'],
  cultures: { latin_american: 88, spanish: 8, north_american: 4 },
}
const unitedKingdom: Country = {
  code: 'GB',
  name: 'United Kingdom',
  locale: 'en-GB',
  currency: 'GBP',
  unitsPerEuro: 0.85,
  payFactor: 1.1,
  towns: ['Leeds', 'Sheffield', 'Bristol', 'Cardiff', 'Aberdeen'],
  cultures: { english: 56, irish: 7, indian_latin: 11, polish: 8, yoruba: 7, arabic: 5, chinese: 3, romanian: 3 },
}
const ireland: Country = {
  code: 'IE',
  name: 'Ireland',
  locale: 'en-IE',
  currency: 'EUR',
  unitsPerEuro: 1,
  payFactor: 1.14,
  towns: ['Galway|Gaillimh', 'Cork|Corcaigh', 'Limerick|Luimneach', 'Waterford'],
  cultures: { irish: 64, english: 10, polish: 10, brazilian: 9, indian_latin: 7 },
}
const france: Country = {
  code: 'FR',
  name: 'France',
  locale: 'fr',
  currency: 'EUR',
  unitsPerEuro: 1,
  payFactor: 1,
  towns: ['Lyon', 'Saint-Étienne', 'Orléans', 'Nîmes', 'Besançon'],
  cultures: { french: 68, arabic: 12, portuguese: 8, italian: 5, vietnamese: 4, yoruba: 3 },
}
const unitedStates: Country = {
  code: 'US',
  name: 'United States',
  locale: 'en-US',
  currency: 'USD',
  unitsPerEuro: 1.1,
  payFactor: 1.45,
  towns: ['Milwaukee', 'Duluth', 'Tucson', 'Asheville', 'Spokane'],
  cultures: {
    north_american: 52,
    latin_american: 18,
    indian_latin: 9,
    chinese: 8,
    korean: 5,
    vietnamese: 4,
    yoruba: 4,
  },
}
const canada: Country = {
  code: 'CA',
  name: 'Canada',
  locale: 'fr-CA',
  currency: 'CAD',
  unitsPerEuro: 1.5,
  payFactor: 1.15,
  towns: ['Montréal', 'Québec', 'Trois-Rivières', 'Halifax', 'Guelph'],
  cultures: { french: 40, north_american: 28, arabic: 8, chinese: 8, indian_latin: 8, ukrainian: 8 },
}
const nigeria: Country = {
  code: 'NG',
  name: 'Nigeria',
  locale: 'en-NG',
  currency: 'NGN',
  unitsPerEuro: 1700,
  payFactor: 0.35,
  towns: ['Ìbàdàn', 'Abẹ́òkúta', 'Òṣogbo', 'Lagos'],
  cultures: { yoruba: 92, english: 8 },
}
const kenya: Country = {
  code: 'KE',
  name: 'Kenya',
  locale: 'sw',
  currency: 'KES',
  unitsPerEuro: 140,
  payFactor: 0.38,
  towns: ['Nairobi', 'Kisumu', 'Nakuru', 'Mombasa'],
  cultures: { swahili: 86, indian_latin: 8, arabic: 6 },
}
const turkey: Country = {
  code: 'TR',
  name: 'Türkiye',
  locale: 'tr',
  currency: 'TRY',
  unitsPerEuro: 45,
  payFactor: 0.45,
  towns: ['İzmir', 'Eskişehir', 'Çanakkale', 'Muğla'],
  cultures: { turkish: 90, arabic: 6, georgian: 4 },
}
const bulgaria: Country = {
  code: 'BG',
  name: 'Bulgaria',
  locale: 'bg',
  currency: 'EUR',
  unitsPerEuro: 1,
  payFactor: 0.55,
  towns: ['Plovdiv|Пловдив', 'Sofia|София', 'Varna|Варна', 'Ruse|Русе'],
  cultures: { bulgarian: 86, turkish: 6, greek: 4, ukrainian: 4 },
}
const thailand: Country = {
  code: 'TH',
  name: 'Thailand',
  locale: 'th',
  currency: 'THB',
  unitsPerEuro: 39,
  payFactor: 0.45,
  towns: ['Chiang Mai|เชียงใหม่', 'Khon Kaen|ขอนแก่น', 'Phuket|ภูเก็ต'],
  cultures: { thai: 92, chinese: 5, english: 3 },
}
const korea: Country = {
  code: 'KR',
  name: 'South Korea',
  locale: 'ko',
  currency: 'KRW',
  unitsPerEuro: 1500,
  payFactor: 0.95,
  towns: ['Busan|부산', 'Daegu|대구', 'Daejeon|대전', 'Jeonju|전주'],
  cultures: { korean: 94, chinese: 3, north_american: 3 },
}
const brazil: Country = {
  code: 'BR',
  name: 'Brazil',
  locale: 'pt-BR',
  currency: 'BRL',
  unitsPerEuro: 6,
  payFactor: 0.48,
  towns: ['São Paulo', 'Curitiba', 'Florianópolis', 'Belém', 'Goiânia'],
  cultures: { brazilian: 84, japanese: 6, italian: 5, arabic: 5 },
}
const sweden: Country = {
  code: 'SE',
  name: 'Sweden',
  locale: 'sv',
  currency: 'SEK',
  unitsPerEuro: 11.3,
  payFactor: 1.05,
  towns: ['Göteborg', 'Malmö', 'Örebro', 'Västerås', 'Umeå'],
  cultures: { swedish: 68, finnish: 8, arabic: 10, polish: 5, turkish: 4, romanian: 5 },
}
const indonesia: Country = {
  code: 'ID',
  name: 'Indonesia',
  locale: 'id',
  currency: 'IDR',
  unitsPerEuro: 17500,
  payFactor: 0.38,
  towns: ['Bandung', 'Yogyakarta', 'Surabaya', 'Makassar'],
  cultures: { indonesian: 94, chinese: 6 },
}
const hungary: Country = {
  code: 'HU',
  name: 'Hungary',
  locale: 'hu',
  currency: 'HUF',
  unitsPerEuro: 400,
  payFactor: 0.62,
  towns: ['Győr', 'Pécs', 'Szeged', 'Székesfehérvár'],
  cultures: { hungarian: 86, romanian: 6, ukrainian: 5, german: 3 },
}
const netherlands: Country = {
  code: 'NL',
  name: 'Netherlands',
  locale: 'nl',
  currency: 'EUR',
  unitsPerEuro: 1,
  payFactor: 1.1,
  towns: ['Utrecht', 'Groningen', 'Nijmegen', '’s-Hertogenbosch'],
  cultures: { dutch: 66, turkish: 9, arabic: 9, indonesian: 6, polish: 6, english: 4 },
}

/** Four offices for each organization, in the order of `organizations`. */
export const offices: readonly Office[] = [
  { city: 'Berlin', country: germany, weight: 26 },
  { city: 'Lisboa', country: portugal, weight: 16 },
  { city: 'Kraków', country: poland, weight: 14 },
  { city: 'Θεσσαλονίκη', country: greece, weight: 7 },
  { city: '大阪', country: japan, weight: 13 },
  { city: 'Melbourne', country: australia, weight: 10 },
  { city: 'Pune', country: india, weight: 9 },
  { city: 'Hà Nội', country: vietnam, weight: 5 },
  { city: 'València', country: spain, weight: 9 },
  { city: 'Guadalajara', country: mexico, weight: 8 },
  { city: 'Curitiba', country: brazil, weight: 7 },
  { city: 'Lyon', country: france, weight: 8 },
  { city: 'Leeds', country: unitedKingdom, weight: 10 },
  { city: 'Galway', country: ireland, weight: 5 },
  { city: 'Göteborg', country: sweden, weight: 6 },
  { city: 'Utrecht', country: netherlands, weight: 6 },
  { city: 'Milwaukee', country: unitedStates, weight: 11 },
  { city: 'Montréal', country: canada, weight: 8 },
  { city: 'Querétaro', country: mexico, weight: 5 },
  { city: 'Spokane', country: unitedStates, weight: 4 },
  { city: 'İzmir', country: turkey, weight: 7 },
  { city: 'Пловдив', country: bulgaria, weight: 5 },
  { city: 'Szeged', country: hungary, weight: 4 },
  { city: 'Αθήνα', country: greece, weight: 4 },
  { city: 'Kochi', country: india, weight: 8 },
  { city: 'เชียงใหม่', country: thailand, weight: 4 },
  { city: '부산', country: korea, weight: 5 },
  { city: 'Bandung', country: indonesia, weight: 5 },
  { city: 'Ìbàdàn', country: nigeria, weight: 5 },
  { city: 'Nairobi', country: kenya, weight: 5 },
  { city: 'Porto', country: portugal, weight: 4 },
  { city: 'Cardiff', country: unitedKingdom, weight: 4 },
]
export const OFFICES_PER_ORGANIZATION = 4

export function organizationOf(office: number): number {
  return Math.floor(office / OFFICES_PER_ORGANIZATION)
}

export function officeAt(index: number): Office {
  const office = offices[index]
  if (office === undefined) throw new RangeError(`there is no office ${index}`)
  return office
}

interface CultureMix {
  readonly cumulativeShares: readonly number[]
  readonly cultureIndexes: readonly number[]
}

const cultureMixes = new Map<Country, CultureMix>()

/** Picks a pool of names for a person from this country, and returns the index of the pool. */
export function cultureIn(country: Country, fraction: number): number {
  let mix = cultureMixes.get(country)
  if (mix === undefined) {
    mix = {
      cumulativeShares: cumulativeWeights(Object.values(country.cultures)),
      cultureIndexes: Object.keys(country.cultures).map((name) => cultures.indexOf(name)),
    }
    cultureMixes.set(country, mix)
  }
  return mix.cultureIndexes[pickWeighted(mix.cumulativeShares, fraction)] as number
}

/** Returns a town and its country, such as `Leeds, United Kingdom`. */
export function townIn(country: Country, fraction: number, localSpelling: boolean): string {
  const town = country.towns[Math.floor(fraction * country.towns.length)] as string
  const barIndex = town.indexOf('|')
  const name = barIndex < 0 ? town : localSpelling ? town.slice(barIndex + 1) : town.slice(0, barIndex)
  return `${name}, ${country.name}`
}
