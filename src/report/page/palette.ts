/** Colours for light and dark mode, `#rrggbb`. The style sheet uses them as `var(--name)`. */
export const PALETTE = {
  /** Backgrounds of page, cards and wells. */
  page: { light: '#f6f5f1', dark: '#0f1216' },
  card: { light: '#ffffff', dark: '#171b21' },
  well: { light: '#f1f0eb', dark: '#1e232b' },
  /** Decorative separators. */
  line: { light: '#dedcd3', dark: '#2d343e' },
  /** Borders of controls, and axes; contrast at least 3:1. */
  edge: { light: '#85826f', dark: '#77818f' },
  ink: { light: '#1d1f1c', dark: '#e8ebef' },
  soft: { light: '#5a5b53', dark: '#a3adb9' },
  link: { light: '#1f52b8', dark: '#8ab4ff' },
  good: { light: '#0b6e45', dark: '#57cf97' },
  goodWash: { light: '#e3f4ea', dark: '#12291f' },
  bad: { light: '#ae2012', dark: '#ff9388' },
  badWash: { light: '#fdeceb', dark: '#331a1a' },
  warn: { light: '#7d5200', dark: '#efbe66' },
  warnWash: { light: '#fdf2da', dark: '#2d2410' },
  /** Parts of the reward, one for each check. */
  part0: { light: '#3d5bd9', dark: '#7f9bff' },
  part1: { light: '#0e8577', dark: '#3fc4b2' },
  part2: { light: '#b4690e', dark: '#e6a04b' },
  part3: { light: '#a13a8a', dark: '#dd86c9' },
  part4: { light: '#5f6b7a', dark: '#9aa8ba' },
  part5: { light: '#7a5230', dark: '#c99d77' },
  /** Highlighted code. */
  codeWord: { light: '#8a1f6d', dark: '#f19adb' },
  codeText: { light: '#0a6640', dark: '#8fdcb4' },
  codeName: { light: '#1d4f9f', dark: '#9cc2ff' },
  codeNumber: { light: '#8a4b00', dark: '#f2bd78' },
  codeNote: { light: '#565952', dark: '#b2bcc7' },
  /** Lines of a diff, and the part of a line that changed. */
  plus: { light: '#e4f5e9', dark: '#13291e' },
  plusMark: { light: '#b9e6c8', dark: '#1b4730' },
  minus: { light: '#fdebea', dark: '#321b1c' },
  minusMark: { light: '#f8c9c5', dark: '#66282a' },
} as const satisfies Readonly<Record<string, { readonly light: string; readonly dark: string }>>;

/** Name of a colour. */
export type ColourName = keyof typeof PALETTE;

const TEXT: readonly ColourName[] = ['ink', 'soft'];
const CODE: readonly ColourName[] = ['ink', 'codeWord', 'codeText', 'codeName', 'codeNumber', 'codeNote'];

/** Combinations of colours with their minimum contrast (WCAG 2.2, 1.4.3 and 1.4.11: 4.5 for text, 3 for shapes). */
export const CONTRASTS: readonly (readonly [front: ColourName, back: ColourName, minContrast: number])[] = [
  ...(['page', 'card', 'well'] as const).flatMap((back) =>
    [...TEXT, 'link', 'good', 'bad', 'warn'].map((front) => [front as ColourName, back, 4.5] as const),
  ),
  ['good', 'goodWash', 4.5],
  ['bad', 'badWash', 4.5],
  ['warn', 'warnWash', 4.5],
  ...(['goodWash', 'badWash', 'warnWash'] as const).flatMap((back) =>
    TEXT.map((front) => [front, back, 4.5] as const),
  ),
  ...(['card', 'plus', 'minus', 'plusMark', 'minusMark'] as const).flatMap((back) =>
    CODE.map((front) => [front, back, 4.5] as const),
  ),
  ['soft', 'plus', 4.5],
  ['soft', 'minus', 4.5],
  ...(['part0', 'part1', 'part2', 'part3', 'part4', 'part5', 'edge'] as const).map(
    (front) => [front, 'card', 3] as const,
  ),
];

/** The palette as CSS custom properties; dark if the reader's system prefers it. */
export function paletteStyles(): string {
  const of = (mode: 'light' | 'dark'): string =>
    Object.entries(PALETTE)
      .map(([name, colour]) => `--${name}:${colour[mode]}`)
      .join(';');
  return `:root{color-scheme:light dark;${of('light')}}@media screen and (prefers-color-scheme:dark){:root{${of('dark')}}}`;
}
