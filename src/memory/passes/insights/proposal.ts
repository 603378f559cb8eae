import { createHash } from 'node:crypto';
import type { AttemptRef, Insight, Observation, ProposedInsight } from '../../../schema/generated.ts';
import { clampImportance } from '../observe/importance.ts';
import { oneLine } from '../common/one-line.ts';

/** An insight that is not stored yet. */
export interface Proposal {
  readonly text: string;
  /** 0..1. */
  readonly importance: number;
  /** Attempts that show it; none where it is not verified. */
  readonly evidence: readonly Observation[];
  readonly verified: boolean;
}

const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+(.+)$/;
const LEAST_CHARS = 10;
const UNVERIFIED_IMPORTANCE = 0.5;

/**
 * A model's insights with the attempts that their numbers name, 1-based in the list it was shown. One that names no
 * attempt that exists is dropped.
 */
export function proposalsFrom(
  answers: readonly ProposedInsight[],
  shown: readonly Observation[],
): { readonly proposals: Proposal[]; readonly dropped: number } {
  const proposals = answers.flatMap(({ insight, importance, attempts }) => {
    const evidence = [...new Set(attempts)].flatMap((number) => shown[number - 1] ?? []);
    const text = oneLine(insight, 500);
    if (evidence.length === 0 || text === '') return [];
    return [{ text, importance: clampImportance(importance), evidence, verified: true }];
  });
  return { proposals, dropped: answers.length - proposals.length };
}

/** The last resort: bullet lines of a reply that is no JSON. What they rest on is not known. */
export function proposalsFromLines(text: string, most: number): Proposal[] {
  const lines = text.split('\n').flatMap((line) => {
    const said = oneLine(BULLET.exec(line)?.[1] ?? '', 500);
    return said.length < LEAST_CHARS || /^[[{"]/.test(said) ? [] : [said];
  });
  return lines
    .slice(0, most)
    .map((said) => ({ text: said, importance: UNVERIFIED_IMPORTANCE, evidence: [], verified: false }));
}

/** A proposal as it is stored. */
export function insightOf(proposal: Proposal, at: string, lessonId?: string): Insight {
  const { text, importance, evidence, verified } = proposal;
  return {
    id: `insight-${createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, 12)}`,
    ...{ text, importance, evidence: evidence.slice(-20).map(attemptRef), verified, created_at: at },
    ...(lessonId !== undefined && { lesson_id: lessonId }),
  };
}

function attemptRef({ loop_id, iteration }: Observation): AttemptRef {
  return { loop_id, iteration };
}
