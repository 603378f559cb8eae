import { kindOf, type Parts } from '../replay/coded-kinds.ts';
import type { Coded } from '../tested-inputs/neighbours.ts';

/**
 * A result with values of the kinds that another result has: `"12.50"` like `5` is `12.5`, and a set like a list is a list.
 * Both are texts of `encodeValue`. Undefined if the kinds are the same, or one cannot be made from the other.
 */
export function likeKindsOf(model: string, result: string): string | undefined {
  const made = like(JSON.parse(model) as Coded, JSON.parse(result) as Coded);
  const text = made === undefined ? result : JSON.stringify(made);
  return text === result ? undefined : text;
}

/** A word for the kind of a result. */
export function kindIn(result: string): string {
  const kind = kindOf(JSON.parse(result) as Coded);
  return KIND_NAMES[kind] ?? kind;
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'a truth value',
  bigint: 'a bigint',
  date: 'a Date',
  list: 'a list',
  set: 'a Set',
  map: 'a Map',
  object: 'an object',
};

/** The value with the kinds of the model; undefined if they cannot be had. */
function like(model: Coded, value: Coded): Coded | undefined {
  const [wanted, given] = [kindOf(model), kindOf(value)];
  const [own, other] = [value, model] as Parts[];
  if (wanted === given) {
    if (given === 'list') return likeItems(other!.a!, own!.a!);
    if (given === 'object') return likeMembers(other!, own!);
    return value;
  }
  if (wanted === 'list' && given === 'set') return { a: own!.s! };
  const plain = plainOf(value);
  if (plain === undefined) return undefined;
  switch (wanted) {
    case 'number':
      return given === 'string' && String(plain).trim() === '' ? undefined : number(Number(plain));
    case 'string':
      return given === 'date' ? undefined : String(plain);
    case 'boolean':
      return given === 'number' ? Boolean(plain) : undefined;
    case 'date': {
      const time = typeof plain === 'string' ? Date.parse(plain) : Number(plain);
      return Number.isFinite(time) ? { d: time } : undefined;
    }
    default:
      return undefined;
  }
}

function number(value: number): Coded | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** A text, number or truth value; the time of a date. */
function plainOf(value: Coded): string | number | boolean | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value as string | number | boolean;
  const { b, d } = value as Parts;
  return d ?? (b === undefined ? undefined : Number(b));
}

/** Each item with the kind of the items of the model, which are all of one kind. */
function likeItems(models: readonly Coded[], items: readonly Coded[]): Coded | undefined {
  const [model] = models;
  if (model === undefined || new Set(models.map(kindOf)).size > 1) return undefined;
  const made = items.map((item) => like(model, item));
  return made.includes(undefined) ? undefined : { a: made as Coded[] };
}

function likeMembers(model: Parts, value: Parts): Coded {
  const models = new Map(model.o);
  const made = value.o!.map(([name, member]) => {
    const wanted = models.get(name);
    return [name, (wanted === undefined ? undefined : like(wanted, member)) ?? member] as const;
  });
  return { ...value, o: made };
}
