import type { CallExpression, Node, OptionalCallExpression } from '@babel/types';
import { memberOf, specifierOf } from '../acceptance/syntax.ts';
import { nearest, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { readsCallStack, traces, type ClassOf } from './call-stack.ts';
import type { ImportedName } from './imported-names.ts';
import { CHANCE_CALLS, toldByGlobal, toldByModule } from './kinds.ts';
import { isDeclared, isKey, isListed, memberAt, nameOf, textsIn } from './names.ts';

/** What the names of a file stand for. */
export interface Names {
  readonly imported: ReadonlyMap<string, ImportedName>;
  readonly isGlobal: (name: string) => boolean;
  /** Whether an expression is called as a function somewhere in the file. */
  readonly isCalled: (node: Node) => boolean;
  /** Whether an expression is the name of a function that the file declares. */
  readonly isFunction: (node: Node) => boolean;
  readonly classOf: ClassOf;
}

export const STACK = 'the call stack';
/** Its state counts; that it is passed on does not. */
export const TIMEOUT = 'a timeout';
/** A timer that changes what the module knows, some time after it was loaded. */
export const TIMER = 'a timer that starts with the module';
/** By it code can tell a test's mock or stub from the function of a user. */
const FUNCTION = 'the text or the properties of a function';
/** It writes the call stack to a stream of the code. */
export const TRACE = 'Console.trace';
/** Code that is wrong once in a thousand calls passes every test. */
export const CHANCE = 'chance';
/** The object of a CommonJS module, which knows what loaded it. */
export const LOADER = 'the object of the module';
/** What the garbage collector has kept: users' processes collect at other times. */
export const WEAK = 'weak references';

/** Among them are those that a test runner or a test sets. */
const GLOBALS = 'the names of all globals';

/** A name of what a node itself reads of its surroundings; undefined if it reads nothing of them. */
export function toldAt(
  site: Site,
  { imported, isGlobal, isCalled, isFunction, classOf }: Names,
): string | undefined {
  const { node } = site;
  if (looksAtFunction(node, isCalled) || isTextOf(node, isFunction)) return FUNCTION;
  if (isOfModule(site)) return 'the arguments of the module';
  if (node.type === 'MetaProperty') return node.meta.name === 'import' ? ofImportMeta(site) : undefined;
  if (isComputedImport(node)) return 'a computed import';
  if (readsCallStack(site, classOf) || asksForCaller(node, isFunction)) return STACK;
  if (traces(node, classOf)) return TRACE;
  if (startsWithModule(site) && isGlobal(nameOf(node) ?? '')) return TIMER;
  const time = timeIn(site);
  if (time !== undefined) return time;
  if (evaluatesText(node)) return 'evaluated code';
  const called = isCallWithoutArguments(node) ? memberOf(node.callee) : undefined;
  if (called?.name === 'deref') return WEAK;
  if (called !== undefined && /^(asyncId|triggerAsyncId)$/.test(called.name)) return 'async_hooks.asyncId';
  if (node.type !== 'Identifier' || isKey(site) || isDeclared(site)) return undefined;
  const known = imported.get(node.name);
  if (known !== undefined) {
    return toldByModule(known.module, known.member ?? memberAt(site));
  }
  return isGlobal(node.name) ? ofGlobal(node.name, site) : undefined;
}

const LOOKS =
  /^(keys|entries|ownKeys|getOwnPropertyNames|getOwnPropertyDescriptors?|isProxy|isMockFunction|test|String)$/;

/** `Object.keys(send)`, `isProxy(send)`, `/throw/.test(send)` or `send.mock`, where the file calls `send`. */
function looksAtFunction(node: Node, isCalled: (node: Node) => boolean): boolean {
  if (node.type === 'CallExpression') {
    const name = node.callee.type === 'Identifier' ? node.callee.name : memberOf(node.callee)?.name;
    const [first] = node.arguments;
    return name !== undefined && LOOKS.test(name) && first !== undefined && isCalled(first);
  }
  if (node.type === 'TemplateLiteral') return node.expressions.some(isCalled);
  const member = memberOf(node);
  return (
    member !== undefined &&
    /^(mock|_isMockFunction|toString|constructor)$/.test(member.name) &&
    isCalled(member.object)
  );
}

/** `String(line)`, `${line}` or `line.toString()` of a function of the file, whose text a test runner may have rewritten. */
function isTextOf(node: Node, isFunction: (node: Node) => boolean): boolean {
  if (node.type === 'TemplateLiteral') return node.expressions.some(isFunction);
  if (node.type !== 'CallExpression') return false;
  const [first] = node.arguments;
  if (node.callee.type === 'Identifier')
    return node.callee.name === 'String' && first !== undefined && isFunction(first);
  const member = memberOf(node.callee);
  return member?.name === 'toString' && isFunction(member.object);
}

/** `line.caller` of a function of the file: the function that called it last, which a test may be. */
function asksForCaller(node: Node, isFunction: (node: Node) => boolean): boolean {
  const member = memberOf(node);
  return member?.name === 'caller' && isFunction(member.object);
}

/** `arguments` outside of every function: what the loader gives to a CommonJS module. */
function isOfModule({ node, key, parent }: Site): boolean {
  if (node.type !== 'Identifier' || node.name !== 'arguments' || key === 'property') return false;
  for (let at = parent; at !== undefined; at = at.parent)
    if (
      /^(Function\w+|ObjectMethod|Class\w*(Method|Property|Block)|StaticBlock|ObjectProperty)$/.test(
        at.node.type,
      )
    )
      return false;
  return true;
}

function isCallWithoutArguments(node: Node): node is CallExpression | OptionalCallExpression {
  const isCall = node.type === 'CallExpression' || node.type === 'OptionalCallExpression';
  return isCall && node.arguments.length === 0;
}

/** True for a call that reads a file of the product by a fixed name. */
export function readsOwnData(site: Site, isOwnData: (path: string) => boolean): boolean {
  const call = site.parent?.node.type === 'MemberExpression' ? site.parent.parent : site.parent;
  if (call?.node.type !== 'CallExpression') return false;
  const { callee, arguments: given } = call.node;
  const name = callee.type === 'Identifier' ? callee.name : memberOf(callee)?.name;
  return name !== undefined && /^readFile/.test(name) && given.some((it) => textsIn(it).some(isOwnData));
}

function ofGlobal(name: string, site: Site): string | undefined {
  const member = memberAt(site);
  switch (name) {
    case 'Date':
      return readsClock(site, member) ? 'the clock' : undefined;
    case 'Error':
      return /^(stackTraceLimit|captureStackTrace|prepareStackTrace)$/.test(member ?? '') ? STACK : undefined;
    case 'AbortSignal':
      return member === 'timeout' ? TIMEOUT : undefined;
    case 'Math':
      return member === 'random' ? CHANCE : undefined;
    case 'crypto':
      return CHANCE_CALLS.test(member ?? '') ? CHANCE : undefined;
    case 'module':
    case 'require':
      if (name === 'module' && member === undefined) return isTypeOf(site) ? undefined : LOADER;
      return /^(main|cache|parent|children|extensions|constructor)$/.test(member ?? '')
        ? `${name}.${member}`
        : undefined;
    case 'globalThis':
    case 'global':
      if (member === undefined) return isListed(site) ? GLOBALS : name;
      return toldOfGlobalObject(member, site);
    default:
      return toldByGlobal(name, member);
  }
}

/** `typeof module`, by which code for several loaders asks whether there is one. */
function isTypeOf({ parent }: Site): boolean {
  return parent?.node.type === 'UnaryExpression' && parent.node.operator === 'typeof';
}

function toldOfGlobalObject(name: string, site: Site): string | undefined {
  const member = site.parent && memberAt(site.parent);
  if (name === 'Date') return member === 'now' ? 'the clock' : undefined;
  const isOwn = Object.hasOwn(globalThis, name);
  return isOwn || name === 'process' ? toldByGlobal(name, member) : `the global ${name}`;
}

function ofImportMeta(site: Site): string {
  const member = memberAt(site);
  return member === undefined ? 'import.meta' : `import.meta.${member}`;
}

function readsClock({ node, parent }: Site, member: string | undefined): boolean {
  if (parent === undefined) return false;
  const { node: user } = parent;
  if (member !== undefined) return member === 'now';
  if (user.type === 'BinaryExpression' && user.operator === 'instanceof') return false;
  return !(user.type === 'NewExpression' && user.callee === node && user.arguments.length > 0);
}

function isComputedImport(node: Node): boolean {
  const isImport =
    node.type === 'ImportExpression' || (node.type === 'CallExpression' && node.callee.type === 'Import');
  return isImport && specifierOf(node) === undefined;
}

/** A moment that an object keeps, which a test can set. */
function timeIn({ node, key, parent }: Site): string | undefined {
  const name = memberOf(node)?.name;
  const isSet = key === 'callee' || (key === 'left' && parent?.node.type === 'AssignmentExpression');
  return (name === 'timeStamp' || name === 'lastModified') && !isSet ? name : undefined;
}

/** The `setTimeout` of a call outside of every function, whose function sets something, or has a name. */
function startsWithModule(site: Site): boolean {
  const call = site.parent?.node;
  if (site.key !== 'callee' || call?.type !== 'CallExpression') return false;
  if (!/^set(Timeout|Interval|Immediate)$/.test(nameOf(site.node) ?? '')) return false;
  const isInside = nearest(site, ({ type }) => /Function|Method|StaticBlock/.test(type)) !== undefined;
  const [run] = call.arguments;
  return !isInside && run !== undefined && (run.type === 'Identifier' || setsSomething(run));
}

function setsSomething(run: Node): boolean {
  if (run.type !== 'ArrowFunctionExpression' && run.type !== 'FunctionExpression') return false;
  return sitesOf(run.body).some(({ node }) => /^(Assignment|Update)Expression$/.test(node.type));
}

/** `x.constructor.constructor` and `x.constructor('text')`, which make functions of texts. */
function evaluatesText(node: Node): boolean {
  if (node.type === 'CallExpression')
    return memberOf(node.callee)?.name === 'constructor' && textsIn(node.arguments[0]).length > 0;
  const member = memberOf(node);
  return member?.name === 'constructor' && memberOf(member.object)?.name === 'constructor';
}
