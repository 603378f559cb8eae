import type { Sequence } from '../sequence.ts';

/** A reporting tool with wrong constants, and two bugs of other kinds. */
export const constants: Sequence = {
  name: 'constants',
  slips: [
    {
      module: 'sum',
      right: 'let total = 0',
      wrong: 'let total = 1',
      source: `/** Sum of a column. */
export function columnSum(rows, column) {
  let total = 0;
  for (const row of rows) total += row[column];
  return total;
}

export function isBalanced(rows) {
  return columnSum(rows, 'debit') === columnSum(rows, 'credit');
}
`,
      cases: [
        ["columnSum([{ a: 1 }, { a: 2 }], 'a')", '3'],
        ["columnSum([], 'a')", '0'],
        ['isBalanced([{ debit: 2, credit: 2 }])', 'true'],
      ],
    },
    {
      module: 'words',
      right: 'let count = 0',
      wrong: 'let count = 1',
      source: `/** How many words a text has. */
export function wordCount(text) {
  let count = 0;
  for (const part of text.split(/\\s+/)) {
    if (part !== '') count += 1;
  }
  return count;
}

export function readingMinutes(text) {
  return Math.ceil(wordCount(text) / 200);
}
`,
      cases: [
        ["wordCount('two words')", '2'],
        ["wordCount('')", '0'],
        ["readingMinutes('one')", '1'],
      ],
    },
    {
      module: 'product',
      right: 'let product = 1',
      wrong: 'let product = 0',
      source: `/** Growth over several years, each a factor. */
export function growth(factors) {
  let product = 1;
  for (const factor of factors) product *= factor;
  return product;
}

export function hasShrunk(factors) {
  return growth(factors) < 1;
}
`,
      cases: [
        ['growth([2, 3])', '6'],
        ['growth([])', '1'],
        ['hasShrunk([0.5])', 'true'],
      ],
    },
    {
      module: 'median',
      right: 'sorted.length % 2 === 1',
      wrong: 'sorted.length % 2 === 0',
      source: `/** The middle of the values; the mean of two middle ones. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}
`,
      cases: [
        ['median([3, 1, 2])', '2'],
        ['median([4, 1])', '2.5'],
        ['median([7])', '7'],
      ],
    },
    {
      module: 'streak',
      right: 'let longest = 0',
      wrong: 'let longest = 1',
      source: `/** The longest run of days on which something happened. */
export function longestStreak(days) {
  let longest = 0;
  let current = 0;
  for (const happened of days) {
    current = happened ? current + 1 : 0;
    if (current > longest) longest = current;
  }
  return longest;
}
`,
      cases: [
        ['longestStreak([true, true, false, true])', '2'],
        ['longestStreak([false, false])', '0'],
        ['longestStreak([])', '0'],
      ],
    },
    {
      module: 'histogram',
      right: '(counts[value] ?? 0) + 1',
      wrong: '(counts[value] ?? 1) + 1',
      source: `/** How often each value occurs. */
export function histogram(values) {
  const counts = {};
  for (const value of values) {
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

export function distinct(values) {
  return Object.keys(histogram(values)).length;
}
`,
      cases: [
        ["histogram(['a', 'b', 'a'])", '{ a: 2, b: 1 }'],
        ['histogram([])', '{}'],
        ["distinct(['x', 'x'])", '1'],
      ],
    },
    {
      module: 'depth',
      right: 'depthOf(child, level + 1)',
      wrong: 'depthOf(child, level)',
      source: `/** How deep a tree of topics goes; 1 for one without children. */
export function depthOf(topic, level = 1) {
  const below = topic.children.map((child) => depthOf(child, level + 1));
  return Math.max(level, ...below);
}

export function isFlat(topic) {
  return depthOf(topic) < 3;
}
`,
      cases: [
        ['depthOf({ children: [] })', '1'],
        ['depthOf({ children: [{ children: [{ children: [] }] }] })', '3'],
        ['isFlat({ children: [] })', 'true'],
      ],
    },
    {
      module: 'errors-in-log',
      right: 'let errors = 0',
      wrong: 'let errors = 1',
      source: `/** Share of the lines of a log that are errors; 0 for an empty one. */
export function errorShare(lines) {
  let errors = 0;
  for (const line of lines) {
    if (line.startsWith('ERROR')) errors++;
  }
  return lines.length === 0 ? 0 : errors / lines.length;
}
`,
      cases: [
        ["errorShare(['ERROR a', 'ok', 'ok', 'ok'])", '0.25'],
        ["errorShare(['ok'])", '0'],
        ['errorShare([])', '0'],
      ],
    },
    {
      module: 'first-row',
      right: 'lines[0].split',
      wrong: 'lines[1].split',
      source: `/** Columns of a table in text, by its first line. */
export function columnsOf(text) {
  const lines = text.split('|');
  return lines[0].split(',').map((name) => name.trim());
}

export function hasColumn(text, name) {
  return columnsOf(text).includes(name);
}
`,
      cases: [
        ["columnsOf('a, b|1,2')", "['a', 'b']"],
        ["hasColumn('a,b|c,d', 'a')", 'true'],
        ["hasColumn('a,b|c,d', 'c')", 'false'],
      ],
    },
    {
      module: 'points',
      right: 'let points = 0',
      wrong: 'let points = 1',
      source: `const WORTH = { win: 3, draw: 1, loss: 0 };

/** Points of a season. */
export function seasonPoints(results) {
  let points = 0;
  for (const result of results) points += WORTH[result];
  return points;
}

export function isChampion(results, others) {
  return others.every((other) => seasonPoints(other) < seasonPoints(results));
}
`,
      cases: [
        ["seasonPoints(['win', 'draw', 'loss'])", '4'],
        ['seasonPoints([])', '0'],
        ["isChampion(['win'], [['draw']])", 'true'],
      ],
    },
  ],
};
