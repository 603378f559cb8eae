import type { Node } from '@babel/types';
import { boundNames, memberOf, specifierOf, walk } from './syntax.ts';

const FOREIGN_MODULE =
  /^(node:)?(https?|http2|net|tls|dgram|dns|child_process|cluster|worker_threads|inspector)(\/|$)/;
const FILE_MODULE = /^(node:)?fs(\/promises)?$/;
/** Prefix of the global path that a module's exports stand for. */
const GLOBAL_MODULES: Readonly<Record<string, string>> = {
  crypto: 'crypto',
  process: 'process',
  perf_hooks: '',
};
const GLOBAL_OBJECTS = /^(globalThis|window|global|self)\./;
const CLOCK = /^(Date|Date\.now|performance\.now|process\.(hrtime(\.bigint)?|uptime))$/;
const NETWORK = /^(fetch|WebSocket|XMLHttpRequest|EventSource)$/;
const RANDOM = /^(Math\.random|crypto\.(webcrypto\.)?(random\w+|getRandomValues))$/;
const FAKE_TIMERS = /^(useFakeTimers|setSystemTime)$/;
const HOOK = /^(before|beforeEach|beforeAll)$/;

/** A range of a text in UTF-16 code units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Sentence parts that say which real uses of clock, network, random values, environment or files a test file makes. */
export function findHazards(body: readonly Node[], path: string): string[] {
  const names = readNames(body);
  const faked = body.flatMap((node) => fakedRanges(node));
  const problems = new Set<string>();
  const isFaked = (node: Node): boolean =>
    faked.some(({ start, end }) => start <= node.start! && node.end! <= end);
  for (const top of body)
    walk(top, (node, parents) => {
      const specifier = specifierOf(node);
      if (specifier !== undefined && FOREIGN_MODULE.test(specifier)) problems.add(`imports ${specifier}`);
      const isImport =
        node.type === 'ImportExpression' || (node.type === 'CallExpression' && node.callee.type === 'Import');
      if (isImport && specifier === undefined) problems.add('has an import whose path is computed');
      if (readsEnvironment(node, parents.at(-1), names)) problems.add('reads the environment (process.env)');
      const call = calledPath(node, names);
      if (call === undefined) return;
      const reason = reasonFor(call, node);
      if (reason === undefined || (reason === 'reads the clock' && isFaked(node))) return;
      problems.add(`${reason} (${call})`);
    });
  for (const problem of fileProblems(body, path, names)) problems.add(problem);
  return [...problems];
}

function reasonFor(path: string, node: Node): string | undefined {
  const count = 'arguments' in node ? node.arguments.length : 0;
  if (path === 'Date' && node.type === 'NewExpression' && count > 0) return undefined;
  if (CLOCK.test(path)) return 'reads the clock';
  if (NETWORK.test(path)) return 'uses the network';
  if (RANDOM.test(path)) return 'uses random values';
  if (path === 'eval' || path === 'Function') return `uses ${path}`;
  return /^process\.(exit|kill|abort|chdir)$/.test(path) ? 'controls the process' : undefined;
}

/** Declared names of a file: the global path of each alias, the module functions of `fs`, and paths. */
interface Names {
  readonly declared: ReadonlySet<string>;
  /** Global path of a local name, such as `Date.now` for `const { now } = Date`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Local names of `node:fs` and of its functions. */
  readonly files: ReadonlySet<string>;
  /** Initial values of constants. */
  readonly values: ReadonlyMap<string, Node>;
}

function readNames(body: readonly Node[]): Names {
  const declared = new Set<string>();
  const aliases = new Map<string, string>();
  const files = new Set<string>();
  const values = new Map<string, Node>();
  const names: Names = { declared, aliases, files, values };
  const alias = (target: Node, value: Node): void => {
    const whole = pathOf(value, names);
    if (target.type === 'Identifier' && whole !== undefined) aliases.set(target.name, whole);
    if (target.type !== 'ObjectPattern' || whole === undefined) return;
    for (const property of target.properties) {
      if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') continue;
      const [local] = boundNames(property.value);
      if (local !== undefined) aliases.set(local, `${whole}.${property.key.name}`);
    }
  };
  const visits: ((node: Node) => void)[] = [
    (node) => declare(node, declared),
    (node) => importName(node, { aliases, files }),
    (node) => {
      if (node.type === 'VariableDeclarator' && node.init) {
        if (node.id.type === 'Identifier') values.set(node.id.name, node.init);
        alias(node.id, node.init);
      }
      if (node.type === 'AssignmentExpression') alias(node.left, node.right);
    },
  ];
  for (const visit of visits) for (const top of body) walk(top, visit);
  return names;
}

