import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { parseSource } from '../../repair/syntax/parse.ts';
import { walk } from '../acceptance/syntax.ts';
import type { Coded } from '../tested-inputs/neighbours.ts';
import { kindOf } from './coded-kinds.ts';
import type { OddResult, Recording } from './recording.ts';
import type { ReplayRequest } from './replay-request.ts';

/** Results that no caller awaits for more than they are. */
const PLAIN = /^(string|number|boolean|bigint|null|undefined|date|list|map|set)$/;

/**
 * Whether a result with `then` is an object of a class that the change gives this method, for a test that awaits what the
 * function returns, such as a query that is built by calls and sent by `await`. Not where the function returned a plain value
 * before: its callers do not await it. `before`: what a run with the base's sources recorded.
 */
export async function isMeantThenable(
  { source, name, says = '' }: OddResult,
  texts: readonly string[],
  { request, baseText, before }: Pick<ReplayRequest, 'request' | 'baseText'> & { readonly before: Recording },
): Promise<boolean> {
  if (!/\bthen\b/.test(says)) return false;
  const isAwaited = texts.some((text) => text.includes(name) && /\bawait\b|\.then\(|\.resolves\b/.test(text));
  const then = classesIn(source, (await baseText(source)) ?? '');
  const now = classesIn(source, textOf(join(request.root, source)));
  const isMethod = [...now].some(([type, hasThen]) => hasThen && then.get(type) !== true);
  const own = before.calls.filter((call) => call.source === source && call.name === name);
  return isAwaited && isMethod && !own.some(({ result }) => isPlainResult(result));
}

function isPlainResult(result: string | undefined): boolean {
  if (result === undefined || result.startsWith('throws ')) return false;
  return PLAIN.test(kindOf(JSON.parse(result.split('\n')[0]!) as Coded));
}

/** The classes of a text, each with whether it has a method `then`. */
function classesIn(file: string, text: string): ReadonlyMap<string, boolean> {
  const parsed = parseSource(file, text);
  const found = new Map<string, boolean>();
  if ('problem' in parsed) return found;
  walk(parsed.tree.program, (node) => {
    if (node.type !== 'ClassDeclaration' || !node.id) return;
    const hasThen = node.body.body.some(
      (it) => it.type === 'ClassMethod' && it.key.type === 'Identifier' && it.key.name === 'then',
    );
    found.set(node.id.name, hasThen);
  });
  return found;
}
