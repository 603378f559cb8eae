/** Loaded into the test process: random values that resemble given ones. */

/** Returns a pseudorandom number in [0, 1) with each call. */
export type Random = () => number;

/** Mulberry32, a generator with 32 bits of state. The same seed gives the same sequence. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const MAX_NODES = 400;
const MAX_LENGTH = 40;

/**
 * A random value of the same kind as one of those seen: a number within their range or a little above it, a string of
 * their characters or words, a list of about their length with similar elements.
 */
export function similarTo(seen: readonly unknown[], random: Random): unknown {
  const model = pick(seen, random);
  const alike = seen.filter((value) => kindOf(value) === kindOf(model));
  switch (kindOf(model)) {
    case 'number':
      return similarNumber(alike as number[], random);
    case 'string':
      return similarString(alike as string[], model as string, random);
    case 'boolean':
      return random() < 0.5;
    case 'list':
      return similarList(alike as unknown[][], model as unknown[], random);
    case 'record':
      return similarRecord(alike as Record<string, unknown>[], model as Record<string, unknown>, random);
    default:
      return model;
  }
}

/** A deep copy; undefined if the value is not plain data (functions, instances) or has more than 400 parts. */
export function plainCopy(value: unknown): { readonly copy: unknown } | undefined {
  let nodes = 0;
  const copyOf = (part: unknown): unknown => {
    if (++nodes > MAX_NODES) throw new RangeError('too large');
    switch (kindOf(part)) {
      case 'list':
        return (part as unknown[]).map(copyOf);
      case 'record': {
        const copy = Object.create(Object.getPrototypeOf(part) as object | null) as Record<string, unknown>;
        for (const [key, child] of Object.entries(part as object)) copy[key] = copyOf(child);
        return copy;
      }
      case 'other':
        throw new TypeError('not plain data');
      default:
        return part;
    }
  };
  try {
    return { copy: copyOf(value) };
  } catch {
    return undefined;
  }
}

type ValueKind = 'number' | 'string' | 'boolean' | 'list' | 'record' | 'constant' | 'other';

function kindOf(value: unknown): ValueKind {
  if (value === null || value === undefined) return 'constant';
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return 'constant';
    case 'object': {
      if (Array.isArray(value)) return 'list';
      const prototype = Object.getPrototypeOf(value) as object | null;
      // The prototype may belong to another realm, so it is not compared with this realm's Object.prototype.
      const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
      return isPlain ? 'record' : 'other';
    }
    default:
      return 'other';
  }
}

function similarNumber(seen: readonly number[], random: Random): number {
  const finite = seen.filter((value) => Number.isFinite(value));
  if (finite.length === 0 || random() < 0.25) return pick(seen, random);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const spread = Math.max(3, (high - low) * 0.5);
  const from = low >= 1 ? 1 : low >= 0 ? 0 : low - spread;
  const value = from + random() * (high + spread - from);
  if (finite.every((number) => Number.isInteger(number))) return Math.floor(value);
  return Math.round(value * 100) / 100;
}

function similarString(seen: readonly string[], model: string, random: Random): string {
  const words = seen.flatMap((text) => text.split(/(\s+)/)).filter((word) => word !== '');
  if (words.length > seen.length && random() < 0.4) {
    return model
      .split(/(\s+)/)
      .map((word) =>
        word.trim() === ''
          ? word
          : pick(
              words.filter((other) => other.trim() !== ''),
              random,
            ),
      )
      .join('');
  }
  const alphabet = [...new Set(seen.flatMap((text) => [...text]))];
  if (alphabet.length === 0) return model;
  const shape = [...model];
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) {
    const at = Math.floor(random() * (shape.length + 1));
    const removed = random() < 0.6 ? 1 : 0;
    const added = random() < 0.7 && shape.length < MAX_LENGTH ? [pick(alphabet, random)] : [];
    shape.splice(at, removed, ...added);
  }
  const isEmptySeen = seen.includes('');
  return shape.length === 0 && !isEmptySeen ? model : shape.join('');
}

function similarList(seen: readonly unknown[][], model: readonly unknown[], random: Random): unknown[] {
  const elements = seen.flat();
  const lengths = seen.map(({ length }) => length);
  if (elements.length === 0) return [];
  // A tuple keeps its length, and each place its kind.
  const isTuple = model.length > 1 && new Set(model.map(kindOf)).size > 1;
  if (isTuple) {
    return model.map((_, index) =>
      similarTo(
        seen.filter((list) => index < list.length).map((list) => list[index]),
        random,
      ),
    );
  }
  const least = Math.min(...lengths);
  const most = Math.min(MAX_LENGTH, Math.max(...lengths) + 2);
  const length = random() < 0.4 ? model.length : least + Math.floor(random() * (most - least + 1));
  const list = Array.from({ length }, (_, index) =>
    index < model.length && random() < 0.4 ? model[index] : similarTo(elements, random),
  );
  if (length > 1 && random() < 0.3) list[Math.floor(random() * length)] = list[Math.floor(random() * length)];
  return list;
}

function similarRecord(
  seen: readonly Record<string, unknown>[],
  model: Record<string, unknown>,
  random: Random,
): Record<string, unknown> {
  const copy = Object.create(Object.getPrototypeOf(model) as object | null) as Record<string, unknown>;
  for (const key of Object.keys(model)) {
    const values = seen.filter((record) => Object.hasOwn(record, key)).map((record) => record[key]);
    if (values.length < seen.length && random() < 0.3) continue;
    copy[key] = random() < 0.5 ? model[key] : similarTo(values, random);
  }
  return copy;
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)]!;
}
