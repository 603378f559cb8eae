/** Input and output of the reflector and of the tracer. */
import type { WorkEvent } from '../events.ts';
import type { EditPlace } from '../platform/git/edit-place.ts';
import type { Bench } from '../ports.ts';
import type {
  Diagnostic,
  Evaluation,
  Reflection,
  SelfReflection,
  Tampering,
  Trajectory,
} from '../schema/generated.ts';
import type { ProjectPlan } from './plan.ts';

export interface ReflectionInput {
  readonly task: string;
  /** 1-based. */
  readonly iteration: number;
  readonly trajectory: Trajectory;
  /** Unified diff of the attempt. */
  readonly patch: string;
  /** Where the change stands in its file; only of a single change in a single file. */
  readonly place?: EditPlace | undefined;
  /** The attempt whose tree it started from, 1-based; 0 or absent: the tree that the loop began with. */
  readonly startedFrom?: number;
  readonly evaluation: Evaluation;
  /** Evaluation of the tree that the attempt started from. */
  readonly previous: Evaluation;
  readonly tampering: readonly Tampering[];
  /** Reflections of this loop that the attempt was shown. */
  readonly window: readonly Reflection[];
  /** Which lines of the attempt a failing test ran, and values; absent where nothing was traced. */
  readonly trace?: LineTrace | undefined;
  /** Ids of fixed tests that were seen to run a changed line; absent where nobody looked. */
  readonly fixesSeen?: readonly string[] | undefined;
  /** Ids of fixed tests that were seen to run none of the changed lines. */
  readonly fixesUnrun?: readonly string[] | undefined;
  /** Ids of fixed tests that passed when they were run again on the tree before the attempt. */
  readonly fixesWithout?: readonly string[] | undefined;
  /** The loop around the attempt; without it, only the window is known. */
  readonly loop?: LoopContext;
  /** Only the files of the attempt are known, and not what its actor did and said. Default false. */
  readonly isWatched?: boolean;
  readonly signal: AbortSignal;
  /** Receives each model call as it happens. Never throws. */
  readonly onWork: (event: WorkEvent) => void;
}

/** A line that an attempt wrote; `line` is 1-based. */
export interface ChangedLine {
  readonly file: string;
  readonly line: number;
}

export interface TraceRequest {
  /** Absolute path of the tree after the attempt. */
  readonly root: string;
  readonly project: ProjectPlan;
  readonly evaluation: Evaluation;
  /** The failure whose test is run. */
  readonly failure: Diagnostic;
  readonly lines: readonly ChangedLine[];
  readonly bench: Bench;
  readonly signal: AbortSignal;
}

/** The changed lines that a failing test ran: every changed line is in one of the lists. */
export interface LineTrace {
  readonly testId: string;
  readonly ran: readonly ChangedLine[];
  readonly missed: readonly ChangedLine[];
  /** Lines in which no statement of a function begins. */
  readonly unknown: readonly ChangedLine[];
  /** Values in changed lines, then others; each time returned and assigned ones first, of these the latest first. */
  readonly values: readonly SeenValue[];
}

/** The values that an expression had while a test ran; texts are as Node prints them, without secrets. */
export interface SeenValue extends ChangedLine {
  /** Source text, or the name of the variable that it initialised. */
  readonly code: string;
  /** How often it was evaluated, at least once. */
  readonly count: number;
  /** Higher for an expression whose last evaluation came later. */
  readonly order: number;
  readonly first: string;
  /** Absent where it is not known. */
  readonly last?: string | undefined;
  /** Every evaluation gave the first value. */
  readonly isConstant: boolean;
  /** The attempt wrote the line. */
  readonly isChanged: boolean;
}

/** Facts about the loop that a reflector may look up. */
export interface LoopContext {
  /** Absolute path of the workspace, which holds the tree after the attempt. */
  readonly root: string;
  /** Stored reflections on all earlier attempts of this loop, oldest first. */
  readonly reflections: readonly Reflection[];
  /** Earlier attempts that ended in the same tree, 1-based and oldest first; 0 for the original tree. */
  readonly sameTree: readonly number[];
  /** 1-based iterations of earlier attempts that made the same change, oldest first. */
  readonly sameChange: readonly number[];
  /** The tree that the next attempt starts from: 0 for the original tree, else the 1-based iteration that ended in it. */
  readonly next: { readonly from: number; readonly evaluation: Evaluation };
}

export interface ReflectorOutput {
  readonly reflection: SelfReflection;
  /** The reflector that wrote it, and what it cost. */
  readonly reflector: Reflection['reflector'];
}

/** A stored reflection of another loop. */
export interface EarlierReflection extends Reflection {
  /** Whether the tree that the loop begins with has the edits of its attempt; undefined where that is not known. */
  readonly isInTree?: boolean | undefined;
}
