import { createHash } from 'node:crypto';
import { oneLine } from '../../../platform/text/one-line.ts';
import type { AttemptRef, Insight, Observation, ProposedInsight } from '../../../schema/generated.ts';
import { clampImportance } from '../observe/importance.ts';

/** A proposed insight that is not stored yet. */
export interface Proposal {
  readonly text: string;
  /** 0..1. */
  readonly importance: number;
  /** Attempts that show it; empty where it is not verified. */
  readonly evidence: readonly Observation[];
  readonly verified: boolean;
  /** In the words of a model, so that it may be nothing but advice. */
  readonly isModels?: boolean;
}

const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+(.+)$/;
const LEAST_CHARS = 10;
const MAX_CHARS = 500;
/** Attempts that are stored with an insight, the newest. */
export const MOST_EVIDENCE = 20;
const UNVERIFIED_IMPORTANCE = 0.5;

/**
 * A model's insights with their evidence: it names attempts by their 1-based number in the list that it was shown. An
 * insight that names no existing attempt is dropped.
 */
export function proposalsFrom(
  answers: readonly ProposedInsight[],
  shown: readonly Observation[],
): { readonly proposals: Proposal[]; readonly dropped: number } {
  const proposals = answers.flatMap(({ insight, importance, attempts }) => {
    const evidence = [...new Set(attempts)].flatMap((number) => shown[number - 1] ?? []);
    const text = oneLine(insight, MAX_CHARS);
    if (evidence.length === 0 || text === '') return [];
    return [{ text, importance: clampImportance(importance), evidence, verified: true, isModels: true }];
  });
  return { proposals, dropped: answers.length - proposals.length };
}

/** Unverified proposals from the bullet lines of a reply that is not JSON, at most `most`. */
export function proposalsFromLines(reply: string, most: number): Proposal[] {
  const texts = reply.split('\n').flatMap((line) => {
    const text = oneLine(BULLET.exec(line)?.[1] ?? '', MAX_CHARS);
    return text.length < LEAST_CHARS || /^[[{"]/.test(text) ? [] : [text];
  });
  return texts.slice(0, most).map((text) => ({
    ...{ text, importance: UNVERIFIED_IMPORTANCE },
    ...{ evidence: [], verified: false, isModels: true },
  }));
}

/** The insight that is stored for a proposal. `at`: ISO 8601. */
export function toInsight(proposal: Proposal, at: string, lessonId?: string): Insight {
  const { text, importance, evidence, verified } = proposal;
  return {
    id: `insight-${createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, 12)}`,
    text,
    importance,
    evidence: evidence.slice(-MOST_EVIDENCE).map(attemptRef),
    verified,
    created_at: at,
    lesson_id: lessonId,
  };
}

function attemptRef({ loop_id, iteration }: Observation): AttemptRef {
  return { loop_id, iteration };
}
