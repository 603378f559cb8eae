import { join, posix } from 'node:path';
import type { Node } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { boundNames } from '../acceptance/syntax.ts';
import { programOf } from './expected-names.ts';
import { isIndependent } from './independent-helpers.ts';
import { judgeAt, reachesJudges, type Judges } from './reaching-sources.ts';
import type { SourceJudgesRequest } from './source-judges.ts';
import { findSilentCall } from './wrong-calls.ts';

/**
 * A sentence on a helper of the tests that changed sources turn off: one of them loads it or can reach any module, and a wrong
 * call of the helper, which calls no product, fails with the sources of the base and passes with the changed ones. Undefined if
 * there is none. At most two runs, and none where the sources reach nothing but modules that they name; the files are put back.
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
  return `"${found.test}" of ${found.file} passes with a wrong value for ${found.name}: ${reaching.join(' or ')} turns it off, by which the test judges. Sources leave the helpers of tests alone.`;
}

/** Names that a test file gives to what it loads from files that judge without the product. */
function judgeNames(text: string, file: string, judges: Judges): ReadonlySet<string> {
  const isFrom = (path: string): boolean => {
    const helper = path.startsWith('.') ? judgeAt(posix.join(posix.dirname(file), path), judges) : undefined;
    return helper !== undefined && isIndependent(helper, judges);
  };
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
