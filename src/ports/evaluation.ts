/** Requests to the evaluator and to its checks, and their reports. */
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import type { CheckResult, Diagnostic, Evaluation, Tampering, TestCase } from '../schema/generated.ts';
import type { FileChange, TreeId } from './tree.ts';

export interface EvaluationRequest {
  /** Absolute path of the tree to evaluate. */
  readonly root: string;
  /**
   * Id of the tree. Tests that passed on the same tree are not run again by their checks, but the repository's own
   * test command still runs them.
   */
  readonly tree?: TreeId;
  /** Id of the tree before any change, on which a failing test command is tried as well; absent: it is not. */
  readonly baseTree?: TreeId;
  /** First evaluation of the loop: all of its tests must run and pass. Absent when this is the baseline itself. */
  readonly baseline?: Evaluation;
  /**
   * For the baseline of a loop: a type check or linter that is broken, or has 100 errors or more, is skipped, and counts
   * later only against new errors. `beside_failures`: only where another check fails.
   */
  readonly setAside?: 'beside_failures' | 'always';
  /** The checks are planned for a later tree: one whose folder this tree does not have is new, and has no result. Default false. */
  readonly isEarlier?: boolean;
  /** Evaluation that this one is compared with, to tell failures that are fixed, unchanged or new. */
  readonly previous?: Evaluation;
  /**
   * Files that differ from the tree of `previous`: tests and type checks that they cannot affect do not run again, except
   * to confirm an actor's tree. All run if absent.
   */
  readonly changed?: readonly Pick<FileChange, 'path' | 'kind'>[];
  /** Unified diff from the tree of `previous`: what passes now though it changes no code is not called fixed. */
  readonly patch?: string;
  /** `previous` is of the same tree, and only ignored files can differ: if it failed, its results are taken over. */
  readonly isSameTree?: boolean;
  /** Confirm a success: run every check without caches, then the repository's own test command once. */
  readonly confirm: boolean;
  /** With `confirm`: a failed test that passed in the baseline runs again, as without `confirm`. Default false. */
  readonly mayBeFlaky?: boolean;
  /**
   * With `confirm`: the user's own tree, which no actor has edited. Caches are then used, the checks measure the coverage
   * that the test script demands, and what else that script does runs beside the checks instead of after them.
   */
  readonly isOwn?: boolean;
  /** With `isOwn`: run without caches all the same. */
  readonly isUncached?: boolean;
  /** Ids of tests of the baseline that were red by chance: that they pass now proves nothing, and accuses nobody. Default: none. */
  readonly redByChance?: readonly string[];
  /** Tampering found before the checks run; if there is any, the tree fails. Absent if no actor has edited the tree. */
  readonly refused?: readonly Tampering[];
  /** Examines what the checks did to the tree since they began, in milliseconds since the epoch. */
  readonly audit?: (since?: number) => Promise<TreeAudit>;
  /** Further sources of the tree that may not decide how modules are loaded, although no actor has edited them. */
  readonly doubted?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** Differences between a workspace and the tree that it should hold. */
export interface TreeAudit {
  /** True if the workspace has the files of the tree, and no other one that is not ignored. */
  readonly isSame: boolean;
  /** Protected files that differ from the tree, and installed packages that changed since the base. */
  readonly tampering: readonly Tampering[];
  /** New files that the checks wrote, and that the tree does not have. */
  readonly written: readonly string[];
  /** Files of the tree that the base does not have. */
  readonly added: readonly string[];
  /** Source files that differ from the base, without tests and without files that the actor was allowed to change. */
  readonly sources: readonly string[];
  /** Sources of the base that are deleted or are a link now, without tests and without files that the actor was allowed to change. */
  readonly lost: readonly string[];
  /** Symbolic links that are new, or lead elsewhere than in the base, without those that the actor was allowed to change. */
  readonly links: readonly string[];
  /** Programs that the base lets a shell start, and whose executable bit is gone, without those that the actor was allowed to change. */
  readonly unstartable: readonly string[];
  /** Changed and new files without code, and without those that the actor was allowed to change. */
  readonly data: readonly string[];
  /** Text of a changed file in the base; undefined if the base does not have it, or the file is as in the base. */
  baseText(path: string): Promise<string | undefined>;
  /** True for a file that judges the product, such as a test or a script of a check: the actor may not change it. */
  isJudge(path: string): boolean;
  /** Sources of the tree that judge the product. */
  judges(): Promise<readonly string[]>;
  /** True if the actor was allowed to edit the configuration of this check, so that it may cover other files now. */
  isReconfigured(check: string): boolean;
}

export interface CheckRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Absolute folder of ralph outside the tree, kept between runs, for build info and lint caches. */
  readonly cacheDir: string;
  /** Neither read nor write caches. */
  readonly fresh: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Test files to run; all if absent. */
  readonly files?: readonly string[];
  /** Tests to run in those files; all if absent. */
  readonly only?: readonly TestCase[];
  /** Load each test file anew where an option of the script makes files share modules; only Vitest has one. Default false. */
  readonly isolated?: boolean;
  /** Limit of the JavaScript heap of each process of the tool, in MiB; Node's own limit if absent. */
  readonly memoryMb?: number;
  /** The tests load modules of ralph, for which the repository's Node may be too old, and may leave work behind. Default false. */
  readonly loadsOwn?: boolean;
  /** Files of the tree that need no transformation, because Node reads them as they are; none if absent. */
  readonly plainFiles?: readonly string[];
  /** Fail where the coverage is below the limit of the script, if all tests run. Default false. */
  readonly coverage?: boolean;
  /** Confines the tool; without it, the tool runs with ralph's own rights. */
  readonly sandbox?: Sandbox | undefined;
  /** Absolute folders, besides the tree and `cacheDir`, that a sandboxed tool may write. */
  readonly writable?: readonly string[];
  /** Modules that each Node process of the tool loads before any other code. */
  readonly preload?: Preload;
  /** Called for the first failed tests while the check runs. The report does not depend on them. */
  readonly onTestFailed?: (failure: TestFailure) => void;
}

