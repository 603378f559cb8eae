import type { MemoryContext } from '../../ports/memory.ts';
import { dangerIn } from '../../platform/redaction/unsafe-text.ts';
import { boundBytes, line } from '../../prompts/bounded-data.ts';
import type { Insight, Lesson } from '../../schema/generated.ts';
import { activeInsights, readInsights } from './insights/store.ts';
import { isRuledInsight } from './insights/rules.ts';
import { readPlaybookText } from './playbook/store.ts';
import { keptAdvice } from '../lessons/advice-problem.ts';
import { isWithdrawn } from '../lessons/withdrawn.ts';

/** Limits of playbook and insights in a prompt: bytes of the playbook and of one insight, number of insights. */
const LIMITS = { playbookBytes: 1200, insightBytes: 200, insights: 10 } as const;

/**
 * Playbook and insights for a prompt, bounded; unverified and withdrawn insights are left out. `lessons`: of every
 * status. Throws RalphError where memory cannot be read.
 */
export async function readSlots(
  repositoryRoot: string,
  lessons: readonly Lesson[],
): Promise<Omit<MemoryContext, 'lessons'>> {
  const text = await readPlaybookText(repositoryRoot, lessons);
  const insights = activeInsights(await readInsights(repositoryRoot))
    .filter((insight) => insight.verified && !isWithdrawn(insight, lessons))
    .flatMap((insight) => toldAs(insight, repositoryRoot) ?? [])
    .slice(0, LIMITS.insights)
    .map((told) => line(told, LIMITS.insightBytes));
  return {
    playbook: text === undefined ? undefined : boundBytes(text.trim(), LIMITS.playbookBytes),
    insights,
  };
}

/** An insight in the words of ralph's rules as it is, one of a model as unchecked advice; undefined for one that is not told. */
function toldAs({ text }: Insight, repositoryRoot: string): string | undefined {
  if (dangerIn(text) !== undefined) return undefined;
  if (isRuledInsight(text)) return text;
  const advice = keptAdvice(repositoryRoot, { text });
  return advice === undefined ? undefined : `Not checked: ${advice}`;
}
