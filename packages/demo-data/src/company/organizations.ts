export interface Brand {
  readonly name: string
  readonly slug: string
  readonly colors: readonly [string, string]
  /** Offices where this brand hires, as indexes from 0 to 3 of the four offices of its organization. */
  readonly offices: readonly number[]
}

export interface Organization {
  readonly name: string
  readonly slug: string
  readonly locale: string
  readonly timezone: string
  readonly brands: readonly Brand[]
}

/** The list `offices` in locations.ts has four consecutive entries for each organization, in the order of this list. */
export const organizations: readonly Organization[] = [
  {
    name: 'Norrgrund Kontor',
    slug: 'norrgrund-kontor',
    locale: 'en',
    timezone: 'Europe/Berlin',
    brands: [
      { name: 'Norrgrund', slug: 'norrgrund', colors: ['#12343b', '#e1b382'], offices: [0, 1, 2, 3] },
      { name: 'Fuchs & Fähre', slug: 'fuchs-und-faehre', colors: ['#7a1f1f', '#f2a65a'], offices: [0, 2] },
      { name: 'Azulejo Rotas', slug: 'azulejo-rotas', colors: ['#0b4f9c', '#f4d35e'], offices: [1] },
    ],
  },
  {
    name: '北波ロジスティクス Kitanami',
    slug: 'kitanami-logistics',
    locale: 'ja',
    timezone: 'Asia/Tokyo',
    brands: [
      { name: '北波 Kitanami', slug: 'kitanami', colors: ['#1b1b3a', '#e94f64'], offices: [0, 1, 2, 3] },
      { name: 'Wattlebird Freight', slug: 'wattlebird-freight', colors: ['#2f4b26', '#ffcf56'], offices: [1] },
      { name: 'Sen Trắng', slug: 'sen-trang', colors: ['#5b2a86', '#9ac6c5'], offices: [2, 3] },
    ],
  },
  {
    name: 'Grupo Vientoclaro',
    slug: 'grupo-vientoclaro',
    locale: 'es',
    timezone: 'Europe/Madrid',
    brands: [
      { name: 'Vientoclaro', slug: 'vientoclaro', colors: ['#8d2b0b', '#f6ae2d'], offices: [0, 1, 2, 3] },
      { name: 'Araucária Cargas', slug: 'araucaria-cargas', colors: ['#1d5c3f', '#e6e18f'], offices: [2] },
      { name: 'Petite Vitesse', slug: 'petite-vitesse', colors: ['#253d5b', '#e07a5f'], offices: [3] },
    ],
  },
  {
    name: 'Hathersedge & Vale',
    slug: 'hathersedge-vale',
    locale: 'en-GB',
    timezone: 'Europe/London',
    brands: [
      { name: 'Hathersedge', slug: 'hathersedge', colors: ['#243119', '#c9a227'], offices: [0, 1] },
      { name: 'Bergslag Frakt', slug: 'bergslag-frakt', colors: ['#004e64', '#ffa62b'], offices: [2, 3] },
    ],
  },
  {
    name: 'Quillmere Lakes',
    slug: 'quillmere-lakes',
    locale: 'en-US',
    timezone: 'America/Chicago',
    brands: [
      { name: 'Quillmere', slug: 'quillmere', colors: ['#22313f', '#f39c6b'], offices: [0, 2, 3] },
      { name: 'Érablière Express', slug: 'erabliere-express', colors: ['#9b2915', '#fef5ef'], offices: [1] },
    ],
  },
  {
    name: 'Üçdeniz Taşımacılık',
    slug: 'ucdeniz-tasimacilik',
    locale: 'tr',
    timezone: 'Europe/Istanbul',
    brands: [
      { name: 'Üçdeniz', slug: 'ucdeniz', colors: ['#0f4c5c', '#e36414'], offices: [0, 1, 2, 3] },
      { name: 'Розова Долина', slug: 'rozova-dolina', colors: ['#a4133c', '#ffe5ec'], offices: [1] },
    ],
  },
  {
    name: 'Malabar Loom',
    slug: 'malabar-loom',
    locale: 'en-IN',
    timezone: 'Asia/Kolkata',
    brands: [
      { name: 'Malabar Loom', slug: 'malabar', colors: ['#5f0f40', '#fb8b24'], offices: [0, 1, 3] },
      { name: '달빛', slug: 'dalbit', colors: ['#14213d', '#fca311'], offices: [2] },
    ],
  },
  {
    name: 'Savanna Quay',
    slug: 'savanna-quay',
    locale: 'en',
    timezone: 'Africa/Lagos',
    brands: [
      { name: 'Savanna Quay', slug: 'savanna-quay-hauliers', colors: ['#386641', '#f2e8cf'], offices: [0, 1, 2, 3] },
      { name: 'Cais Atlântico', slug: 'cais-atlantico', colors: ['#023047', '#8ecae6'], offices: [2, 3] },
    ],
  },
]