function declare(node: Node, declared: Set<string>): void {
  if (node.type === 'VariableDeclarator') for (const name of boundNames(node.id)) declared.add(name);
  if ('params' in node && Array.isArray(node.params) && 'body' in node)
    for (const param of node.params as Node[]) for (const name of boundNames(param)) declared.add(name);
  if ((node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id)
    declared.add(node.id.name);
  if (node.type === 'ImportDeclaration') for (const { local } of node.specifiers) declared.add(local.name);
}

function importName(
  node: Node,
  { aliases, files }: { aliases: Map<string, string>; files: Set<string> },
): void {
  const isRequired = node.type === 'VariableDeclarator' && node.init !== null && node.init !== undefined;
  const specifier = isRequired ? specifierOf(node.init!) : specifierOf(node);
  if (specifier === undefined) return;
  const locals: [string, string][] = [];
  if (node.type === 'ImportDeclaration')
    for (const item of node.specifiers) {
      const isNamed = item.type === 'ImportSpecifier';
      const imported = isNamed ? item.imported : undefined;
      locals.push([item.local.name, imported?.type === 'Identifier' ? imported.name : '']);
    }
  if (isRequired)
    for (const name of boundNames(node.id)) locals.push([name, node.id.type === 'Identifier' ? '' : name]);
  const base = GLOBAL_MODULES[specifier.replace(/^node:/, '')];
  for (const [local, imported] of locals) {
    if (FILE_MODULE.test(specifier)) files.add(local);
    if (base !== undefined) aliases.set(local, [base, imported].filter((part) => part !== '').join('.'));
  }
}

/** The path of a global that an expression refers to, such as `Date.now`; undefined for names of the file. */
function pathOf(node: Node, names: Pick<Names, 'aliases' | 'declared'>): string | undefined {
  if (node.type === 'Identifier')
    return names.aliases.get(node.name) ?? (names.declared.has(node.name) ? undefined : node.name);
  const member = memberOf(node);
  if (member === undefined) return undefined;
  const object = pathOf(member.object, names);
  return object === undefined
    ? undefined
    : `${object}.${member.name}`.replace(/^\./, '').replace(GLOBAL_OBJECTS, '');
}

function calledPath(node: Node, names: Names): string | undefined {
  const isCall =
    node.type === 'CallExpression' || node.type === 'OptionalCallExpression' || node.type === 'NewExpression';
  return isCall ? pathOf(node.callee, names) : undefined;
}

function readsEnvironment(node: Node, parent: Node | undefined, names: Names): boolean {
  if (node.type === 'Identifier') {
    const isKnown = names.aliases.get(node.name)?.startsWith('process.env') === true;
    return isKnown && parent?.type === 'ObjectProperty';
  }
  return memberOf(node) !== undefined && pathOf(node, names)?.startsWith('process.env') === true;
}

/** Ranges in which a test has replaced the clock: its function, or for a hook the group around it. */
function fakedRanges(top: Node): Range[] {
  const ranges: Range[] = [];
  walk(top, (node, parents) => {
    if (node.type !== 'CallExpression') return;
    const member = memberOf(node.callee);
    if (member === undefined) return;
    const isMock = member.name === 'enable' && memberOf(member.object)?.name === 'timers';
    if (!FAKE_TIMERS.test(member.name) && !isMock) return;
    const hook = parents.findLastIndex(
      (parent) =>
        parent.type === 'CallExpression' &&
        parent.callee.type === 'Identifier' &&
        HOOK.test(parent.callee.name),
    );
    const outer = hook === -1 ? parents : parents.slice(0, hook);
    const scope = outer.findLast(
      ({ type }) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression',
    );
    ranges.push(scope === undefined ? { start: 0, end: Infinity } : { start: scope.start!, end: scope.end! });
  });
  return ranges;
}

function fileProblems(body: readonly Node[], path: string, names: Names): string[] {
  const problems: string[] = [];
  const depth = path.split('/').length - 1;
  for (const top of body)
    walk(top, (node) => {
      if (node.type !== 'CallExpression' || !isFileFunction(node.callee, names.files)) return;
      const [target] = node.arguments;
      if (target !== undefined && !isOwnPath(target, names, depth))
        problems.push('opens a file whose path is neither relative nor built from import.meta or __dirname');
    });
  return problems;
}

function isFileFunction(callee: Node, files: ReadonlySet<string>): boolean {
  if (callee.type === 'Identifier') return files.has(callee.name);
  const object = memberOf(callee)?.object;
  return object !== undefined && isFileFunction(object, files);
}

/** True if an expression is made of relative literals, `import.meta` and `__dirname` alone, and stays in the repository. */
function isOwnPath(
  node: Node,
  names: Pick<Names, 'values'>,
  depth: number,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  if (node.type === 'StringLiteral') return isInside(node.value, depth);
  if (node.type === 'TemplateLiteral')
    return (
      node.quasis.every(({ value }, at) => at > 0 || isInside(value.raw, depth)) &&
      node.expressions.every((inner) => isOwnPath(inner, names, depth, seen))
    );
  if (node.type === 'Identifier') {
    if (/^__(dirname|filename)$/.test(node.name)) return true;
    const value = names.values.get(node.name);
    if (value === undefined || seen.has(node.name)) return false;
    return isOwnPath(value, names, depth, new Set([...seen, node.name]));
  }
  if (node.type === 'MetaProperty') return true;
  const member = memberOf(node);
  if (member !== undefined) return member.object.type === 'MetaProperty';
  const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
  if (!isCall) return false;
  const { callee } = node;
  const name = callee.type === 'Identifier' ? callee.name : memberOf(callee)?.name;
  return (
    /^(URL|fileURLToPath|join|resolve|dirname|cwd)$/.test(name ?? '') &&
    node.arguments.every((arg) => isOwnPath(arg, names, depth, seen))
  );
}

function isInside(text: string, depth: number): boolean {
  if (/^([/~]|[A-Za-z]:|\w+:)/.test(text)) return false;
  return text.split('/').filter((part) => part === '..').length <= depth;
}
