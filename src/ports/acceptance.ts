/** Requests and answers of the proof: acceptance tests, a model's opinion of a change, the strength of the tests. */
import type { WorkEvent } from '../events.ts';
import type {
  AcceptanceAnswer,
  Criterion,
  Evaluation,
  JudgeFinding,
  SurvivingMutant,
  Usage,
} from '../schema/generated.ts';
import type { ProjectPlan } from './plan.ts';
import type { ChangeSet } from './tree.ts';

export interface AcceptanceQuestion {
  readonly request: AcceptanceRequest;
  /** Folder, relative to the root, and name ending of the test files. */
  readonly place: { readonly folder: string; readonly ending: string };
  /** Title of the test runner. */
  readonly runner: string;
  /** Paths of existing tests to show as examples. */
  readonly examples: readonly string[];
  readonly limits: { readonly tests: number; readonly files: number };
  readonly survivors: readonly SurvivingMutant[];
  /** Reasons for which the previous answer was rejected. */
  readonly reasons: readonly string[];
}

export interface AcceptanceDraft extends AcceptanceAnswer {
  readonly problem?: string;
  readonly usage: Usage;
}

export interface AcceptanceRequest {
  readonly task: string;
  /** Criteria that the task's source states, each as one sentence; empty to derive them from the task. */
  readonly stated: readonly string[];
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly project: ProjectPlan;
  /** Evaluation of the tree in the root; its failing tests may already demand what the task asks. */
  readonly evaluation: Evaluation;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** Receives each model call as it happens. Never throws. */
  readonly onWork: (event: WorkEvent) => void;
}

export interface AcceptanceSuite {
  /** With `source: 'written'`; `red_before` is true and `green_after` false. */
  readonly criteria: readonly Criterion[];
  /** Test files in the root that belong to the suite; protected from the actor. */
  readonly files: readonly string[];
  /** Requirements of the task that no test covers. */
  readonly uncovered: readonly string[];
  /** Rejected tests, each as one sentence with the reason. */
  readonly rejected: readonly string[];
  readonly usage: Usage;
}

export interface JudgeQuestion {
  readonly task: string;
  /** Criteria that the model judges the change by. */
  readonly criteria: readonly { readonly id: string; readonly text: string }[];
  readonly changes: ChangeSet;
  readonly signal: AbortSignal;
  /** Receives each model call as it happens. Never throws. */
  readonly onWork: (event: WorkEvent) => void;
}

export interface Judgement {
  readonly findings: readonly JudgeFinding[];
  /** The reason why there is no opinion. */
  readonly problem?: string;
  readonly usage: Usage;
}

/** Lines of a text, 1-based. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
  /** Of these lines, the code between two offsets of the text alone. */
  readonly between?: readonly [start: number, end: number];
}

/** Whether the code in some lines of a source reaches outside of its process. */
export type IsActing = (file: string, text: string, lines: LineRange) => boolean;

/** The task and the permissions by which a file beside the code may change without a check that needs it. */
export interface BesideTheCode {
  readonly task: string;
  readonly isAllowed: (path: string) => boolean;
}

export interface StrengthRequest {
  /** Absolute path of the workspace, which holds the result. */
  readonly root: string;
  /** Changes between base and result. */
  readonly changes: ChangeSet;
  /** Confirmed evaluation of the result. */
  readonly evaluation: Evaluation;
  /** Files whose changes are tests, not product code. */
  readonly testFiles: readonly string[];
  readonly timeoutMs: number;
  /** Time for so many changed blocks, if that is longer, and once more for as many files beside the code. Default: `timeoutMs`. */
  readonly blocksMs?: (count: number) => number;
  /** No mutants, only the changed blocks put back. Default false. */
  readonly onlyBlocks?: boolean;
  /** Whether a new declaration must be needed, because of what its code does. Default: none must. */
  readonly isActing?: IsActing;
  /** Files beside the code must be needed too, unless the task names them or they may change at will. Default: they need not. */
  readonly beside?: BesideTheCode;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}