/** Two modules, because Node loads all those of `--require` before the first of `--import`. */
export interface Preload {
  /** Absolute path of a module of CommonJS. */
  readonly common: string;
  /** URL of a module, which is loaded after it. */
  readonly module: string;
}

/** A failed test, as its runner notes it before the check ends. A later try of the runner may pass. */
export interface TestFailure {
  /** Name of the check. */
  readonly check: string;
  /** Names of the suites and the test, joined by ` > `; `(file)` for a whole file. */
  readonly test: string;
  readonly file?: string;
  /** The compared values, or the first line of the error. */
  readonly message: string;
}

/** Result of one check before the suite gives it a weight and a score. */
export interface CheckReport extends Omit<CheckResult, 'weight' | 'score'> {
  readonly diagnostics: Diagnostic[];
  /** Empty for checks that are not tests, and for tests that do not report names. */
  readonly tests: TestCase[];
}

/** The part of a check to run. */
export interface Narrowing {
  /** Test files to run; all if absent. */
  readonly files?: readonly string[];
  /** Tests to run in those files; all if absent. */
  readonly only?: readonly TestCase[];
  /** Do not run the set-up commands of the check: what they build is there. Default false. */
  readonly skipSetup?: boolean;
  /** Run until it is green, at most so often and while that is quick; the report is the last one. Default 1. */
  readonly times?: number;
  readonly timeoutMs?: number;
  /** Load each test file anew where an option of the script makes files share modules; only Vitest has one. Default false. */
  readonly isolated?: boolean;
  /** Limit of the JavaScript heap of each process of the tool, in MiB; Node's own limit if absent. */
  readonly memoryMb?: number;
  /** The tests load modules of ralph, for which the repository's Node may be too old, and may leave work behind. Default false. */
  readonly loadsOwn?: boolean;
  /** Files of the tree that need no transformation, because Node reads them as they are; none if absent. */
  readonly plainFiles?: readonly string[];
  /** Absolute folders outside the tree that a sandboxed tool may write. */
  readonly writable?: readonly string[];
  readonly signal: AbortSignal;
}
