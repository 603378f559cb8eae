import { isBuiltin } from 'node:module';
import type { Node } from '@babel/types';
import { parsedOf } from '../../workspace/protect/suppressions/parse-source.ts';

/** Global names that compute, and reach nothing outside of the process. */
const PURE_GLOBALS = new Set(
  `AbortController AbortSignal AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array
  Blob Boolean Buffer ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy CustomEvent DataView Date
  DecompressionStream DisposableStack DOMException Error EvalError Event EventTarget File FinalizationRegistry Float16Array
  Float32Array Float64Array FormData Headers Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number
  Object Promise Proxy RangeError ReadableStream ReferenceError Reflect RegExp Request Response Set SharedArrayBuffer String
  SuppressedError Symbol SyntaxError TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream TypeError
  URIError URL URLPattern URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
  WritableStream __dirname __filename arguments atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout
  console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape exports isFinite isNaN module parseFloat
  parseInt performance process queueMicrotask requestAnimationFrame require setImmediate setInterval setTimeout
  structuredClone undefined unescape globalThis global React`.split(/\s+/),
);
/** Modules of Node.js that compute. */
const PURE_MODULES = new Set(
  `assert assert/strict buffer constants crypto events os path path/posix path/win32 perf_hooks punycode querystring stream
  stream/consumers stream/promises stream/web string_decoder timers timers/promises url util util/types zlib`.split(
    /\s+/,
  ),
);
/** Members of `process` that tell of the process and change nothing. */
const PURE_PROCESS = new Set(
  `arch argv cwd emitWarning hrtime memoryUsage nextTick platform release uptime version versions`.split(' '),
);
const PURE_MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  process: PURE_PROCESS,
  module: new Set(['exports', 'id', 'filename']),
  require: new Set(['resolve', 'main']),
};
const PURE_META = new Set(['url', 'dirname', 'filename', 'main', 'resolve']);
const SINKS = new Set(['innerHTML', 'outerHTML', 'srcdoc', 'adoptedStyleSheets', 'insertAdjacentHTML']);
/** Comments that editors, compilers and browsers act on, with an address or a program in them. */
const ACTING_COMMENTS =
  /source(?:Mapping)?URL\s*=\s*(?!data:application\/json)[a-z][a-z0-9+.-]*:|@jsx\w*\s+\S*:\/\/|import\(\s*['"][a-z0-9+.-]+:|<reference\b[^>]*(?:\.\.\/\.\.|:\/\/)|\b(?:vim?|ex):\s*set?\b|Local Variables:|-\*-.*\beval\b/i;

/**
 * What the code of a source reaches beyond plain computing, each as the end of "so that it …": global names, modules and
 * members that are not in a list of harmless ones, constructors and members that make code out of text, changes of what the
 * language itself brings. Types do not count.
 */
export function reachesOf(path: string, text: string): ReadonlySet<string> {
  const parsed = parsedOf(path, text);
  if (parsed === undefined) return new Set(['cannot be parsed']);
  const found = new Set<string>();
  if (parsed.comments.some(({ value }) => ACTING_COMMENTS.test(value)))
    found.add('has a comment that editors, compilers or browsers act on');
  const bound = { names: new Set<string>(), functions: new Set<string>() };
  visit(parsed.root, [], (node, parents) => {
    noteBound(node, parents, bound);
  });
  visit(parsed.root, [], (node, parents) => {
    const text = reachOf(node, parents, bound);
    if (text !== undefined) found.add(text);
  });
  return found;
}

interface Bound {
  readonly names: Set<string>;
  /** Those that are functions or classes. */
  readonly functions: Set<string>;
}

/** Nodes from the outermost to the parent. */
type Parents = readonly Node[];
type Visitor = (node: Node, parents: Parents) => void;

const IGNORED = new Set([
  'loc',
  'start',
  'end',
  'extra',
  'leadingComments',
  'trailingComments',
  'innerComments',
]);
/** Expressions with types in them; other nodes of these languages are types. */
const TYPED =
  /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^TSExportAssignment$|^TSEnum|^TSModule|^TSParameterProperty$|^TSImportEqualsDeclaration$|^TSExternalModuleReference$/;

function visit(node: Node, parents: Parents, visitor: Visitor): void {
  if (node.type.startsWith('TS') && !TYPED.test(node.type)) return;
  visitor(node, parents);
  const inner = [...parents, node];
  for (const [key, value] of Object.entries(node)) {
    if (IGNORED.has(key)) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof item === 'object' && item !== null && 'type' in item) visit(item as Node, inner, visitor);
    }
  }
}

