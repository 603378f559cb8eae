import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Node } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { boundNames } from '../acceptance/syntax.ts';
import { programOf } from './expected-names.ts';
import type { SourceJudgesRequest } from './source-judges.ts';
import { findSilentCall } from './wrong-calls.ts';

/**
 * A sentence on a helper of the tests that changed sources turn off: one of them loads it or can reach any module, and a test passes with a wrong
 * value for the helper that makes it fail with the sources of the base. Undefined if there is none. At most two runs, and none where
 * the sources reach nothing but modules that they name; the files are put back.
 */
export async function findOverriddenHelper(
  check: Check,
  asked: SourceJudgesRequest,
): Promise<string | undefined> {
  const { request, sources, baseText, isJudge } = asked;
  const { root } = request;
  const reaching: string[] = [];
  for (const source of sources) {
    const text = textOf(join(root, source));
    if (text !== ((await baseText(source)) ?? '') && reachesJudges(text, source, { root, isJudge }))
      reaching.push(source);
  }
  if (reaching.length === 0) return undefined;
  const found = await findSilentCall(check, asked, (text, file) => judgeNames(text, file, { root, isJudge }));
  if (found === undefined) return undefined;
  return `"${found.test}" of ${found.file} passes whatever it compares with: ${reaching.join(' or ')} turns ${found.name} off, by which the test judges. Sources leave the helpers of tests alone.`;
}

interface Judges {
  readonly root: string;
  readonly isJudge: (path: string) => boolean;
}

/** Ways to modules that the text does not name: the cache and the loader of Node, its parents, and code in a text. */
const REACHES =
  /\brequire\b(?!\s*\(|\.resolve)|\b_(?:cache|load|extensions)\b|\bmodule\s*\??\.\s*(?:parent|children)\b|\bcreateRequire\b|\bgetBuiltinModule\b|\b(?:eval|Function)\s*\(/;
const COMPUTED = /\b(?:require|import)\s*\(\s*(?!\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`$]*`)\s*[,)])/;

function reachesJudges(text: string, source: string, judges: Judges): boolean {
  if (REACHES.test(text) || COMPUTED.test(text)) return true;
  const named = [...text.matchAll(/['"`](\.{1,2}\/[^'"`\n]+)['"`]/g)];
  return named.some(([, path]) => isJudgeAt(posix.join(posix.dirname(source), path!), judges));
}

const ENDINGS = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.jsx', '.tsx', '/index.js', '/index.ts'];

/** Whether a path, also without its ending, is that of a file that judges. */
function isJudgeAt(path: string, { root, isJudge }: Judges): boolean {
  const bare = path.replace(/\.([cm]?)js(x?)$/, '');
  return [path, bare].some((one) =>
    ENDINGS.some((end) => isJudge(`${one}${end}`) && existsSync(join(root, `${one}${end}`))),
  );
}

/** Names that a test file gives to what it loads from files that judge. */
function judgeNames(text: string, file: string, judges: Judges): ReadonlySet<string> {
  const isFrom = (path: string): boolean =>
    path.startsWith('.') && isJudgeAt(posix.join(posix.dirname(file), path), judges);
  const names = new Set<string>();
  for (const node of programOf(file, text)) {
    if (node.type === 'ImportDeclaration' && isFrom(node.source.value))
      for (const { local } of node.specifiers) names.add(local.name);
    if (node.type !== 'VariableDeclaration') continue;
    for (const { id, init } of node.declarations)
      if (requires(init, isFrom)) for (const name of boundNames(id)) names.add(name);
  }
  return names;
}

/** `require('./file')`, also with a member behind it. */
function requires(node: Node | null | undefined, isFrom: (path: string) => boolean): boolean {
  if (node?.type === 'MemberExpression') return requires(node.object, isFrom);
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') return false;
  const [path] = node.arguments;
  return node.callee.name === 'require' && path?.type === 'StringLiteral' && isFrom(path.value);
}
