/**
 * The ports of ralph: every interface between the loop and the outside, in the order in which an attempt uses them
 * (actor, evaluator, reflector and memory, workspace, run store). An adapter is a factory that returns one of these
 * interfaces. Adapters do not import each other; only `src/compose` imports them.
 *
 * Their data is in `src/ports/`.
 *
 * Paths are relative to the repository's root, with forward slashes, unless the comment says absolute.
 */
import type { RunEvent } from './events.ts';
import type { Sandbox } from './platform/sandbox/sandbox.ts';
import type {
  AcceptanceDraft,
  AcceptanceQuestion,
  AcceptanceRequest,
  AcceptanceSuite,
  IsActing,
  JudgeQuestion,
  Judgement,
  StrengthRequest,
} from './ports/acceptance.ts';
import type { AttemptContext } from './ports/attempt.ts';
import type {
  CheckReport,
  CheckRequest,
  EvaluationRequest,
  Narrowing,
  TreeAudit,
} from './ports/evaluation.ts';
import type { AttemptOutcome, LoopEnd, MemoryContext, Situation } from './ports/memory.ts';
import type { CheckPlan } from './ports/plan.ts';
import type { LineTrace, ReflectionInput, ReflectorOutput, TraceRequest } from './ports/reflection.ts';
import type { ChangeSet, DeliveryMode, DeliveryOutcome, TreeId } from './ports/tree.ts';
import type {
  Evaluation,
  LoopState,
  ProofStrength,
  Reflection,
  SurvivingMutant,
  Tampering,
  TestCase,
  Trajectory,
  Usage,
  WithheldMemory,
} from './schema/generated.ts';

/** Makes one attempt: edits the files in `context.root` and returns a trajectory of what it did. */
export interface Actor {
  readonly name: string;
  /**
   * Does not reject for anything that a model, agent or program does; the trajectory's `outcome` says how the attempt
   * ended. An actor that claims to be done is not believed: the evaluator decides.
   */
  attempt(context: AttemptContext): Promise<Trajectory>;
}

/** Runs one check of the project in the workspace, whole or narrowed to some tests. */
export interface Bench {
  /** `name` is a check's name in the plan. Does not reject for anything that the checked code does. */
  run(name: string, narrowing: Narrowing): Promise<CheckReport>;
  /** The tests that this check ran, among those of an evaluation. */
  testsOf(name: string, tests: readonly TestCase[]): TestCase[];
}

/** Runs the checks on a tree and scores the results. Failing tests, crashes and time-outs are data, not errors. */
export interface Evaluator {
  evaluate(request: EvaluationRequest): Promise<Evaluation>;
}

/** One tool of the repository: a test runner, type checker, linter or command. */
export interface Check {
  readonly plan: CheckPlan;
  /** Does not reject for anything that the checked code does; `status: 'error'` means that the tool could not run. */
  run(request: CheckRequest): Promise<CheckReport>;
}

/** Writes tests for a task before any code is written, and vets them. Never rejects for what a model or agent does. */
export interface AcceptanceTests {
  /** The model (`provider/model`) or agent that writes them. */
  readonly writer: string;
  /**
   * Writes test files into `request.root`, which holds the base tree. Files that do not parse, do not run, pass on the
   * base, fail there for another reason than a missing behaviour, or are not stable are removed again.
   */
  prepare(request: AcceptanceRequest): Promise<AcceptanceSuite>;
  /**
   * Adds tests that pass on a change, which the root holds, and catch one of its surviving mutants each; it asks once.
   * Their criteria say nothing about the base.
   */
  strengthen(request: AcceptanceRequest, survivors: readonly SurvivingMutant[]): Promise<AcceptanceSuite>;
}

/**
 * Lets the user edit test files, given by their absolute paths, and resolves when the user is done. Rejects with
 * RalphError if the user cancels.
 */
export type ReviewTests = (files: readonly string[]) => Promise<void>;

/** Writes test files for a task; what it writes is vetted by somebody else. */
export interface AcceptanceWriter {
  /** The model (`provider/model`) or agent. */
  readonly name: string;
  /** Writes nothing to the tree. Never rejects; without a usable answer, `problem` is a sentence that says why. */
  write(question: AcceptanceQuestion): Promise<AcceptanceDraft>;
}

/** Has an opinion on a change that passed. */
export interface Judge {
  /** `provider/model`. */
  readonly name: string;
  /** Never rejects. */
  judge(question: JudgeQuestion): Promise<Judgement>;
}

/** Measures how well the tests hold a change that passes. */
export interface StrengthMeter {
  /** Never rejects; what could not be measured is in `reason`. Leaves the root as it was. */
  measure(request: StrengthRequest): Promise<ProofStrength>;
}

/** Rules of whoever takes the result, beside the checks, such as those of the job that publishes it. */
export interface ChangeRules {
  /** What is against a change, each as a sentence or two on the change; empty if nothing is. Rejects if git fails. */
  examine(changes: ChangeSet): Promise<readonly string[]>;
  /** New code of which this is true must be needed by a check. */
  readonly isActing: IsActing;
}

/** Turns a failed attempt into a diagnosis and a plan for the next one. Never rejects: it has a fallback. */
export interface Reflector {
  reflect(input: ReflectionInput): Promise<ReflectorOutput>;
}

