/** The input of an attempt, and edits that a model proposes. */
import type { WorkEvent } from '../events.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import type { Bench } from '../ports.ts';
import type { Evaluation, Reflection, Trajectory, Usage, WithheldMemory } from '../schema/generated.ts';
import type { MemoryContext } from './memory.ts';
import type { ProjectPlan } from './plan.ts';

/** Everything an actor gets for one attempt. */
export interface AttemptContext {
  readonly loopId: string;
  /** 1-based. */
  readonly iteration: number;
  /** Number of this actor among those that make the attempt at the same time, 1-based; absent if there is only one. */
  readonly sample?: number | undefined;
  readonly task: string;
  /** Absolute path of the tree to edit; the same in every attempt of a loop. */
  readonly root: string;
  readonly project: ProjectPlan;
  /** The repository's own AGENTS.md or CLAUDE.md, bounded; empty if it has none. */
  readonly guidance: string;
  /** Output of elsewhere about the failure, such as the log of a CI job; untrusted. Absent if there is none. */
  readonly background?: string | undefined;
  /** Evaluation of the tree that the attempt starts from. */
  readonly evaluation: Evaluation;
  /** Test files that were written for the task before any code; absent if there are none. */
  readonly acceptanceTests?: readonly string[] | undefined;
  /** The Ω window: reflections on earlier attempts, in the order of the window policy. */
  readonly reflections: readonly Reflection[];
  /** Long-term memory of the repository; absent if it holds nothing for this attempt. */
  readonly memory?: MemoryContext;
  /** Memory that the loop must not use, to measure what it changes; absent if nothing is withheld. */
  readonly withheld?: WithheldMemory | undefined;
  /** Origin of the tree that the attempt starts from; absent in the first attempt. */
  readonly start?: AttemptStart | undefined;
  /** The attempt before this one, under the strategies that show it. */
  readonly lastAttempt?: LastAttempt | undefined;
  /** Runs checks during the attempt; their results do not count for the verdict. */
  readonly bench: Bench;
  /** Confines every command of the attempt; without it, commands run with ralph's own rights. */
  readonly sandbox?: Sandbox | undefined;
  /** On abort the actor ends at once and kills its child processes. */
  readonly signal: AbortSignal;
  /** Aborts when the user asks the loop to stop: an attempt that can be made again is cut off. Absent: it is finished. */
  readonly stop?: AbortSignal | undefined;
  /** Receives one short line on what the actor is doing now. */
  readonly onProgress: (text: string) => void;
  /** Receives each action and model call as it happens. Never throws. */
  readonly onWork: (event: WorkEvent) => void;
}

/** A small edit that may repair failing tests: one text in place of another one. */
export interface EditIdea {
  /** Relative to the repository's root or the package's folder. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly before: string;
  readonly after: string;
}

/** Edits that a model proposed, most promising first, and what they cost. */
export interface EditIdeas {
  readonly edits: readonly EditIdea[];
  readonly usage: Usage;
  /** Why each of the model's other edits cannot be tried, as the end of "1 edit …": `without a text to replace`. */
  readonly unusable: readonly string[];
  /** One sentence on why nothing was read from the answer; absent if it holds a list of edits. */
  readonly problem?: string;
  /** True if the model gave no answer at all: it failed, refused, or a budget is spent. */
  readonly unanswered?: boolean;
}

/** The earlier attempts of the loop whose changes are in the tree that an attempt starts from. Iterations are 1-based. */
export interface AttemptStart {
  /** The attempt that left this tree; 0: the user's tree, with no attempt in it. */
  readonly attempt: number;
  /** Attempts that this tree was built from, ascending; the last one is `attempt`. */
  readonly kept: readonly number[];
  /** Those of `kept` whose whole change is certainly in the files: no later kept attempt touched one of their files. */
  readonly present: readonly number[];
  /** The other attempts that changed something, ascending. */
  readonly rolledBack: readonly RolledBackAttempt[];
}

export interface RolledBackAttempt {
  readonly attempt: number;
  /** True if every file that the attempt changed is certainly as it was before it; false if that is not known. */
  readonly isAbsent: boolean;
}

export interface LastAttempt {
  /** 1-based. */
  readonly iteration: number;
  readonly trajectory: Trajectory;
  /** Its change against the tree that it started from. */
  readonly patch: string;
  readonly evaluation: Evaluation;
}
