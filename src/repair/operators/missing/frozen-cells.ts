import type { Node } from '@babel/types';
import { bare, functionOf, nearest, type Site } from '../../syntax/walk.ts';
import { startOf } from '../../syntax/parse.ts';
import type { SourceView } from '../operator.ts';

/** A member of `this` or of an object that the file reads, and whose value never changes after it was made. */
export interface FrozenMember {
  /** `size` or `#size`. */
  readonly name: string;
  /** Its initial value; undefined if nothing gives it one. */
  readonly init: Node | undefined;
}

/** What a file writes, for questions about variables and members that stay as they were made. */
export interface Writes {
  /** Members of `this` that stay as they were made. */
  readonly frozen: readonly FrozenMember[];
  /** Whether a variable is assigned, updated, or filled (`x.push(…)`, `x[k] = …`) in a range. */
  isWritten(name: string, start: number, end: number): boolean;
}

const byFile = new WeakMap<readonly Site[], Writes>();

/** The writes of the file; computed once. */
export function writesOf({ sites }: SourceView): Writes {
  const known = byFile.get(sites);
  if (known !== undefined) return known;
  const found = collect(sites);
  byFile.set(sites, found);
  return found;
}

interface Member {
  inits: (Node | undefined)[];
  changes: number;
  reads: number;
}

function collect(sites: readonly Site[]): Writes {
  const variables = new Map<string, number[]>();
  const members = new Map<string, Member>();
  const defined = new Set<string>();
  const memberOf = (name: string): Member => {
    const known = members.get(name) ?? { inits: [], changes: 0, reads: 0 };
    members.set(name, known);
    return known;
  };
  for (const site of sites) {
    const { node } = site;
    if (/^(Class|Object)(Private)?Method$/.test(node.type)) defined.add(keyOf((node as { key: Node }).key));
    if (node.type === 'ClassProperty' || node.type === 'ClassPrivateProperty') {
      memberOf(keyOf(node.key)).inits.push(node.value ?? undefined);
    }
    if (node.type === 'Identifier' && changeAt(site) !== undefined) {
      const at = variables.get(node.name);
      if (at === undefined) variables.set(node.name, [startOf(node)]);
      else at.push(startOf(node));
    }
    if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'ThisExpression') continue;
    const member = memberOf(keyOf(node.property));
    const change = changeAt(site);
    if (change === undefined) member.reads++;
    else if (change === 'assigned' && isConstruction(site)) member.inits.push(assignedValue(site));
    else member.changes++;
  }
  const frozen = [...members]
    .filter(
      ([name, { inits, changes, reads }]) =>
        name !== '' && changes === 0 && inits.length < 2 && reads > 0 && !defined.has(name),
    )
    .map(([name, { inits }]) => ({ name, init: inits[0] }));
  return {
    frozen,
    isWritten: (name, start, end) => (variables.get(name) ?? []).some((at) => start <= at && at < end),
  };
}

/** How the code at the site changes the value of the name or member; undefined if it does not. */
function changeAt(site: Site): 'assigned' | 'updated' | 'filled' | undefined {
  const { key, parent } = site;
  const node = parent?.node;
  if (node === undefined || parent === undefined) return undefined;
  if (node.type === 'AssignmentExpression' && key === 'left')
    return node.operator === '=' ? 'assigned' : 'updated';
  if (node.type === 'UpdateExpression') return 'updated';
  if (/^For(In|Of)Statement$/.test(node.type) && key === 'left') return 'updated';
  if (/^(Array|Object)Pattern$|^RestElement$/.test(node.type) && key !== 'key') return 'updated';
  if (node.type !== 'MemberExpression' || key !== 'object') return undefined;
  if (changeAt(parent) !== undefined) return 'filled';
  const isCalled = parent.key === 'callee' && parent.parent?.node.type === 'CallExpression';
  return isCalled && FILLING.has(keyOf(node.property)) ? 'filled' : undefined;
}

function isConstruction(site: Site): boolean {
  const owner = functionOf(site)?.node;
  const isConstructor = owner?.type === 'ClassMethod' && owner.kind === 'constructor';
  // A function that is not a method makes the object if its name begins with a capital letter.
  const isMaker = owner?.type === 'FunctionDeclaration' && /^[A-Z]/.test(owner.id?.name ?? '');
  return isConstructor || isMaker;
}

function assignedValue(site: Site): Node | undefined {
  const assignment = nearest(site, ({ type }) => type === 'AssignmentExpression')?.node;
  return assignment?.type === 'AssignmentExpression' ? bare(assignment.right) : undefined;
}

/** Name of a property, `#name` of a private one, empty of a computed one. */
function keyOf(key: Node): string {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'PrivateName' ? `#${key.id.name}` : '';
}

const FILLING = new Set(['push', 'unshift', 'set', 'add', 'append', 'splice']);