/** Runs one test with traces of the changed lines and of values. Leaves the tree as it was. */
export interface Tracer {
  /**
   * Whether the test of `failure`, which passes on the tree, executes one of the lines; `evaluation` is one in which it failed.
   * Undefined where that cannot be seen. Rejects only if the disk refuses.
   */
  executes(request: TraceRequest): Promise<boolean | undefined>;
  /** Undefined where the test or a line cannot be traced. Rejects only if the disk refuses. */
  trace(request: TraceRequest): Promise<LineTrace | undefined>;
}

/** Episodic memory: the reflections of every loop in the repository. */
export interface Memory {
  /** Stores durably. Returns the record as it is stored, with its path relative to the repository's root. */
  remember(reflection: Reflection): Promise<{ readonly path: string; readonly reflection: Reflection }>;
  /** The reflections of one loop, by iteration. Damaged files are skipped, with a warning. */
  episodes(loopId: string): Promise<readonly Reflection[]>;
}

/** Long-term memory as the loop uses it. Never rejects: a failure of memory does not end a loop. */
export interface Experience {
  /**
   * Called before the first attempt: draws what is withheld from the loop, to measure what memory changes. The same loop
   * gets the same draw. Undefined if nothing is withheld.
   */
  withhold(situation: Situation): Promise<WithheldMemory | undefined>;
  /** Called before an attempt; undefined if memory holds nothing for it. */
  recall(situation: Situation): Promise<MemoryContext | undefined>;
  /** Called after each attempt and its reflection. Calling it again for the same attempt changes nothing. */
  learn(outcome: AttemptOutcome): Promise<void>;
  /** Called once after the last attempt, for every verdict. */
  conclude(end: LoopEnd): Promise<void>;
  /** Model usage of long-term memory since the loop was first started. */
  readonly spent: Usage;
}

/** The tree that actors edit. Closing it leaves the user's tree, index and refs unchanged. */
export interface Workspace {
  /** Absolute path of the tree. */
  readonly root: string;
  /** The user's tree when the loop began, including uncommitted and untracked files. */
  readonly base: TreeId;
  /** True for a copy of the user's tree: ignored files that an actor writes there reach nobody. */
  readonly isCopy?: boolean;
  /** Stores the current content of the workspace. */
  checkpoint(): Promise<TreeId>;
  /** Stores the tree with these files as the workspace has them; whatever else checks wrote is left out. */
  checkpointFiles(tree: TreeId, files: readonly string[]): Promise<TreeId>;
  /** Restores every file of the tree, and removes files that the tree does not have. */
  restore(tree: TreeId): Promise<void>;
  /** Restores what belongs to the workspace but not to its tree, such as ignored files. Absent if there is nothing of this kind. */
  repair?(): void;
  changes(from: TreeId, to: TreeId): Promise<ChangeSet>;
  close(): Promise<void>;
}

/** A checkout of a tree as the user would have it, made from git's objects alone. */
export interface PristineTree {
  /** Absolute real path. */
  readonly root: string;
  /** Absolute real path of the user's repository, which it stands for. */
  readonly repository: string;
  /** Confines commands in it; without it they have ralph's own rights. */
  readonly sandbox?: Sandbox | undefined;
  /** Removes it. Rejects if that is not possible. */
  close(): Promise<void>;
}

/** Protects tests, configuration and dependencies, on which the verdict depends, from the actor. */
export interface Guard {
  /** Begins to read what the other methods need to know of the base, so that it is done while the first checks run. */
  prepare?(): void;
  /**
   * Restores protected files from the base. Returns what it restored, and the tampering that cannot be undone by
   * restoring a file.
   */
  restoreProtected(): Promise<Tampering[]>;
  /** The tree that `restoreProtected` has examined; undefined if it had to restore a file of it. */
  examined?(): TreeId | undefined;
  /**
   * Compares the workspace with the tree after the checks have run, and finds protected files that changed since they began,
   * in milliseconds since the epoch. Absent if there is no actor to guard against.
   */
  audit?(tree: TreeId, since?: number): Promise<TreeAudit>;
  /** From now on, compares with this tree instead of the base, and protects these files as well. */
  protectFrom?(tree: TreeId, files: readonly string[]): void;
}

/** Applies a verified tree to the user's repository. */
export interface Delivery {
  /** The files in `without` are delivered as the base has them. */
  deliver(tree: TreeId, how: DeliveryMode, without?: readonly string[]): Promise<DeliveryOutcome>;
}

/** Append-only journal of one loop, and the files beside it. */
export interface RunStore {
  readonly loopId: string;
  /** Number of steps in the journal. */
  readonly finishedSteps: number;
  /** Whether a step is in the journal. */
  has(name: string): boolean;
  /**
   * Runs a step once in the life of a loop. The result is on the disk before the promise resolves; a resumed loop reads
   * it from the journal instead of running the step again. With `artifact`, a path in the loop's folder, the result is
   * written to that file instead of the journal line.
   */
  step<T>(name: string, run: () => Promise<T>, options?: { readonly artifact?: string }): Promise<T>;
  /** Writes a file into the loop's folder; `path` is relative to that folder, the returned path to the repository. */
  attach(path: string, text: string): Promise<string>;
  saveState(state: LoopState): Promise<void>;
}

/** Receives every event of a run. An exception in a reporter is caught before it reaches the loop. */
export interface Reporter {
  on(event: RunEvent): void;
}