const FUNCTION = /Function|^Class(?:Declaration|Expression)$/;

function noteBound(node: Node, parents: Parents, { names, functions }: Bound): void {
  const parent = parents.at(-1);
  if (node.type !== 'Identifier' || parent === undefined) return;
  const isNamed =
    (parent.type === 'FunctionDeclaration' ||
      parent.type === 'FunctionExpression' ||
      parent.type === 'ClassDeclaration' ||
      parent.type === 'ClassExpression') &&
    parent.id === node;
  if (isNamed) functions.add(node.name);
  if (parent.type === 'VariableDeclarator' && parent.id === node && FUNCTION.test(parent.init?.type ?? ''))
    functions.add(node.name);
  const isImported = /^Import(?:Default|Namespace)?Specifier$/.test(parent.type);
  // As the global name of the same object.
  if (isImported && node.name === 'process' && isOfProcess(parents.at(-2))) return;
  if (isNamed || isImported || isPattern(node, parents)) names.add(node.name);
}

/** `import process from 'node:process'`. */
function isOfProcess(node: Node | undefined): boolean {
  return (
    node?.type === 'ImportDeclaration' &&
    /^(?:node:)?process$/.test(node.source.value) &&
    node.specifiers.every(({ type, local }) => type === 'ImportDefaultSpecifier' && local.name === 'process')
  );
}

/** Whether an identifier stands where a name is given: a declarator, a parameter, the variable of a catch. */
function isPattern(node: Node, parents: Parents): boolean {
  let inner: Node = node;
  for (const parent of parents.toReversed()) {
    if (parent.type === 'VariableDeclarator') return parent.id === inner;
    if (parent.type === 'CatchClause') return parent.param === inner;
    if ('params' in parent && Array.isArray(parent.params)) return (parent.params as Node[]).includes(inner);
    if (parent.type === 'ObjectProperty' ? parent.value !== inner : false) return false;
    if (parent.type === 'AssignmentPattern' ? parent.left !== inner : false) return false;
    if (
      !/^(?:ObjectProperty|ObjectPattern|ArrayPattern|RestElement|AssignmentPattern|TSParameterProperty)$/.test(
        parent.type,
      )
    )
      return /^TSEnumDeclaration$|^TSModuleDeclaration$|^TSImportEqualsDeclaration$/.test(parent.type);
    inner = parent;
  }
  return false;
}

function reachOf(node: Node, parents: Parents, bound: Bound): string | undefined {
  const parent = parents.at(-1);
  switch (node.type) {
    case 'Identifier':
      return parent === undefined ? undefined : globalReach(node.name, node, { parents, bound });
    case 'ImportDeclaration':
      return node.importKind === 'type' || isOfProcess(node) ? undefined : moduleReach(node.source.value);
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.exportKind === 'type' || !node.source ? undefined : moduleReach(node.source.value);
    case 'TSExternalModuleReference':
      return node.expression.type === 'StringLiteral' ? moduleReach(node.expression.value) : undefined;
    case 'CallExpression':
    case 'OptionalCallExpression':
      return callReach(node.callee, node.arguments);
    case 'ImportExpression':
      return node.source.type === 'StringLiteral' ? moduleReach(node.source.value) : undefined;
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return memberReach(node, { parents, bound });
    case 'ObjectProperty':
      return nameOf(node.key, node.computed) === 'constructor' && parent?.type === 'ObjectPattern'
        ? CONSTRUCTOR
        : undefined;
    default:
      return undefined;
  }
}

