/** Functions that a repository does not have yet, as tasks whose result is known. */
export interface Feature {
  readonly name: string;
  /** Task in one sentence, without the place of the file. */
  readonly task: string;
  /** Arguments and result, as source text. */
  readonly cases: readonly (readonly [args: string, result: string])[];
  /** Bodies, as an expression of the parameter `value`. */
  readonly stub: string;
  /** Right in some of the cases. */
  readonly half: string;
  readonly real: string;
}

export const FEATURES: readonly Feature[] = [
  {
    name: 'slugify',
    task: 'Add a function slugify(value) that returns the text in lower case, with each run of characters other than letters a to z and digits replaced by one hyphen, and no hyphen at either end.',
    cases: [
      ["'Hello World'", "'hello-world'"],
      ["'  Two   words '", "'two-words'"],
      ["'C++ & Rust!'", "'c-rust'"],
      ["'already-done'", "'already-done'"],
    ],
    stub: 'value',
    half: "value.toLowerCase().replaceAll(' ', '-')",
    real: "value.toLowerCase().replace(/[^\\da-z]+/g, '-').replace(/^-+|-+$/g, '')",
  },
  {
    name: 'initials',
    task: 'Add a function initials(value) that returns the first letter of each word of a text in upper case, joined without spaces; words are separated by any white space.',
    cases: [
      ["'ada lovelace'", "'AL'"],
      ["'  grace  brewster hopper '", "'GBH'"],
      ["''", "''"],
    ],
    stub: "''",
    half: 'value.charAt(0).toUpperCase()',
    real: "value.split(/\\s+/).filter((word) => word !== '').map((word) => word[0]?.toUpperCase()).join('')",
  },
  {
    name: 'countVowels',
    task: 'Add a function countVowels(value) that returns how many of the letters a, e, i, o and u a text contains, in either case.',
    cases: [
      ["'banana'", '3'],
      ["'UPPER Case'", '4'],
      ["'rhythm'", '0'],
    ],
    stub: '0',
    half: '(value.match(/[aeiou]/g) ?? []).length',
    real: '(value.match(/[aeiou]/gi) ?? []).length',
  },
  {
    name: 'truncateMiddle',
    task: 'Add a function truncateMiddle(value) that returns a text of at most 10 characters unchanged, and any longer one as its first 4 characters, three dots, and its last 3 characters.',
    cases: [
      ["'short'", "'short'"],
      ["'exactly10!'", "'exactly10!'"],
      ["'abcdefghijklmnop'", "'abcd...nop'"],
    ],
    stub: 'value',
    half: "value.slice(0, 4) + '...' + value.slice(-3)",
    real: "value.length <= 10 ? value : value.slice(0, 4) + '...' + value.slice(-3)",
  },
];

/** What an actor may do with a task. Only `real` does it. */
export const CONDUCTS = ['nothing', 'readme', 'stub', 'half', 'real'] as const;

export type Conduct = (typeof CONDUCTS)[number];
