/** An entry of a file of data that a change adds, or gives another value. */
export interface AddedEntry {
  /** Where it stands: keys from the outside to the inside, or the number of its line. */
  readonly path: readonly (string | number)[];
  /** The numbers and texts in its value; for a line, all that stands in it. */
  readonly cells: readonly string[];
  /** Its name and its value in one text. */
  readonly text: string;
}

/** Larger files are tables that something writes. */
const MAX_LENGTH = 500_000;
const MAX_ENTRIES = 2_000;

/** The entries of a JSON file, or the lines of another one, that the base does not have. `base` is undefined for a new file. */
export function addedEntries(file: string, text: string, base: string | undefined): AddedEntry[] {
  if (text.length > MAX_LENGTH || text.includes('\0')) return [];
  if (!isJson(file)) return addedLines(text, base ?? '');
  const now = parsed(text);
  return now === undefined ? [] : addedIn(now.value, parsed(base ?? '')?.value, []).slice(0, MAX_ENTRIES);
}

/** A file without the given entries: with the values of the base where it has some. Undefined where that cannot be written. */
export function withoutEntries(
  file: string,
  { text, base }: { readonly text: string; readonly base: string | undefined },
  entries: readonly AddedEntry[],
): string | undefined {
  if (!isJson(file)) {
    const left = new Set(entries.map(({ path: [line] }) => line));
    const lines = text.split('\n').filter((_, at) => !left.has(at));
    return lines.join('\n');
  }
  const now = parsed(text);
  if (now === undefined) return undefined;
  const before = parsed(base ?? '')?.value;
  // From the end of each list, so that the numbers of the others stay right.
  const ordered = entries.toSorted((a, b) => Number(b.path.at(-1)) - Number(a.path.at(-1)));
  return JSON.stringify(ordered.reduce((value, { path }) => without(value, before, path), now.value));
}

/** The numbers and words in a text, each number in its shortest form. */
export function cellsOf(text: string): string[] {
  const whole = text.trim();
  const parts = whole.match(/\d+(\.\d+)?|[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  const quoted = [...whole.matchAll(/(["'])(.*?)\1/g)].map(([, , inner]) => inner!);
  const columns = whole.split(/\s*[,;\t|=:]\s*/);
  return [whole, ...columns, ...quoted, ...parts].map(shortest);
}

function isJson(file: string): boolean {
  return /\.(json|webmanifest|geojson)$/i.test(file);
}

function shortest(text: string): string {
  return /^\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text;
}

function addedLines(text: string, base: string): AddedEntry[] {
  const known = new Set(base.split('\n'));
  return text
    .split('\n')
    .flatMap((line, at) =>
      known.has(line) || line.trim() === '' ? [] : [{ path: [at], cells: cellsOf(line), text: line }],
    )
    .slice(0, MAX_ENTRIES);
}

type Tree = Readonly<Record<string, unknown>>;

/** The innermost entries, and lists and objects of single values as a whole. */
function addedIn(now: unknown, before: unknown, path: AddedEntry['path']): AddedEntry[] {
  if (JSON.stringify(now) === JSON.stringify(before)) return [];
  const own = path.length === 0 ? [] : [entryAt(now, path)];
  if (!isTree(now)) return own;
  const known = isTree(before) && Array.isArray(before) === Array.isArray(now) ? before : {};
  const isKnownItem = itemsOf(now, known);
  const inner = Object.keys(now).flatMap((key) => {
    if (isKnownItem(now[key])) return [];
    const value = Object.hasOwn(known, key) && !Array.isArray(now) ? known[key] : undefined;
    return addedIn(now[key], value, [...path, Array.isArray(now) ? Number(key) : key]);
  });
  return Object.values(now).some(isTree) ? inner : [...own, ...inner];
}

/** Items of a list are the same wherever they stand in it. */
function itemsOf(now: Tree, known: Tree): (item: unknown) => boolean {
  if (!Array.isArray(now) || !Array.isArray(known)) return () => false;
  const items = new Set(known.map((item) => JSON.stringify(item)));
  return (item) => items.has(JSON.stringify(item));
}

function entryAt(value: unknown, path: AddedEntry['path']): AddedEntry {
  const text = JSON.stringify(value);
  const leaves = isTree(value) ? Object.values(value).map(String) : [String(value)];
  return { path, cells: leaves.flatMap(cellsOf), text: `${path.join(' ')} ${text}` };
}

function without(value: unknown, before: unknown, [key, ...rest]: AddedEntry['path']): unknown {
  if (!isTree(value) || key === undefined || !Object.hasOwn(value, key)) return value;
  const known = isTree(before) && Object.hasOwn(before, key) ? { value: before[key] } : undefined;
  if (Array.isArray(value))
    return rest.length === 0
      ? value.filter((_, at) => at !== key)
      : value.map((item: unknown, at) => (at === key ? without(item, known?.value, rest) : item));
  if (rest.length > 0) return { ...value, [key]: without(value[key], known?.value, rest) };
  if (known !== undefined) return { ...value, [key]: known.value };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
