/** Where a place of a generated file comes from: an entry of the map's `sources`, and a 1-based line. */
export interface OriginalPlace {
  readonly source: string;
  readonly line: number;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The place in the source of a place in a generated file, by its source map of version 3; of a line without a column that of its
 * first mapped code. Line and column are 1-based. Undefined where the map does not say, or is none.
 */
export function originalPlace(map: string, line: number, column = Infinity): OriginalPlace | undefined {
  const read = parseMap(map);
  const segments = read?.mappings.split(';', line);
  if (read === undefined || segments?.length !== line) return undefined;
  let [source, sourceLine] = [0, 0];
  let found: OriginalPlace | undefined;
  for (const [index, text] of segments.entries()) {
    let at = 0;
    for (const segment of text === '' ? [] : text.split(',')) {
      const [columns = 0, sources, lines] = numbersIn(segment);
      at += columns;
      if (sources === undefined || lines === undefined) continue;
      source += sources;
      sourceLine += lines;
      if (index < line - 1) continue;
      const isFirst = found === undefined;
      if (!isFirst && (column === Infinity || at >= column)) return found;
      found = { source: `${read.root}${read.sources[source] ?? ''}`, line: sourceLine + 1 };
    }
  }
  return found;
}

function parseMap(
  text: string,
): { readonly mappings: string; readonly sources: readonly string[]; readonly root: string } | undefined {
  try {
    const map = JSON.parse(text) as { mappings?: unknown; sources?: unknown; sourceRoot?: unknown } | null;
    const { mappings, sources, sourceRoot } = map ?? {};
    if (typeof mappings !== 'string' || !Array.isArray(sources)) return undefined;
    const root =
      typeof sourceRoot === 'string' && sourceRoot !== '' ? `${sourceRoot.replace(/\/$/, '')}/` : '';
    return { mappings, sources: sources.map(String), root };
  } catch {
    return undefined;
  }
}

/** The numbers of one segment, in base 64 with a variable length; the last bit of each is its sign. */
function numbersIn(segment: string): number[] {
  const found: number[] = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    if (bits === -1) return [];
    value += (bits & 31) * 2 ** shift;
    shift += 5;
    if (bits >= 32) continue;
    found.push(value % 2 === 1 ? -(value - 1) / 2 : value / 2);
    [value, shift] = [0, 0];
  }
  return found;
}
