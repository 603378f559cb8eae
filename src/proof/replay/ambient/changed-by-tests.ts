import { posix } from 'node:path';
import type { Node } from '@babel/types';
import { memberOf } from '../../acceptance/syntax.ts';
import { parseSource } from '../../../repair/syntax/parse.ts';
import { sitesOf } from '../../../repair/syntax/walk.ts';
import { BROWSER_WORDS, ENVIRONMENT_WORDS, joined, type Changes } from './changes.ts';

type Change = Partial<Changes>;
const UNKNOWN: Change = { isUnknown: true };
const GLOBALS = new Set(['globalThis', 'global', 'window', 'self', 'process']);

/**
 * What a test file changes of what the code under test finds: mocks, globals, members of what it imports, variables, the working
 * folder. Not the clock: calls
 * are repeated at several times, and those whose results differ show nothing.
 */
export function changesOfTests(file: string, text: string): Changes {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return joined([UNKNOWN]);
  const nodes = sitesOf(parsed.tree.program).map(({ node }) => node);
  const imported = new Set(
    [...text.matchAll(IMPORTED)].flatMap(([, named, given]) => namesIn(named ?? given!)),
  );
  const inBrowser = /@(vitest|jest)-environment\s+(?!node\b)/.test(text);
  return joined([
    ...(inBrowser ? [{ words: BROWSER_WORDS }] : []),
    ...libraries(text),
    ...nodes.flatMap((node) => [...ofCall(node, file), ...ofAssignment(node, imported)]),
  ]);
}

/** Libraries that replace more than the test names. */
function libraries(text: string): Change[] {
  const imported = (names: string): boolean => new RegExp(`['"\`](${names})(/[^'"\`]*)?['"\`]`).test(text);
  return [
    ...(imported('proxyquire|rewire|testdouble|rewiremock|mockery|esmock|quibble') ? [UNKNOWN] : []),
    ...(imported('nock|msw|undici|mock-fs|memfs|unionfs|fetch-mock|jest-fetch-mock|vitest-fetch-mock')
      ? [{ outside: true, words: ['fetch', 'XMLHttpRequest'] }]
      : []),
    ...(imported('jsdom-global|global-jsdom|happy-dom|@happy-dom/global-registrator')
      ? [{ words: BROWSER_WORDS }]
      : []),
  ];
}

/** Names by which tests call mocking libraries. */
const MOCKING = /^(vi|vitest|jest|td|mock|mocks|sinon|sandbox|sb)$/i;

function ofCall(node: Node, file: string): Change[] {
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return [];
  const member = memberOf(node.callee);
  const name = member?.name ?? (node.callee.type === 'Identifier' ? node.callee.name : '');
  const [first, second] = node.arguments;
  const isMocking =
    member !== undefined &&
    ((member.object.type === 'Identifier' && MOCKING.test(member.object.name)) ||
      memberOf(member.object)?.name === 'mock');
  switch (name) {
    case 'mock':
    case 'doMock':
    case 'unmock':
    case 'unstable_mockModule':
    case 'setMock':
    case 'module':
      return isMocking ? [ofModule(first, file)] : [];
    case 'resetModules':
    case 'isolateModules':
    case 'isolateModulesAsync':
      return isMocking ? [{ state: true }] : [];
    case 'stubGlobal':
      return [ofName(first)];
    case 'stubEnv':
      return [{ words: ENVIRONMENT_WORDS }];
    case 'spyOn':
    case 'method':
    case 'getter':
    case 'setter':
    case 'property':
      return isMocking ? [ofName(second)] : [];
    case 'replaceProperty':
    case 'stub':
    case 'spy':
    case 'replace':
    case 'define':
      return ofReplaced(first, second, isMocking);
    case 'defineProperty':
    case 'defineProperties':
      return [ofDefined(name, first, second)];
    case 'assign':
      return first !== undefined && isGlobal(first) ? [UNKNOWN] : [];
    case 'chdir':
    case 'umask':
      return [{ outside: true, words: ['process', 'path'] }];
    default:
      return [];
  }
}

