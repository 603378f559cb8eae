import { startOf } from '../syntax/parse.ts';
import type { Site } from '../syntax/walk.ts';
import type { PairGroup } from './best-pairs.ts';
import type { Place } from './places.ts';

/** Factor for a pair of edits by their relation; if several hold, the largest counts. */
const FACTORS = {
  /** Two of the initializer, the condition and the update of one loop. */
  loop: 5,
  /** Two operands of one condition or term. */
  operands: 4,
  /** A condition and the code that it guards. */
  guarded: 3,
  returns: 3,
  neighbours: 2.5,
  /** Two places of one statement. */
  statement: 2,
  name: 2,
  operator: 1.5,
  owner: 1.2,
  any: 1,
} as const;

/** Largest number of single edits in one part of a relation, best first. */
const PART_LIMIT = 300;
const PARTS_LIMIT = 8;

/** A single edit, as far as relations depend on it. */
export interface Placed {
  readonly operator: string;
  readonly place: Place;
}

type Relation = keyof typeof FACTORS;

/** Members of one relation by part; each pair takes members of two parts. */
type Parts = Map<string | number, number[]>;

/** Groups of related single edits, by index. `order` lists the indices, best first. */
export function relatedGroups(singles: readonly Placed[], order: readonly number[]): PairGroup[] {
  const across = new Map<string, { readonly relation: Relation; readonly parts: Parts }>();
  const within = new Map<string, { readonly relation: Relation; readonly members: number[] }>();
  for (const number of order) {
    const { operator, place } = singles[number]!;
    for (const [relation, key, part] of partsOf(place)) {
      const id = `${relation} ${key}`;
      if (!across.has(id)) across.set(id, { relation, parts: new Map() });
      add(across.get(id)!.parts, part, number);
    }
    for (const [relation, key] of bagsOf(operator, place)) {
      const id = `${relation} ${key}`;
      if (!within.has(id)) within.set(id, { relation, members: [] });
      within.get(id)!.members.push(number);
    }
  }
  return [
    ...[...across.values()].flatMap(({ relation, parts }) => crossings(FACTORS[relation], parts)),
    ...[...within.values()].map(({ relation, members }) => ({ factor: FACTORS[relation], left: members })),
  ];
}

/** One group for every two parts. */
function crossings(factor: number, parts: Parts): PairGroup[] {
  const lists = [...parts.values()].slice(0, PARTS_LIMIT);
  return lists.flatMap((left, index) => lists.slice(index + 1).map((right) => ({ factor, left, right })));
}

function add(parts: Parts, part: string | number, number: number): void {
  const members = parts.get(part);
  if (members === undefined) parts.set(part, [number]);
  else if (members.length < PART_LIMIT) members.push(number);
}

function* partsOf(place: Place): Generator<[Relation, string, string | number]> {
  const { statement, slot, chain, owner } = place;
  const { node } = statement;
  const start = startOf(node);
  if (chain !== undefined) yield ['operands', `${chain.start}`, chain.operand];
  if (node.type === 'ForStatement' && slot !== 'body') yield ['loop', `${start}`, slot];
  if (node.type === 'ReturnStatement') yield ['returns', `${owner}`, start];
  if (slot === 'test') yield ['guarded', `${start}`, 'test'];
  const around = guardOf(statement);
  if (around !== undefined) yield ['guarded', `${startOf(around.node)}`, 'inside'];
  if (statement.parent === undefined || statement.index < 0) return;
  const list = `${startOf(statement.parent.node)} ${statement.key}`;
  yield ['neighbours', `${list} ${statement.index}`, statement.index];
  yield ['neighbours', `${list} ${statement.index + 1}`, statement.index];
}

function* bagsOf(operator: string, { owner, statement, names }: Place): Generator<[Relation, string]> {
  yield ['any', ''];
  yield ['owner', `${owner}`];
  yield ['statement', `${startOf(statement.node)}`];
  yield ['operator', `${owner} ${operator}`];
  for (const name of names) yield ['name', `${owner} ${name}`];
}

/** The conditional statement or loop whose branch or body holds the statement. */
function guardOf({ parent }: Site): Site | undefined {
  const holder = parent?.node.type === 'BlockStatement' ? parent.parent : parent;
  return holder !== undefined && 'test' in holder.node ? holder : undefined;
}
