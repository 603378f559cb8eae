import type { AttemptOutcome, LoopEnd, MemoryContext } from '../../ports.ts';
import type { Grounds, LessonCandidate } from '../lessons/contract.ts';

/** What else works on long-term memory beside the lessons. None of these may reject; all are optional. */
export interface MemoryPasses {
  /** Playbook and insights as the next attempt is told them, bounded. */
  slots?(): Promise<Omit<MemoryContext, 'lessons'>>;
  /** Looks at the lessons of a reflection before they are proposed to the gate. */
  validate?(
    drafts: readonly LessonCandidate[],
    about: ValidationRequest,
  ): Promise<readonly LessonCandidate[]>;
  afterAttempt?(outcome: AttemptOutcome): Promise<void>;
  atLoopEnd?(end: LoopEnd): Promise<void>;
}

export interface ValidationRequest {
  readonly outcome: AttemptOutcome;
  /** What the quotes of drafts are looked for in. */
  readonly grounds: Grounds;
}