/** `sinon.stub(object, 'name')`; `sinon.stub()` makes a function, and `text.replace(…)` is something else. */
function ofReplaced(first: Node | undefined, second: Node | undefined, isMocking: boolean): Change[] {
  return first === undefined || !isMocking ? [] : [ofName(second)];
}

function ofDefined(name: string, first: Node | undefined, second: Node | undefined): Change {
  if (name === 'defineProperty') return second?.type === 'StringLiteral' ? ofName(second) : ofTarget(first);
  return ofTarget(first);
}

/** Members with names that are not known: nothing where the object is one that the test has just written. */
function ofTarget(target: Node | undefined): Change {
  const isNew = target?.type === 'ObjectExpression' || target?.type === 'ArrayExpression';
  return isNew ? {} : UNKNOWN;
}

function ofModule(first: Node | undefined, file: string): Change {
  const given = first?.type === 'ImportExpression' ? first.source : first;
  const isImport = given?.type === 'CallExpression' && given.callee.type === 'Import';
  const path = isImport ? given.arguments[0] : given;
  if (path?.type !== 'StringLiteral') return UNKNOWN;
  if (!path.value.startsWith('.')) return { modules: [path.value.replace(/^node:/, '')] };
  const resolved = posix.join(posix.dirname(file), path.value);
  return { modules: [withoutEnding(resolved)] };
}

/** A path without its ending, by which two spellings of a file are compared. */
export function withoutEnding(path: string): string {
  return path.replace(/(\/index)?(\.[cm]?[jt]sx?)?$/, '');
}

function ofName(node: Node | undefined): Change {
  return node?.type === 'StringLiteral' ? { words: [node.value] } : UNKNOWN;
}

/** What an import or a call of `require` gives names to. */
const IMPORTED =
  /^\s*import\s+(?!type\b)([^'"`;]+?)\s+from\b|\b(?:const|let|var)\s+([^=;]+?)=\s*(?:await\s+import|require)\s*\(/gm;

/** The names by which a file knows what it imports: `a, { b, c as d }` gives a, b and d. */
function namesIn(list: string): string[] {
  const parts = list.split(/[{},]/).map((part) => part.replace(/^.*(\bas\b|:)/s, '').trim());
  return parts.filter((part) => /^[\w$]+$/.test(part));
}

function ofAssignment(node: Node, imported: ReadonlySet<string>): Change[] {
  const target =
    node.type === 'AssignmentExpression'
      ? node.left
      : (node.type === 'UnaryExpression' && node.operator === 'delete') || node.type === 'UpdateExpression'
        ? node.argument
        : undefined;
  return target === undefined ? [] : ofWritten(target, imported);
}

/** The change by writing to a global object, or to a member of one or of something imported. */
function ofWritten(target: Node, imported: ReadonlySet<string>): Change[] {
  const names: (string | undefined)[] = [];
  let at: Node = target;
  while (at.type === 'MemberExpression') {
    names.unshift(memberOf(at)?.name);
    at = at.object;
  }
  if (names.length === 0 || at.type !== 'Identifier') return [];
  const isBuiltIn = /^[A-Z]/.test(at.name) && names.length > 1 && names[0] === 'prototype';
  if (!GLOBALS.has(at.name) && !isBuiltIn && !OBJECTS.has(at.name) && !imported.has(at.name)) return [];
  if (at.name === 'process' && names[0] === 'env') return [{ words: ENVIRONMENT_WORDS }];
  if (at.name === 'process') return [{ words: ['process', 'globalThis', 'global'] }];
  return [names[0] === undefined ? UNKNOWN : { words: names.filter((name) => name !== undefined) }];
}

/** Objects of the language and the platform whose members tests replace. */
const OBJECTS = new Set([
  'Math',
  'Date',
  'JSON',
  'console',
  'Object',
  'Array',
  'Promise',
  'crypto',
  'performance',
  'Intl',
]);

function isGlobal(node: Node): boolean {
  return node.type === 'Identifier' && GLOBALS.has(node.name);
}
