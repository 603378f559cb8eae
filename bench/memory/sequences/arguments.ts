import type { Sequence } from '../sequence.ts';

/** A drawing library with swapped arguments, and two bugs of other kinds. */
export const swappedArguments: Sequence = {
  name: 'arguments',
  slips: [
    {
      module: 'box',
      right: 'createBox(width, height)',
      wrong: 'createBox(height, width)',
      source: `export function createBox(across, down) {
  return { width: across, height: down };
}

/** A box that is a bit larger on each side. */
export function padded(box, margin) {
  const width = box.width + 2 * margin;
  const height = box.height + 2 * margin;
  return createBox(width, height);
}
`,
      cases: [
        ['padded({ width: 4, height: 2 }, 1)', '{ width: 6, height: 4 }'],
        ['padded({ width: 1, height: 1 }, 0)', '{ width: 1, height: 1 }'],
        ['createBox(3, 4).width', '3'],
      ],
    },
    {
      module: 'place',
      right: 'pointAt(column * step, row * step)',
      wrong: 'pointAt(row * step, column * step)',
      source: `export function pointAt(x, y) {
  return { x, y };
}

/** Where the cell of a grid begins. */
export function cellOrigin({ row, column }, step) {
  return pointAt(column * step, row * step);
}
`,
      cases: [
        ['cellOrigin({ row: 1, column: 2 }, 10)', '{ x: 20, y: 10 }'],
        ['cellOrigin({ row: 0, column: 0 }, 10)', '{ x: 0, y: 0 }'],
        ['pointAt(1, 2).y', '2'],
      ],
    },
    {
      module: 'lines',
      right: 'slope(from, to)',
      wrong: 'slope(to, from)',
      source: `/** Rise from one point to another. */
export function slope(first, second) {
  return second.y - first.y;
}

export function direction(from, to) {
  const rise = slope(from, to);
  if (rise === 0) return 'level';
  return rise > 0 ? 'down' : 'up';
}
`,
      cases: [
        ['direction({ y: 0 }, { y: 5 })', "'down'"],
        ['direction({ y: 5 }, { y: 0 })', "'up'"],
        ['direction({ y: 5 }, { y: 5 })', "'level'"],
        ['slope({ y: 1 }, { y: 4 })', '3'],
      ],
    },
    {
      module: 'colours',
      right: "padStart(2, '0')",
      wrong: "padStart(1, '0')",
      source: `/** Two hexadecimal digits of a channel, 0 to 255. */
export function channel(value) {
  return value.toString(16).padStart(2, '0');
}

export function hex(red, green, blue) {
  return '#' + [red, green, blue].map(channel).join('');
}
`,
      cases: [
        ['channel(255)', "'ff'"],
        ['channel(7)', "'07'"],
        ['hex(0, 128, 255)', "'#0080ff'"],
      ],
    },
    {
      module: 'scale',
      right: 'ratio(wanted, own)',
      wrong: 'ratio(own, wanted)',
      source: `export function ratio(part, whole) {
  return whole === 0 ? 0 : part / whole;
}

/** How much a picture must grow to be as wide as wanted. */
export function growth(picture, wanted) {
  const own = picture.width;
  return ratio(wanted, own);
}
`,
      cases: [
        ['growth({ width: 2 }, 8)', '4'],
        ['growth({ width: 0 }, 8)', '0'],
        ['ratio(1, 4)', '0.25'],
      ],
    },
    {
      module: 'blend',
      right: 'mix(background, foreground, opacity)',
      wrong: 'mix(foreground, background, opacity)',
      source: `/** Between two values: 0 is the first, 1 the second. */
export function mix(first, second, share) {
  return first + (second - first) * share;
}

export function blended(background, foreground, opacity) {
  const value = mix(background, foreground, opacity);
  return Math.round(value);
}
`,
      cases: [
        ['blended(0, 100, 0.2)', '20'],
        ['blended(10, 20, 1)', '20'],
        ['mix(0, 10, 0.5)', '5'],
      ],
    },
    {
      module: 'layers',
      right: 'a.depth - b.depth',
      wrong: 'a.depth + b.depth',
      source: `/** Layers from the back to the front. */
export function backToFront(layers) {
  return [...layers].sort((a, b) => a.depth - b.depth);
}

export function top(layers) {
  return backToFront(layers).at(-1)?.name;
}
`,
      cases: [
        ['backToFront([{ depth: 3 }, { depth: 1 }, { depth: 2 }]).map(({ depth }) => depth)', '[1, 2, 3]'],
        ["top([{ name: 'a', depth: 9 }, { name: 'b', depth: 1 }])", "'a'"],
        ['top([])', 'undefined'],
      ],
    },
    {
      module: 'crop',
      right: 'clampTo(value, low, high)',
      wrong: 'clampTo(value, high, low)',
      source: `function clampTo(number, least, most) {
  return Math.min(most, Math.max(least, number));
}

/** Values that do not leave their limits. */
export function cropped(values, [low, high]) {
  return values.map((value) => clampTo(value, low, high));
}
`,
      cases: [
        ['cropped([-5, 5, 50], [0, 10])', '[0, 5, 10]'],
        ['cropped([], [0, 10])', '[]'],
        ['cropped([3], [3, 3])', '[3]'],
      ],
    },
    {
      module: 'labels',
      right: 'joined(prefix, name)',
      wrong: 'joined(name, prefix)',
      source: `function joined(head, tail) {
  return head === '' ? tail : head + '-' + tail;
}

/** Labels of shapes below a prefix. */
export function labelsOf(shapes, prefix) {
  return shapes.map(({ name }) => joined(prefix, name));
}
`,
      cases: [
        ["labelsOf([{ name: 'box' }, { name: 'arc' }], 'map')", "['map-box', 'map-arc']"],
        ["labelsOf([], 'map')", '[]'],
      ],
    },
    {
      module: 'overlap',
      right: 'begins(second, first)',
      wrong: 'begins(first, second)',
      source: `/** Whether a span begins within another one. */
export function begins(inner, outer) {
  return inner.from >= outer.from && inner.from < outer.to;
}

export function follows(first, second) {
  return begins(second, first) && second.to > first.to;
}
`,
      cases: [
        ['follows({ from: 0, to: 5 }, { from: 3, to: 9 })', 'true'],
        ['follows({ from: 3, to: 9 }, { from: 0, to: 5 })', 'false'],
        ['begins({ from: 1 }, { from: 0, to: 2 })', 'true'],
      ],
    },
  ],
};
