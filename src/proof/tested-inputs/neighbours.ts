/** A value as `encodeValue` codes it. */
export type Coded = null | boolean | number | string | Readonly<Record<string, unknown>>;

/** Arguments that differ from recorded ones in one place. */
export interface Neighbour {
  /** By `encodeValue`. */
  readonly args: string;
  /** True if a number or text differs, false if the length of a list does. */
  readonly isLeaf: boolean;
  /** Number of the place that differs. */
  readonly place: number;
}

/** Places of an argument list that are changed, at most. */
const MAX_PLACES = 6;

/**
 * Arguments next to the given ones: each number and each text changed in several ways, also far away, and each list one
 * longer, one shorter and empty. `args` is the text that `encodeValue` made of an argument list.
 */
export function neighboursOf(args: string): Neighbour[] {
  const root = JSON.parse(args) as Coded;
  const leaves = placesIn(root, isLeaf).slice(0, MAX_PLACES);
  const lists = placesIn(root, isList).slice(1, MAX_PLACES);
  const made = [
    ...leaves.flatMap((path, place) =>
      otherLeaves(valueAt(root, path)).map((value) => ({ value, path, isLeaf: true, place })),
    ),
    ...lists.flatMap((path, at) =>
      otherLists(valueAt(root, path)).map((value) => ({
        value,
        path,
        isLeaf: false,
        place: leaves.length + at,
      })),
    ),
  ];
  const seen = new Set([args]);
  return made.flatMap(({ value, path, ...rest }) => {
    const text = JSON.stringify(withValue(root, path, value));
    if (seen.has(text)) return [];
    seen.add(text);
    return [{ ...rest, args: text }];
  });
}

/** Arguments in which every number and every text differs from the given ones, in several ways. Empty if there is none. */
export function farFrom(args: string): string[] {
  const root = JSON.parse(args) as Coded;
  const places = placesIn(root, isLeaf);
  if (places.length === 0) return [];
  return FAR.map((change) =>
    JSON.stringify(
      places.reduce<unknown>(
        (value, path, at) => withValue(value, path, change(valueAt(root, path) as number | string, at)),
        root,
      ),
    ),
  );
}

const FAR: readonly ((value: number | string, at: number) => number | string)[] = [
  (value, at) => (typeof value === 'number' ? value + 1 + at : `${value}x${at}`),
  (value, at) => (typeof value === 'number' ? value * 2 + 3 + at : `x${at}${value}`),
  (value, at) => (typeof value === 'number' ? value * 10 + 7 * at + 9 : `other${at}`),
  (value, at) => (typeof value === 'number' ? Math.abs(value) + 20 + 3 * at : `${value}${value}${at}`),
];

/** Many arguments next to the given ones: the first number or text with another end. Empty if there is none. */
export function manyNextTo(args: string, count: number): string[] {
  const root = JSON.parse(args) as Coded;
  const [path] = placesIn(root, isLeaf);
  if (path === undefined) return [];
  const value = valueAt(root, path) as number | string;
  return Array.from({ length: count }, (_, at) => {
    const other = typeof value === 'number' ? value + at + 1 : `${value}${at + 1}`;
    return JSON.stringify(withValue(root, path, other));
  });
}

/** The first numbers and texts of an argument list, each with what makes the list with another value in its place. */
export function leavesIn(
  args: string,
  most: number,
): {
  readonly value: number | string;
  readonly depth: number;
  readonly withOther: (value: Coded) => string;
}[] {
  const root = JSON.parse(args) as Coded;
  return placesIn(root, isLeaf)
    .slice(0, most)
    .map((path) => ({
      value: valueAt(root, path) as number | string,
      depth: path.filter((key) => key === 'a' || key === 'o').length,
      withOther: (value) => JSON.stringify(withValue(root, path, value)),
    }));
}

/** The numbers and texts in a coded value; not the names of properties. */
export function leavesOf(coded: string): (number | string)[] {
  const root = JSON.parse(coded) as Coded;
  return placesIn(root, isLeaf).map((path) => valueAt(root, path) as number | string);
}

type Path = readonly (string | number)[];

function isLeaf(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

function isList(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'a' in value;
}

/** Paths of the values that a predicate holds for, from the outside to the inside. */
function placesIn(value: unknown, holds: (value: unknown) => boolean, path: Path = []): Path[] {
  const own = holds(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return own;
  const { a, o } = value as { a?: unknown[]; o?: [string, unknown][] };
  const items = (a ?? []).flatMap((item, at) => placesIn(item, holds, [...path, 'a', at]));
  const properties = (o ?? []).flatMap(([, item], at) => placesIn(item, holds, [...path, 'o', at, 1]));
  return [...own, ...items, ...properties];
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce((value, key) => (value as Record<string | number, unknown>)[key], root);
}

function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = withValue((root as Record<string | number, unknown>)[key], rest, value);
  if (!Array.isArray(root)) return { ...(root as object), [key]: inner };
  return root.map((item: unknown, at) => (at === key ? inner : item));
}

function otherLeaves(value: unknown): (number | string)[] {
  if (typeof value === 'number')
    return [value + 1, value - 1, value * 2, value + 10, value * 10, value + 100, -value, 0]
      .filter((it) => it !== value)
      .map((it) => it + 0);
  const text = String(value);
  const counted = text.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
  return [`${text}x`, `x${text}`, text.slice(0, -1), text.slice(1), `${text} ${text}`, counted, 'other', ''];
}

function otherLists(value: unknown): unknown[] {
  const { a } = value as { a: unknown[] };
  return a.length === 0 ? [] : [{ a: [...a, a.at(-1)] }, { a: a.slice(0, -1) }, { a: [] }];
}
