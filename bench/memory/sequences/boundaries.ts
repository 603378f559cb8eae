import type { Sequence } from '../sequence.ts';

/** A catalogue with boundaries that are off by one, and two bugs of other kinds. */
export const boundaries: Sequence = {
  name: 'boundaries',
  slips: [
    {
      module: 'page',
      right: 'index < end',
      wrong: 'index <= end',
      source: `/** Entries of a page; pages count from 1. */
export function page(entries, number, size) {
  const start = (number - 1) * size;
  const end = Math.min(start + size, entries.length);
  const shown = [];
  for (let index = start; index < end; index++) {
    shown.push(entries[index]);
  }
  return shown;
}

export function pageCount(entries, size) {
  return Math.ceil(entries.length / size);
}
`,
      cases: [
        ['page([1, 2, 3, 4, 5], 1, 2)', '[1, 2]'],
        ['page([1, 2, 3, 4, 5], 2, 2)', '[3, 4]'],
        ['page([1, 2, 3], 2, 2)', '[3]'],
        ['pageCount([1, 2, 3], 2)', '2'],
      ],
    },
    {
      module: 'discount',
      right: 'quantity >= tier.from',
      wrong: 'quantity > tier.from',
      source: `const TIERS = [
  { from: 100, percent: 20 },
  { from: 50, percent: 10 },
  { from: 10, percent: 5 },
];

/** Percent off for a quantity. */
export function discountFor(quantity) {
  for (const tier of TIERS) {
    if (quantity >= tier.from) return tier.percent;
  }
  return 0;
}

export function priceFor(quantity, unitPrice) {
  const full = quantity * unitPrice;
  return full - (full * discountFor(quantity)) / 100;
}
`,
      cases: [
        ['discountFor(120)', '20'],
        ['discountFor(100)', '20'],
        ['discountFor(10)', '5'],
        ['discountFor(9)', '0'],
        ['priceFor(50, 2)', '90'],
      ],
    },
    {
      module: 'ranges',
      right: 'value < range.to',
      wrong: 'value <= range.to',
      source: `/** The first half-open range that holds a value. */
export function rangeOf(ranges, value) {
  for (const range of ranges) {
    if (value >= range.from && value < range.to) return range.name;
  }
  return null;
}

export function widths(ranges) {
  return ranges.map((range) => range.to - range.from);
}
`,
      cases: [
        ["rangeOf([{ name: 'low', from: 0, to: 10 }, { name: 'high', from: 10, to: 20 }], 3)", "'low'"],
        ["rangeOf([{ name: 'low', from: 0, to: 10 }, { name: 'high', from: 10, to: 20 }], 10)", "'high'"],
        ["rangeOf([{ name: 'low', from: 0, to: 10 }], 10)", 'null'],
        ['widths([{ from: 2, to: 5 }])', '[3]'],
      ],
    },
    {
      module: 'window',
      right: 'start <= values.length - size',
      wrong: 'start < values.length - size',
      source: `/** Sums of each run of neighbours. */
export function windowSums(values, size) {
  const sums = [];
  for (let start = 0; start <= values.length - size; start++) {
    let sum = 0;
    for (let offset = 0; offset < size; offset++) {
      sum += values[start + offset];
    }
    sums.push(sum);
  }
  return sums;
}

export function largestWindow(values, size) {
  return Math.max(...windowSums(values, size));
}
`,
      cases: [
        ['windowSums([1, 2, 3, 4], 2)', '[3, 5, 7]'],
        ['windowSums([5, 1], 2)', '[6]'],
        ['windowSums([4, 2, 9], 1)', '[4, 2, 9]'],
        ['largestWindow([1, 5, 1], 1)', '5'],
      ],
    },
    {
      module: 'title',
      right: 'word[0].toUpperCase()',
      wrong: 'word[1].toUpperCase()',
      source: `const SMALL = new Set(['a', 'an', 'of', 'the']);

/** Words of a title with capitals, small ones without. */
export function titleCase(text) {
  return text
    .split(' ')
    .map((word) => (SMALL.has(word) ? word : word[0].toUpperCase() + word.slice(1)))
    .join(' ');
}
`,
      cases: [
        ["titleCase('tools of trade')", "'Tools of Trade'"],
        ["titleCase('ladder')", "'Ladder'"],
        ["titleCase('the')", "'the'"],
      ],
    },
    {
      module: 'stock',
      right: 'onHand >= ordered',
      wrong: 'onHand > ordered',
      source: `/** Which lines of an order can be sent at once. */
export function sendable(lines, stock) {
  return lines.filter(({ article, ordered }) => {
    const onHand = stock[article] ?? 0;
    return onHand >= ordered;
  });
}

export function missing(lines, stock) {
  const able = new Set(sendable(lines, stock));
  return lines.filter((line) => !able.has(line)).map(({ article }) => article);
}
`,
      cases: [
        ["sendable([{ article: 'a', ordered: 2 }], { a: 2 }).length", '1'],
        ["sendable([{ article: 'a', ordered: 3 }], { a: 2 }).length", '0'],
        ["missing([{ article: 'a', ordered: 1 }, { article: 'b', ordered: 1 }], { a: 1 })", "['b']"],
      ],
    },
    {
      module: 'truncate',
      right: 'text.length <= limit',
      wrong: 'text.length < limit',
      source: `/** A text of at most so many characters, with an ellipsis where it was cut. */
export function truncate(text, limit) {
  if (text.length <= limit) return text;
  return text.slice(0, limit - 1) + '…';
}

export function truncateAll(texts, limit) {
  return texts.map((text) => truncate(text, limit));
}
`,
      cases: [
        ["truncate('hammer', 6)", "'hammer'"],
        ["truncate('hammer', 5)", "'hamm…'"],
        ["truncate('saw', 5)", "'saw'"],
        ["truncateAll(['nails', 'screws'], 5)", "['nails', 'scre…']"],
      ],
    },
    {
      module: 'rating',
      right: 'total / ratings.length',
      wrong: 'total / (ratings.length - 1)',
      source: `/** Mean of the ratings with one digit; 0 without any. */
export function averageRating(ratings) {
  if (ratings.length === 0) return 0;
  let total = 0;
  for (const rating of ratings) total += rating;
  return Math.round((total / ratings.length) * 10) / 10;
}

export function stars(ratings) {
  return '★'.repeat(Math.round(averageRating(ratings)));
}
`,
      cases: [
        ['averageRating([])', '0'],
        ['averageRating([4, 5, 3])', '4'],
        ['averageRating([5, 4])', '4.5'],
        ['stars([3, 3])', "'★★★'"],
      ],
    },
    {
      module: 'binary-search',
      right: 'low <= high',
      wrong: 'low < high',
      source: `/** Place of a value in sorted values; -1 where it is not there. */
export function placeOf(values, wanted) {
  let low = 0;
  let high = values.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (values[middle] === wanted) return middle;
    if (values[middle] < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
`,
      cases: [
        ['placeOf([1, 3, 5, 7], 3)', '1'],
        ['placeOf([1, 3, 5, 7], 7)', '3'],
        ['placeOf([4], 4)', '0'],
        ['placeOf([1, 3], 2)', '-1'],
      ],
    },
    {
      module: 'opening',
      right: 'hour >= opens && hour < closes',
      wrong: 'hour > opens && hour < closes',
      source: `/** Whether a shop is open in an hour of the day; it may close after midnight. */
export function isOpen(hour, { opens, closes }) {
  if (opens < closes) return hour >= opens && hour < closes;
  return hour >= opens || hour < closes;
}

export function openHours({ opens, closes }) {
  return (closes - opens + 24) % 24;
}
`,
      cases: [
        ['isOpen(9, { opens: 9, closes: 17 })', 'true'],
        ['isOpen(17, { opens: 9, closes: 17 })', 'false'],
        ['isOpen(8, { opens: 9, closes: 17 })', 'false'],
        ['openHours({ opens: 20, closes: 2 })', '6'],
      ],
    },
  ],
};
