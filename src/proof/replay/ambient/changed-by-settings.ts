import { posix } from 'node:path';
import { parse } from '@babel/parser';
import type { Node } from '@babel/types';
import { parserOptions } from '../../../repair/syntax/parse.ts';
import { sitesOf } from '../../../repair/syntax/walk.ts';
import { changesOfTests } from './changed-by-tests.ts';
import { BROWSER_WORDS, ENVIRONMENT_WORDS, joined, type Changes } from './changes.ts';

type Change = Partial<Changes>;
const UNKNOWN: Change = { isUnknown: true };

/** How a runner is started. */
export interface RunnerSettings {
  /** Files with its configuration, relative to the root. */
  readonly configs: readonly string[];
  readonly args: readonly string[];
  /** The text of a file, relative to the root; empty if there is none. */
  textOf(path: string): string;
}

/** What a runner's configuration and arguments change of what the code under test finds. */
export function changesOfSettings({ configs, args, textOf }: RunnerSettings): Changes {
  const readFrom = (config: string) => (path: string) =>
    textOf(posix.join(posix.dirname(config), path)) || textOf(path);
  return joined([
    ...configs.flatMap((config) => ofConfig(config, textOf(config), readFrom(config))),
    ...ofArgs(args, readFrom(configs[0] ?? '')),
  ]);
}

type Read = (path: string) => string;

