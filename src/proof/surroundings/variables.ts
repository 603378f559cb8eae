import type { Node } from '@babel/types';
import { memberOf } from '../acceptance/syntax.ts';
import { isFunction, nearest, type Site } from '../../repair/syntax/walk.ts';
import { valueOf } from './deciding-place.ts';
import { isDeclared } from './names.ts';
import { LOADER } from './told.ts';

/** A node and a name of what it tells about the surroundings. */
export interface Told {
  readonly site: Site;
  readonly what: string;
}

/** Variables through which a value is followed, one after another. */
const MAX_STEPS = 4;

/** The uses of variables that hold what was read, in place of the reads that only fill them; all other reads as they are. */
export function throughVariables(roots: readonly Told[], sites: readonly Site[]): Told[] {
  const users = Map.groupBy(sites, nameOfUser);
  const found: Told[] = [];
  let next = roots;
  for (let step = 0; step < MAX_STEPS && next.length > 0; step++) {
    const followed = next.map((told) => ({ told, uses: usesOf(told, users) }));
    // What is exported is used elsewhere.
    found.push(
      ...followed.flatMap(({ told, uses }) => (uses.length === 0 || isExported(told.site) ? [told] : [])),
    );
    next = followed.flatMap(({ uses }) => uses);
  }
  return [...found, ...next];
}

function usesOf(told: Told, users: ReadonlyMap<string | undefined, readonly Site[]>): Told[] {
  // Without it nothing is known of what loaded the module, whatever is asked.
  if (told.what === LOADER) return [];
  const held = heldBy(told).flatMap(({ name, what, after }) =>
    (users.get(name) ?? []).filter(({ node }) => node.start! > after).map((site) => ({ site, what })),
  );
  const calls = (users.get(returnedBy(told.site)) ?? []).filter(({ key }) => key === 'callee');
  return [...held, ...calls.map((site) => ({ site, what: told.what }))];
}

/** The name of the function that returns a value as it is: `const now = () => Date.now()`. */
function returnedBy(site: Site): string {
  const { node, parent } = returningFunction(site) ?? {};
  if (node?.type === 'FunctionDeclaration') return node.id?.name ?? '';
  return parent?.node.type === 'VariableDeclarator' && parent.node.id.type === 'Identifier'
    ? parent.node.id.name
    : '';
}

function returningFunction(site: Site): Site | undefined {
  const value = valueOf(site);
  const isReturned = value.parent?.node.type === 'ReturnStatement';
  const isBody = value.key === 'body' && value.parent?.node.type === 'ArrowFunctionExpression';
  return isReturned || isBody ? nearest(value.parent!, isFunction) : undefined;
}

/** The name of a variable, `#name` of a private field or `this.name` that a node reads; undefined for other nodes. */
function nameOfUser(site: Site): string | undefined {
  const { node } = site;
  if (node.type === 'Identifier' && site.key !== 'property' && !isDeclared(site)) return node.name;
  return node.type === 'MemberExpression' && !isDeclared(site) ? fieldOf(node) : undefined;
}

function fieldOf({
  object,
  property,
  computed,
}: Extract<Node, { type: 'MemberExpression' }>): string | undefined {
  if (property.type === 'PrivateName') return `#${property.id.name}`;
  const isOwn = object.type === 'ThisExpression' && !computed && property.type === 'Identifier';
  return isOwn ? `this.${property.name}` : undefined;
}

/** Whether the variable or function that has the value is exported; those inside of an exported function are not. */
function isExported(site: Site): boolean {
  const held = returningFunction(site)?.parent ?? site;
  const around = nearest(held, (node) => isFunction(node) || node.type === 'ExportNamedDeclaration');
  return around?.node.type === 'ExportNamedDeclaration';
}

interface Held {
  readonly name: string;
  readonly what: string;
  /** Offset from which uses count: that after the declaration of a variable. */
  readonly after: number;
}

/** The variables that take over the value of a read as it is: `const env = process.env`, `const { argv } = process`. */
function heldBy({ site, what }: Told): Held[] {
  const value = valueOf(site);
  const { node } = value.parent ?? {};
  if (node?.type === 'VariableDeclarator' && value.key === 'init') return names(node.id, what, node.end!);
  if (node?.type === 'ClassPrivateProperty' && value.key === 'value')
    return [{ name: `#${node.key.id.name}`, what, after: 0 }];
  if (node?.type === 'ClassProperty' && value.key === 'value' && node.key.type === 'Identifier')
    return [{ name: `this.${node.key.name}`, what, after: 0 }];
  const isAssigned =
    (node?.type === 'AssignmentExpression' || node?.type === 'AssignmentPattern') && value.key === 'right';
  return isAssigned ? names(node.left, what, node.end!) : [];
}

function names(target: Node, what: string, after: number): Held[] {
  if (target.type === 'Identifier') return [{ name: target.name, what, after }];
  const field = target.type === 'MemberExpression' ? fieldOf(target) : undefined;
  if (field !== undefined) return [{ name: field, what, after: 0 }];
  if (target.type !== 'ObjectPattern') return [];
  return target.properties.flatMap((property) => {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') return [];
    const value = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
    return names(value, memberOf(property.value) ? what : `${what}.${property.key.name}`, after);
  });
}
