/** A value of a JSON file that a change sets anew or takes out, put back. */
export interface ExchangedEntry {
  /** The file with the value of the base. */
  readonly text: string;
  /** The key of the outermost value that holds it. */
  readonly key: string;
  /** 1-based line of the value in the result; where it was taken out, of the nearest one that holds it. */
  readonly line: number;
  /** The value that the change takes out; absent if it sets another one. */
  readonly removed?: string;
}

/** Larger changes are of a list that something writes. */
const MAX_ENTRIES = 20;

/** Undefined unless both texts are JSON. Added values are none, and a list of another length is one value. */
export function exchangedEntries(base: string, text: string): ExchangedEntry[] | undefined {
  const [before, now] = [parsed(base), parsed(text)];
  if (before === undefined || now === undefined) return undefined;
  const paths = differing(before.value, now.value, []);
  if (paths.length > MAX_ENTRIES) return [];
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '';
  return paths.map((path) => {
    const value = valueAt(before.value, path);
    const key = String(path.at(-1));
    const isGone = !hasAt(now.value, path);
    return {
      text: `${JSON.stringify(withValue(now.value, path, value), null, indent)}\n`,
      key: String(path[0] ?? ''),
      line: lineOf(text, path),
      ...(isGone && { removed: `${JSON.stringify(key)}: ${JSON.stringify(value)}` }),
    };
  });
}

type Path = readonly (string | number)[];

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Where the base has a value that the result does not have there. */
function differing(before: unknown, now: unknown, path: Path): Path[] {
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  if (!isTree(before) || !isTree(now) || Array.isArray(before) !== Array.isArray(now)) return [path];
  if (Array.isArray(before) && Array.isArray(now) && before.length !== now.length) return [path];
  return Object.keys(before).flatMap((key) => {
    const at = [...path, Array.isArray(before) ? Number(key) : key];
    return Object.hasOwn(now, key) ? differing(before[key], now[key], at) : [at];
  });
}

type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((at: unknown, key) => (at as Tree)[key], value);
}

function hasAt(value: unknown, path: Path): boolean {
  const holder = valueAt(value, path.slice(0, -1));
  return path.length === 0 || (isTree(holder) && Object.hasOwn(holder, path.at(-1)!));
}

function withValue(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put;
  const inner = withValue((value as Tree)[key], rest, put);
  if (Array.isArray(value)) return value.map((it: unknown, at) => (at === key ? inner : it));
  return { ...(value as Tree), [key]: inner };
}

function lineOf(text: string, path: Path): number {
  let at = 0;
  for (const key of path.filter((it) => typeof it === 'string')) {
    const found = text.indexOf(`${JSON.stringify(key)}`, at);
    if (found !== -1) at = found;
  }
  return text.slice(0, at).split('\n').length;
}