/** Settings in a text that is no JavaScript and no JSON. */
const IN_TEXT =
  /jsdom|happy-dom|\b(testEnvironment|setupFiles\w*|globalSetup|globals?Env|moduleNameMapper|environment|alias|define|env|require|import|loader)\b\s*["']?\s*:/;

function ofConfig(path: string, text: string, read: Read): Change[] {
  const nodes = parsed(path, text);
  if (nodes === undefined) return IN_TEXT.test(text) ? [UNKNOWN] : [];
  return nodes.flatMap((node) => ofSetting(node, read));
}

function parsed(path: string, text: string): Node[] | undefined {
  try {
    const isJson = /(\.json|rc)$/.test(path);
    const { program } = parse(
      isJson ? `(${text}\n)` : text,
      parserOptions(path.replace(/(\.json|rc)$/, '.js'), text),
    );
    const all = sitesOf(program).map(({ node }) => node);
    return posix.basename(path) === 'package.json' ? runnersPart(all) : all;
  } catch {
    return undefined;
  }
}

/** The settings of runners in a package.json. */
function runnersPart(nodes: readonly Node[]): Node[] {
  const parts = nodes.filter(
    (node) =>
      node.type === 'ObjectProperty' && /^(jest|mocha|ava|vitest|jasmine|tap)$/.test(keyOf(node) ?? ''),
  );
  return parts.flatMap((part) => sitesOf(part).map(({ node }) => node));
}

function keyOf(node: Node): string | undefined {
  if (node.type !== 'ObjectProperty' || node.computed) return undefined;
  const { key } = node;
  return key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : undefined;
}

function ofSetting(node: Node, read: Read): Change[] {
  const key = keyOf(node);
  if (key === undefined || node.type !== 'ObjectProperty') return [];
  const { value } = node;
  switch (key) {
    case 'environment':
    case 'testEnvironment':
      return ofEnvironment(value);
    case 'environmentMatchGlobs':
    case 'runner':
    case 'testRunner':
      return isKnownText(value, /jest-circus|jasmine2/) ? [] : [UNKNOWN];
    case 'globals':
    case 'define':
      return ofNames(value);
    case 'env':
    case 'environmentVariables':
      return [{ words: ENVIRONMENT_WORDS }];
    case 'alias':
    case 'moduleNameMapper':
    case 'modulePaths':
    case 'moduleDirectories':
      return [{ packages: true }];
    case 'preset':
      return isKnownText(value, TRANSPILERS) ? [] : [UNKNOWN];
    case 'setupFiles':
    case 'setupFilesAfterEnv':
    case 'globalSetup':
    case 'require':
    case 'import':
    case 'file':
    case 'helpers':
    case 'node-option':
    case 'nodeArguments':
    case 'execArgv':
      return ofSetupFiles(value, read);
    case 'projects':
    case 'workspace':
      return ofProjects(value);
    case 'extends':
      return value.type === 'BooleanLiteral' ? [] : [UNKNOWN];
    default:
      return [];
  }
}

/** Other configuration files may bring an environment of their own; settings inside are seen on their own. */
function ofProjects(value: Node): Change[] {
  const list = value.type === 'ArrayExpression' ? value.elements : [value];
  const areSeen = list.every((item) => item?.type === 'ObjectExpression');
  return areSeen ? [] : [{ packages: true, words: [...BROWSER_WORDS, ...ENVIRONMENT_WORDS] }];
}

function ofEnvironment(value: Node): Change[] {
  if (isKnownText(value, /^(node|jest-environment-node)$/)) return [];
  return isKnownText(value, /dom$|dom\b/) ? [{ words: BROWSER_WORDS }] : [UNKNOWN];
}

/** Globals by name; `globals: true` of Vitest is about the functions of tests. */
function ofNames(value: Node): Change[] {
  if (value.type === 'BooleanLiteral') return [];
  if (value.type !== 'ObjectExpression') return [UNKNOWN];
  return value.properties.map((property) => {
    const key = keyOf(property);
    return key === undefined ? UNKNOWN : { words: key.split('.') };
  });
}

/** Packages that only translate code, add matchers or read source maps. */
const TRANSPILERS =
  /^(ts-jest|babel-jest|@swc|@babel\/register|@swc-node|ts-node|tsx$|tsx\/|tsimp|tsm|jiti|esm$|esbuild-(register|runner)|sucrase|@esbuild-kit|coffee(script)?\/register|source-map-support|@testing-library\/jest-dom|jest-extended|chai|should)/;

function ofSetupFiles(value: Node, read: Read): Change[] {
  const list = value.type === 'ArrayExpression' ? value.elements : [value];
  return list.flatMap((item) => {
    if (item?.type !== 'StringLiteral') return [UNKNOWN];
    return item.value.startsWith('-') ? ofArgs([item.value], read) : ofLoaded(item.value, read);
  });
}

/** A file or package that is loaded before the tests. */
function ofLoaded(name: string, read: Read): Change[] {
  const bare = name.replace(/^<rootDir>\//, './');
  if (TRANSPILERS.test(bare)) return [];
  const paths = ['', '.js', '.cjs', '.mjs', '.ts', '/index.js'].map((ending) =>
    posix.normalize(bare + ending),
  );
  const path = paths.find((one) => read(one) !== '');
  return path === undefined ? [UNKNOWN] : [changesOfTests(path, read(path)), ...ofImported(read(path))];
}

/** What a setup file imports may change anything, unless it is a test library. */
function ofImported(text: string): Change[] {
  const names = [...text.matchAll(/(?:\bfrom|\bimport|\brequire\s*\()\s*(['"`])([^'"`]+)\1/g)].map(
    ([, , name]) => name!,
  );
  const isHarmless = (name: string): boolean =>
    TRANSPILERS.test(name) || /^(node:|vitest$|@jest\/globals$|mocha$|@testing-library\/)/.test(name);
  return names.every(isHarmless) ? [] : [UNKNOWN];
}

function ofArgs(args: readonly string[], read: Read): Change[] {
  const words = args.flatMap((arg) => arg.split(/\s+/));
  return words.flatMap((word, at) => {
    const [, option = '', inline] = /^(-{1,2}[\w-]+)(?:=(.*))?$/.exec(word) ?? [];
    const value = inline ?? words[at + 1] ?? '';
    switch (option) {
      case '-r':
      case '--require':
      case '--import':
      case '--loader':
      case '--experimental-loader':
      case '--setupFiles':
      case '--setupFilesAfterEnv':
      case '--file':
      case '--helper':
        return ofLoaded(value.replaceAll(/^['"]|['"]$/g, ''), read);
      case '--env-file':
      case '--env-file-if-exists':
        return [{ words: ENVIRONMENT_WORDS }];
      case '--env':
      case '--environment':
      case '--testEnvironment':
        return value === 'node' ? [] : [{ words: BROWSER_WORDS }];
      case '--dom':
        return [{ words: BROWSER_WORDS }];
      default:
        return [];
    }
  });
}

function isKnownText(value: Node, pattern: RegExp): boolean {
  return value.type === 'StringLiteral' && pattern.test(value.value);
}
