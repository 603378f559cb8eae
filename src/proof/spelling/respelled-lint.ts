import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { plainText } from './plain-text.ts';
import { rewritingsFor } from './rewritings.ts';

/**
 * A sentence on a problem of the linter that is still there in another spelling, which its rule does not see; undefined if
 * there is none. The changed sources are written plainly and linted again, for each rule with a problem in the base.
 * A spelling that the base has already is no answer to the problem. `before` are the base's problems of this check.
 */
export async function findRespelledProblem(
  check: Check,
  changed: ChangedSources,
  before: readonly Diagnostic[],
): Promise<string | undefined> {
  const own = before.filter(({ file }) => file !== undefined && changed.sources.includes(file));
  for (const [rule, problems] of Map.groupBy(own, (it) => it.rule ?? '')) {
    if (changed.request.signal.aborted) return undefined;
    const now = await problemsWhenPlain(rule, check, changed);
    if (now.length === 0) continue;
    const then = await withBase(changed, () => problemsWhenPlain(rule, check, changed));
    const respelledThen = Math.max(0, then.length - problems.length);
    if (now.length > respelledThen) return describe(rule, now[0]!);
  }
  return undefined;
}

/** Problems of a rule in the sources that are written in another way than the plain one. */
async function problemsWhenPlain(rule: string, check: Check, changed: ChangedSources): Promise<Diagnostic[]> {
  const { request, sources } = changed;
  const texts = new Map<string, string>();
  for (const source of sources) {
    const text = textOf(join(request.root, source));
    const plain = plainText(source, text, rewritingsFor(rule));
    if (plain !== text) texts.set(source, plain);
  }
  if (texts.size === 0) return [];
  const files = [...texts.keys()];
  const report = await withTexts(request.root, texts, () => check.run({ ...request, fresh: true, files }));
  return problemsOf(rule, report);
}

function problemsOf(rule: string, { diagnostics }: CheckReport): Diagnostic[] {
  return diagnostics.filter((it) => it.rule === rule);
}

function describe(rule: string, { file, message }: Diagnostic): string {
  return `The problem that ${rule} reported is still in ${file}, in a spelling that the rule does not see: written plainly, the linter says "${message.slice(0, 200)}" again. Change what the code does; if it is meant, --allow ${file} permits it.`;
}
