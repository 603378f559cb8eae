import type { Node } from '@babel/types';
import { boundNames, isLabel, memberOf, specifierOf, walk } from './syntax.ts';

/** The names of a test file that depend on an import from the repository. */
export interface TiedNames {
  /** Local names. */
  readonly locals: ReadonlySet<string>;
  /** Imported names, and members that are read from tied values. A failure may name one of them as missing. */
  readonly members: ReadonlySet<string>;
}

/** Finds tied names. `isOwn`: whether a specifier belongs to the repository. */
export function findTiedNames(body: readonly Node[], isOwn: (specifier: string) => boolean): TiedNames {
  const locals = new Set<string>();
  const members = new Set<string>();
  for (const node of body) addImports(node, isOwn, { locals, members });
  for (let before = -1; before < locals.size;) {
    before = locals.size;
    for (const top of body) walk(top, (node) => spread(node, isOwn, locals));
  }
  for (const top of body)
    walk(top, (node) => {
      const member = memberOf(node);
      if (member !== undefined && mentions(member.object, locals)) members.add(member.name);
      if (node.type !== 'VariableDeclarator' || node.id.type !== 'ObjectPattern' || !node.init) return;
      if (!mentions(node.init, locals) && !importsOwn(node.init, isOwn)) return;
      for (const property of node.id.properties)
        if (property.type === 'ObjectProperty' && property.key.type === 'Identifier')
          members.add(property.key.name);
    });
  return { locals, members };
}

/** True if an expression refers to one of the names. */
export function mentions(node: Node, names: ReadonlySet<string>): boolean {
  let found = false;
  walk(node, (inner, parents) => {
    const isName = inner.type === 'Identifier' || inner.type === 'JSXIdentifier';
    if (isName && names.has(inner.name) && !isLabel(inner, parents.at(-1))) found = true;
  });
  return found;
}

function addImports(
  node: Node,
  isOwn: (specifier: string) => boolean,
  { locals, members }: { locals: Set<string>; members: Set<string> },
): void {
  if (node.type !== 'ImportDeclaration' || node.importKind === 'type' || !isOwn(node.source.value)) return;
  for (const item of node.specifiers) {
    locals.add(item.local.name);
    if (item.type === 'ImportSpecifier')
      members.add(item.imported.type === 'Identifier' ? item.imported.name : item.imported.value);
    if (item.type === 'ImportDefaultSpecifier') members.add('default').add(item.local.name);
  }
}

/** Adds the names that one node ties: targets of assignments, functions, and arguments of tied calls. */
function spread(node: Node, isOwn: (specifier: string) => boolean, locals: Set<string>): void {
  const isTied = (value: Node): boolean => mentions(value, locals) || importsOwn(value, isOwn);
  const add = (pattern: Node): void => {
    for (const name of boundNames(pattern)) locals.add(name);
  };
  if (node.type === 'VariableDeclarator' && node.init && isTied(node.init)) add(node.id);
  if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier' && isTied(node.right))
    add(node.left);
  if (node.type === 'FunctionDeclaration' && node.id && isTied(node.body)) add(node.id);
  if (node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration' && isTied(node.right))
    for (const { id } of node.left.declarations) add(id);
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return;
  if (!isTied(node.callee)) return;
  // What is given to a tied call may be changed by it, such as a list that a callback fills.
  for (const arg of node.arguments) {
    if (arg.type === 'Identifier') add(arg);
    if (arg.type !== 'ArrowFunctionExpression' && arg.type !== 'FunctionExpression') continue;
    for (const param of arg.params) add(param);
    walk(arg.body, (inner) => {
      const target = inner.type === 'CallExpression' ? memberOf(inner.callee)?.object : undefined;
      if (target?.type === 'Identifier') add(target);
      if (inner.type === 'AssignmentExpression' && inner.left.type === 'Identifier') add(inner.left);
      if (inner.type === 'UpdateExpression' && inner.argument.type === 'Identifier') add(inner.argument);
    });
  }
}

function importsOwn(node: Node, isOwn: (specifier: string) => boolean): boolean {
  let found = false;
  walk(node, (inner) => {
    const specifier = specifierOf(inner);
    if (specifier !== undefined && isOwn(specifier)) found = true;
  });
  return found;
}