const CONSTRUCTOR = 'takes the constructor of a value, which can run text as code';

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

function callReach(callee: Node, args: readonly Node[]): string | undefined {
  const [first] = args;
  const isLoading = callee.type === 'Import' || (callee.type === 'Identifier' && callee.name === 'require');
  if (isLoading && first?.type === 'StringLiteral') return moduleReach(first.value);
  const isNamed = args.some((it) => it.type === 'StringLiteral' && it.value === 'constructor');
  const isTest = memberNameOf(callee) === 'includes' || memberNameOf(callee) === 'has';
  if (isNamed && !isTest) return CONSTRUCTOR;
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
  const pure = object.type === 'Identifier' && isGlobal(object.name) ? PURE_MEMBERS[object.name] : undefined;
  if (pure !== undefined)
    return name !== undefined && pure.has(name) ? undefined : `uses ${root}${shown(name)}`;
  if (object.type === 'Identifier' && /^global(?:This)?$/.test(object.name) && isGlobal(object.name))
    return name !== undefined && PURE_GLOBALS.has(name) && !isAssigned
      ? undefined
      : `uses the global name ${JSON.stringify(name ?? 'of a computed key')}`;
  if (isAssigned && isGlobal(root) && !['module', 'exports', 'globalThis', 'process'].includes(root))
    return `changes the global ${JSON.stringify(root)}`;
  const isPrototype = name === 'prototype' && object.type === 'Identifier' && isGlobal(object.name);
  if (isPrototype && !isMember(parent)) return `changes the global ${JSON.stringify(root)}`;
  if (name === 'constructor') return takesConstructor(node, parent) ? CONSTRUCTOR : undefined;
  if (name !== undefined && SINKS.has(name)) return `uses ${JSON.stringify(name)} of a page`;
  if (!node.computed || name !== undefined) return undefined;
  const isCalled =
    /^(?:Optional)?Call|^New/.test(parent.type) && 'callee' in parent && parent.callee === node;
  const isOfFunction =
    FUNCTION.test(object.type) || (object.type === 'Identifier' && bound.functions.has(object.name));
  const isNumber = node.property.type === 'NumericLiteral';
  return !isNumber && (isOfFunction || (isCalled && isMadeText(node.property)))
    ? 'takes a member of a function, or calls one, by a name that is made at run time'
    : undefined;
}

function shown(name: string | undefined): string {
  return name === undefined ? '[…]' : `.${name}`;
}

function isMember({ type }: Node): boolean {
  return type === 'MemberExpression' || type === 'OptionalMemberExpression';
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

/** Whether a key is put together: a sum with a text in it, a template, or what a call gives. */
function isMadeText(key: Node): boolean {
  if (key.type === 'TemplateLiteral') return key.expressions.length > 0;
  if (key.type === 'BinaryExpression') return key.operator === '+';
  return /^(?:Optional)?CallExpression$/.test(key.type);
}

function memberNameOf(node: Node): string | undefined {
  return node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression'
    ? nameOf(node.property, node.computed)
    : undefined;
}

function nameOf(key: Node, isComputed: boolean): string | undefined {
  if (key.type === 'StringLiteral') return key.value;
  if (key.type === 'TemplateLiteral' && key.expressions.length === 0)
    return key.quasis[0]?.value.cooked ?? '';
  return key.type === 'Identifier' && !isComputed ? key.name : undefined;
}

function rootOf(node: Node): string | undefined {
  let at = node;
  while (at.type === 'MemberExpression' || at.type === 'OptionalMemberExpression') at = at.object;
  return at.type === 'Identifier' ? at.name : undefined;
}
