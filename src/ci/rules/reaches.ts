import { isBuiltin } from 'node:module';
import type { Node } from '@babel/types';
import type { IsActing, LineRange } from '../../ports/acceptance.ts';
import { parsedOf } from '../../workspace/protect/suppressions/parse-source.ts';
import { isOfProcess, noteBound, TYPED, visit, type Bound, type Parents } from './declared-names.ts';
import { namesConstructor } from './constructor-texts.ts';
import { givesPrototype, handsOnMembers, MADE_NAME, makesName } from './function-members.ts';
import { globalNameOf, handsOnThis, isGlobalObject } from './global-object.ts';
import { isSpelled, type TextKind } from './made-names.ts';
import { isMember, memberNameOf, nameOf, rootOf } from './member-names.ts';
import { prototypeReach } from './prototype-reaches.ts';
import { PURE_GLOBALS, PURE_MEMBERS, PURE_META, PURE_MODULES } from './pure-names.ts';

const SINKS = new Set(['innerHTML', 'outerHTML', 'srcdoc', 'adoptedStyleSheets', 'insertAdjacentHTML']);
/** Comments that editors, compilers and browsers act on, with an address or a program in them. */
const ACTING_COMMENTS =
  /source(?:Mapping)?URL\s*=\s*(?!data:application\/json)[a-z][a-z0-9+.-]*:|@jsx\w*\s+\S*:\/\/|import\(\s*['"][a-z0-9+.-]+:|<reference\b[^>]*(?:\.\.\/\.\.|:\/\/)|\b(?:vim?|ex):\s*set?\b|Local Variables:|-\*-.*\beval\b/i;

/**
 * What the code of a source reaches beyond plain computing, each as the end of "so that it …": global names, modules and
 * members that are not in a list of harmless ones, constructors and members that make code out of text, changes of what the
 * language itself brings. Types do not count. `lines`: of these only.
 */
export function reachesOf(path: string, text: string, lines?: LineRange): ReadonlySet<string> {
  const parsed = parsedOf(path, text);
  if (parsed === undefined) return new Set(['cannot be parsed']);
  const [from, to] = lines?.between ?? [0, text.length];
  const isRead = ({ loc, start, end }: Pick<Node, 'loc' | 'start' | 'end'>): boolean =>
    !lines ||
    !loc ||
    (lines.first <= loc.start.line && loc.start.line <= lines.last && from <= start! && end! <= to);
  const found = new Set<string>();
  if (parsed.comments.some((it) => isRead(it) && ACTING_COMMENTS.test(it.value)))
    found.add('has a comment that editors, compilers or browsers act on');
  const bound = {
    names: new Set<string>(),
    functions: new Set<string>(),
    texts: new Map<string, TextKind>(),
  };
  visit(parsed.root, [], (node, parents) => {
    noteBound(node, parents, bound);
  });
  // Once more, since functions may get another name above their declaration.
  visit(parsed.root, [], (node, parents) => {
    noteBound(node, parents, { ...bound, texts: new Map() });
  });
  visit(parsed.root, [], (node, parents) => {
    const text = isRead(node) ? reachOf(node, parents, bound) : undefined;
    if (text !== undefined) found.add(text);
  });
  return found;
}

/** Whether the code in some lines of a source reaches outside of its process. */
export const isActing: IsActing = (path, text, lines) => reachesOf(path, text, lines).size > 0;

function reachOf(node: Node, parents: Parents, bound: Bound): string | undefined {
  const parent = parents.at(-1);
  switch (node.type) {
    case 'Identifier':
      return parent === undefined ? undefined : globalReach(node.name, node, { parents, bound });
    case 'StringLiteral':
    case 'TemplateElement':
      return namesConstructor(node, parents) ? CONSTRUCTOR : undefined;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      return node.id?.name === 'constructor' ? CONSTRUCTOR : undefined;
    case 'ThisExpression':
      return handsOnThis(node, parents)
        ? 'hands on this of a plain function, which can be the global object'
        : undefined;
    case 'ImportDeclaration':
      return node.importKind === 'type' || isOfProcess(node) ? undefined : moduleReach(node.source.value);
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.exportKind === 'type' || !node.source ? undefined : moduleReach(node.source.value);
    case 'TSExternalModuleReference':
      return node.expression.type === 'StringLiteral' ? moduleReach(node.expression.value) : undefined;
    case 'CallExpression':
    case 'OptionalCallExpression':
      return callReach(node.callee, node.arguments, bound);
    case 'ImportExpression':
      return node.source.type === 'StringLiteral' ? moduleReach(node.source.value) : undefined;
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return memberReach(node, { parents, bound });
    case 'ObjectProperty':
      return parent?.type === 'ObjectPattern'
        ? (patternReach(node, bound) ?? prototypeReach(node, parents))
        : givesPrototype(node, bound)
          ? MADE_NAME
          : undefined;
    default:
      return undefined;
  }
}

const CONSTRUCTOR = 'takes the constructor of a value, which can run text as code';

function patternReach(
  { key, computed }: Extract<Node, { type: 'ObjectProperty' }>,
  { texts }: Bound,
): string | undefined {
  if (nameOf(key, computed) === 'constructor') return CONSTRUCTOR;
  return computed && isSpelled(key, texts) ? MADE_NAME : undefined;
}

interface Place {
  readonly parents: Parents;
  readonly bound: Bound;
}

function globalReach(name: string, node: Node, { parents, bound }: Place): string | undefined {
  const parent = parents.at(-1)!;
  if (bound.names.has(name) || !isValue(node, parent)) return undefined;
  const isHandedOn = name in PURE_MEMBERS && !isMember(parent) && !isUsedInPlace(node, parent);
  if (PURE_GLOBALS.has(name) && !isHandedOn) return undefined;
  const isTold =
    (parent.type === 'UnaryExpression' && parent.operator === 'typeof') ||
    (parent.type === 'BinaryExpression' && parent.operator === 'instanceof');
  return isTold ? undefined : `uses the global name ${JSON.stringify(name)}`;
}

/** `require()`, and a question whether there is such a name. */
function isUsedInPlace(node: Node, parent: Node): boolean {
  return (
    ('callee' in parent && parent.callee === node) ||
    (parent.type === 'LogicalExpression' && parent.left === node) ||
    (parent.type === 'BinaryExpression' && /^[!=]==?$/.test(parent.operator))
  );
}

/** Whether an identifier stands for a value, and is not the name of a member, a label or a part of an import. */
function isValue(node: Node, parent: Node): boolean {
  if (
    /^(?:Import|Export)\w*Specifier$|^(?:Labeled|Break|Continue)Statement$|^MetaProperty$|^JSX/.test(
      parent.type,
    )
  )
    return false;
  if (parent.type === 'MemberExpression' || parent.type === 'OptionalMemberExpression')
    return parent.object === node || parent.computed;
  if ('id' in parent && parent.id === node) return false;
  if ('key' in parent && parent.key === node)
    return (
      ('computed' in parent && parent.computed === true) ||
      ('shorthand' in parent && parent.shorthand === true)
    );
  return !parent.type.startsWith('TS') || TYPED.test(parent.type);
}

function callReach(callee: Node, args: readonly Node[], bound: Bound): string | undefined {
  const [first] = args;
  const isLoading = callee.type === 'Import' || (callee.type === 'Identifier' && callee.name === 'require');
  if (isLoading && first?.type === 'StringLiteral') return moduleReach(first.value);
  if (handsOnMembers(callee, args, bound)) return MADE_NAME;
  const isHandler = memberNameOf(callee) === 'setAttribute' && first?.type === 'StringLiteral';
  if (isHandler && /^(?:on|src|href|action|style)/i.test(first.value))
    return 'gives an element of a page an address or code';
  return undefined;
}

/** A module that is not a file of the package: its name up to the part that a package consists of. */
function moduleReach(name: string): string | undefined {
  if (/^(?:\.{1,2}(?:\/|$)|#|@\/|~\/|\/)/.test(name)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(name) && !name.startsWith('node:'))
    return name.startsWith('npm:') ? importing(name) : 'runs code from an address';
  const bare = name.replace(/^node:/, '');
  if (isBuiltin(name)) return PURE_MODULES.has(bare) ? undefined : importing(bare);
  return importing(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
}

/** The text for an imported module or package. */
export function importing(name: string): string {
  return `imports ${JSON.stringify(name)}`;
}

type Member = Extract<Node, { type: 'MemberExpression' | 'OptionalMemberExpression' }>;

function memberReach(node: Member, { parents, bound }: Place): string | undefined {
  const parent = parents.at(-1)!;
  const name = memberNameOf(node);
  const { object } = node;
  const root = rootOf(node);
  const isAssigned =
    (parent.type === 'AssignmentExpression' && parent.left === node) ||
    parent.type === 'UpdateExpression' ||
    (parent.type === 'UnaryExpression' && parent.operator === 'delete');
  if (object.type === 'MetaProperty')
    return name !== undefined && PURE_META.has(name) ? undefined : `uses import.meta${shown(name)}`;
  const isGlobal = (it: string | undefined): it is string =>
    it !== undefined && !bound.names.has(it) && PURE_GLOBALS.has(it);
  const owner = globalNameOf(object, (it) => bound.names.has(it));
  const pure = isGlobal(owner) ? PURE_MEMBERS[owner] : undefined;
  if (pure !== undefined) {
    const isHandedOn = owner === 'require' && name === 'main' && !isCompared(parent);
    return name !== undefined && pure.has(name) && !isHandedOn ? undefined : `uses ${owner}${shown(name)}`;
  }
  if (isGlobal(owner) && isGlobalObject(owner)) {
    const isPure = name !== undefined && PURE_GLOBALS.has(name) && !isAssigned;
    const isHandedOn = isPure && name in PURE_MEMBERS && !isMember(parent) && !isUsedInPlace(node, parent);
    return isPure && !isHandedOn
      ? undefined
      : `uses the global name ${JSON.stringify(name ?? 'of a computed key')}`;
  }
  if (isAssigned && isGlobal(root) && !['module', 'exports', 'globalThis', 'process'].includes(root))
    return `changes the global ${JSON.stringify(root)}`;
  const isPrototype = name === 'prototype' && object.type === 'Identifier' && isGlobal(object.name);
  if (isPrototype && !isMember(parent) && parent.type !== 'BinaryExpression')
    return `changes the global ${JSON.stringify(root)}`;
  if (name === 'constructor') return takesConstructor(node, parent) ? CONSTRUCTOR : undefined;
  if (name !== undefined && SINKS.has(name)) return `uses ${JSON.stringify(name)} of a page`;
  return makesName(node, parents, bound) ? MADE_NAME : prototypeReach(node, parents);
}

function isCompared({ type }: Node): boolean {
  return type === 'BinaryExpression';
}

function shown(name: string | undefined): string {
  return name === undefined ? '[…]' : `.${name}`;
}

/** Whether `x.constructor` is used for more than a comparison, a look at its members, or `new this.constructor()`. */
function takesConstructor(node: Member, parent: Node): boolean {
  if (parent.type === 'BinaryExpression') return false;
  if (isMember(parent) && 'object' in parent && parent.object === node)
    return memberNameOf(parent) === 'constructor' || memberNameOf(parent) === undefined;
  return !(
    parent.type === 'NewExpression' &&
    parent.callee === node &&
    node.object.type === 'ThisExpression'
  );
}
