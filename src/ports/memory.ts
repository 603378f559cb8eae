/** Events of a loop from which memory learns, and the part of memory that an attempt is shown. */
import type {
  Evaluation,
  Lesson,
  LoopStatus,
  Reflection,
  Trajectory,
  WithheldMemory,
} from '../schema/generated.ts';
import type { ChangeSet } from './tree.ts';

/** Part of long-term memory that an attempt is shown. A model or a program wrote it: it is data, not instructions. */
export interface MemoryContext {
  /** The project's playbook, bounded. */
  readonly playbook?: string;
  /** At most 10, the most important first. */
  readonly insights: readonly string[];
  /** At most 10: pinned lessons first, then by relevance to the attempt. */
  readonly lessons: readonly ShownLesson[];
}

export type ShownLesson = Pick<Lesson, 'id' | 'text' | 'type' | 'pinned' | 'confidence'>;

/** The state that an attempt starts from, for which memory selects. */
export interface Situation {
  readonly loopId: string;
  readonly task: string;
  readonly evaluation: Evaluation;
  /** Memory that is withheld from the loop at random; absent for none. */
  readonly withheld?: WithheldMemory | undefined;
}

/** One evaluated attempt, passed or failed, from which memory learns. */
export interface AttemptOutcome {
  readonly loopId: string;
  /** 1-based. */
  readonly iteration: number;
  readonly task: string;
  readonly trajectory: Trajectory;
  /** Changes against the tree that the attempt started from. */
  readonly changes: ChangeSet;
  /** The attempt whose tree it started from, 1-based; 0 or absent: the tree that the loop began with. */
  readonly startedFrom?: number;
  readonly evaluation: Evaluation;
  /** Evaluation of the tree that the attempt started from. */
  readonly previous: Evaluation;
  /** True if it is better than the baseline and every earlier attempt. */
  readonly best: boolean;
  /** True if it ended the loop as a success. */
  readonly accepted: boolean;
  /** True if it ended in the original tree or in that of an earlier attempt of the loop: it shows nothing new. */
  readonly isSeenTree?: boolean;
  /** Ids of fixed tests that were seen to run a changed line; absent where nobody looked. */
  readonly fixesSeen?: readonly string[];
  /** Absent if the attempt passed. */
  readonly reflection?: Reflection;
  readonly signal: AbortSignal;
}

/** The end of a loop, from which memory learns. */
export interface LoopEnd {
  readonly loopId: string;
  readonly task: string;
  readonly status: LoopStatus;
  /** Number of attempts. */
  readonly attempts: number;
  /** The first attempt that passed, 1-based; absent if none did. */
  readonly passedIn?: number | undefined;
  /** Edits that the search actor tried in all attempts; absent for other actors. */
  readonly tried?: number | undefined;
  readonly signal: AbortSignal;
}
