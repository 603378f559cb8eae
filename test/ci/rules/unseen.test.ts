import { expect, test } from 'vitest';
import { problemOfUnseen } from '../../../src/ci/rules/unseen.ts';

const TOTAL = 'export const total = (lines) => lines.length;\n';

/** What is said of a text that is added to a source. */
function said(added: string, { path = 'src/cart.js', before = TOTAL } = {}): string | undefined {
  return problemOfUnseen({ path, before, after: `${before}${added}\n` });
}

test.each([
  ['text in another order', '/* \u202E } \u2066if (admin)\u2069 */', 'U+202E'],
  ['tags', `// ${String.fromCodePoint(0xe0069, 0xe0067)}`, 'U+E0069'],
  ['a text of variation selectors', 'const h = "\uFE06\uFE01\uFE0F";', 'U+FE06'],
  ['a selector that follows a letter', 'const h = "a\uFE0F";', 'U+FE0F'],
  ['a character without a width', 'const key = "ad\u200Bmin";', 'U+200B'],
  ['a joiner between Latin letters', 'const key = "ad\u200Dmin";', 'U+200D'],
  ['a name of nothing', 'const { \u3164 } = total;', 'U+3164'],
  ['a colour of a terminal', '// \u001B[8m', 'U+001B'],
  ['a line that overwrites itself', '// open \rharmless', 'U+000D'],
  ['a zero', '// \0', 'U+0000'],
  ['a Cyrillic letter in a name', 'export const t\u043Etal = () => 0;', 'reads like "total" but has U+043E'],
  ['a name of Cyrillic letters alone', 'const \u0455\u0441\u043E\u0440\u0435 = 1;', 'reads like "scope"'],
  ['a wide letter in a name', 'const \uFF54otal = 1;', 'reads like "total"'],
  ['such a member', 'total.l\u0435ngth = 1;', 'reads like "length"'],
  ['a letter like a sign', 'if (environment\u01C3=1) total();', 'U+01C3 looks like a sign'],
  ['a Cyrillic letter in a host', "const host = 'https://g\u0456thub.com';", 'reads like "github"'],
  ['code behind blanks', `total();${' '.repeat(90)}open();`, 'text behind many blanks'],
  ['code in a long line', `total(${'1, '.repeat(400)}open());`, 'text behind 1,000 other characters'],
])('%s needs --allow', (_, added, text) => {
  const problem = said(added);
  expect(problem).toContain('changes "src/cart.js" so that line 2 has ');
  expect(problem).toContain(text);
  expect(problem).toContain('; --allow "src/cart.js" permits it');
  // As the file had it.
  expect(
    said(`${added}${text.startsWith('text behind') ? '\n' : ''}// again`, { before: `${TOTAL}${added}\n` }),
  ).toBeUndefined();
});

test.each([
  ['blanks in front', `${' '.repeat(200)}total();   // aligned`],
  ['umlauts', 'const größe = "naïve café, 2 m², 3º, nº1"; // Größe'],
  [
    'other scripts',
    'const 価格 = "全角ＡＢＣ"; const get価格 = 1; const Δt = 1; const цена = "Скидка с 1 по 5";',
  ],
  ['a class of letters', 'const cyrillic = /[a-zа-яA-ZА-ЯёЁa-z]/;'],
  ['emoji', 'const faces = "✔️ 1️⃣ 👩🏽‍💻 🏳️‍🌈 👩‍❤️‍👨";'],
  ['letters that are kept apart', 'const text = "می‌خواهم क्‍ष";'],
  ['a unit', 'const text = "5 µm, 3 μs, 2 kΩ";'],
  ['lines that end as on Windows', 'const a = 1;\r\nconst b = 2;\r'],
])('%s need none', (_, added) => {
  expect(said(added)).toBeUndefined();
});

test('a mark at the start of a file that had none needs --allow', () => {
  const marked = (before: string | undefined): string | undefined =>
    problemOfUnseen({ path: 'src/cart.js', before, after: `\uFEFF${TOTAL}` });
  expect(marked(TOTAL)).toContain('line 1 has the character U+FEFF, which is not seen');
  expect(marked(undefined)).toContain('U+FEFF');
  expect(marked(`\uFEFF${TOTAL}// as it was\n`)).toBeUndefined();
});

test('files of all kinds are read, but not those that are no text', () => {
  expect(said('see g\u0456thub', { path: 'README.md', before: '# Shop\n' })).toContain('reads like "github"');
  expect(said('Скидка с 1 по 5', { path: 'README.md', before: '# Shop\n' })).toBeUndefined();
  expect(problemOfUnseen({ path: 'a.txt', before: undefined, after: 'a\uFEFF' })).toContain('U+FEFF');
  expect(problemOfUnseen({ path: 'a.png', before: undefined, after: '\x89PNG\0\u202E' })).toBeUndefined();
});
