/**
 * The ports of ralph: every interface between the loop and the outside, in the order in which an attempt uses them
 * (actor, evaluator, reflector and memory, workspace, run store). An adapter is a factory that returns one of these
 * interfaces. Adapters do not import each other; only `src/compose` imports them.
 *
 * Paths are relative to the repository's root, with forward slashes, unless the comment says absolute.
 */
import type { RunEvent, WorkEvent } from './events.ts';
import type {
  AcceptanceAnswer,
  Applied,
  CheckKind,
  CheckResult,
  Criterion,
  CriterionSource,
  Diagnostic,
  Evaluation,
  JudgeFinding,
  Lesson,
  LoopState,
  LoopStatus,
  ProofStrength,
  Reflection,
  SelfReflection,
  SurvivingMutant,
  Tampering,
  TestCase,
  Trajectory,
  Usage,
  WithheldMemory,
} from './schema/generated.ts';
import type { Sandbox } from './platform/sandbox/sandbox.ts';

/** Id of a git tree in ralph's own object store: the content of all files at one moment. */
export type TreeId = string;

// ── Actor ───────────────────────────────────────────────────────────────────────────────────────────

/** Makes one attempt: edits the files in `context.root` and returns a trajectory of what it did. */
export interface Actor {
  readonly name: string;
  /**
   * Does not reject for anything that a model, agent or program does; the trajectory's `outcome` says how the attempt
   * ended. An actor that claims to be done is not believed: the evaluator decides.
   */
  attempt(context: AttemptContext): Promise<Trajectory>;
}

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
  /** One sentence on why there are no edits; absent if there are some. */
  readonly problem?: string;
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

/** Runs one check of the project in the workspace, whole or narrowed to some tests. */
export interface Bench {
  /** `name` is a check's name in the plan. Does not reject for anything that the checked code does. */
  run(name: string, narrowing: Narrowing): Promise<CheckReport>;
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
  /** Limit of the JavaScript heap of each process of the tool, in MiB; Node's own limit if absent. */
  readonly memoryMb?: number;
  /** Absolute folders outside the tree that a sandboxed tool may write. */
  readonly writable?: readonly string[];
  readonly signal: AbortSignal;
}

// ── Evaluator ───────────────────────────────────────────────────────────────────────────────────────

/** Runs the checks on a tree and scores the results. Failing tests, crashes and time-outs are data, not errors. */
export interface Evaluator {
  evaluate(request: EvaluationRequest): Promise<Evaluation>;
}

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
  /** Evaluation that this one is compared with, to tell failures that are fixed, unchanged or new. */
  readonly previous?: Evaluation;
  /**
   * Files that differ from the tree of `previous`: tests and type checks that they cannot affect do not run again, except
   * to confirm an actor's tree. All run if absent.
   */
  readonly changed?: readonly Pick<FileChange, 'path' | 'kind'>[];
  /** Confirm a success: run every check without caches, then the repository's own test command once. */
  readonly confirm: boolean;
  /**
   * With `confirm`: the user's own tree, which no actor has edited. Caches are then used, the checks measure the coverage
   * that the test script demands, and what else that script does runs beside the checks instead of after them.
   */
  readonly isOwn?: boolean;
  /** With `isOwn`: run without caches all the same. */
  readonly isUncached?: boolean;
  /** Tampering found before the checks run; if there is any, the tree fails. Absent if no actor has edited the tree. */
  readonly refused?: readonly Tampering[];
  /** Examines what the checks did to the tree since they began, in milliseconds since the epoch. */
  readonly audit?: (since?: number) => Promise<TreeAudit>;
  /** Files that the checks write where the base has none: a checkout of the tree is made without them. */
  readonly built?: readonly string[] | undefined;
  /** Further sources of the tree that may not decide how modules are loaded, although no actor has edited them. */
  readonly doubted?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** Differences between a workspace and the tree that it should hold. */
export interface TreeAudit {
  /** Protected files that differ from the tree, and installed packages that changed since the base. */
  readonly tampering: readonly Tampering[];
  /** Files of the tree that the base does not have. */
  readonly added: readonly string[];
  /** Source files that differ from the base, without tests and without files that the actor was allowed to change. */
  readonly sources: readonly string[];
  /** Sources of the base that are deleted or are a link now, without tests and without files that the actor was allowed to change. */
  readonly lost: readonly string[];
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

/** One tool of the repository: a test runner, type checker, linter or command. */
export interface Check {
  readonly plan: CheckPlan;
  /** Does not reject for anything that the checked code does; `status: 'error'` means that the tool could not run. */
  run(request: CheckRequest): Promise<CheckReport>;
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
  /** Limit of the JavaScript heap of each process of the tool, in MiB; Node's own limit if absent. */
  readonly memoryMb?: number;
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

/** The package and its checks, as detected or configured. */
export interface ProjectPlan {
  /** Absolute path of the user's repository. */
  readonly repository: string;
  /** Folder of the package to work on; `.` for the repository's root. */
  readonly packageDir: string;
  readonly packageManager: PackageManager;
  readonly checks: readonly CheckPlan[];
  /** The repository's own test command, such as `npm test`: run once before a result is accepted. */
  readonly testCommand?: CommandPlan;
  /** Commands that judge other tasks of the same list: what they run is protected. None if absent. */
  readonly judging?: readonly CommandPlan[];
  /** Build outputs that git ignores and that the checks read, relative to the root: copied into workspaces. None if absent. */
  readonly carry?: readonly string[];
  /** Sentences on what was detected, for `ralph doctor` and the first lines of a run. */
  readonly notes: readonly string[];
  /** Checks that are configured and that no script runs: the user may add them. None if absent. */
  readonly offers?: readonly CheckOffer[];
}

/** A check that a configuration file makes possible, and that no script of the repository runs. */
export interface CheckOffer {
  /** Name that the check would have: `types` or `lint`. */
  readonly check: 'types' | 'lint';
  /** Command line that would run it. */
  readonly command: string;
  /** Configuration file, relative to the root. */
  readonly source: string;
}

export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** For example `npm ci`. */
  readonly installCommand: string;
}

export interface CommandPlan {
  /** Shell command line. */
  readonly command: string;
  readonly cwd: string;
  /** Shell lines that must succeed before it; none if absent. */
  readonly setup?: readonly string[];
  /** The commands that it runs in the end, in order; absent where they are not known. */
  readonly steps?: readonly CommandStep[];
  /** Where wrappers hide its commands: those that it was seen to run in the user's tree; absent if it may do more. */
  readonly observedSteps?: readonly CommandStep[];
}

/** One command of a test script. */
export interface CommandStep {
  /** As it can be typed in `cwd`. */
  readonly command: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Name of the check that runs it, if one does. */
  readonly check?: string;
  /** True where it builds what a check needs. */
  readonly isSetup?: boolean;
}

/** The command, arguments and environment of one check. */
export interface CheckPlan {
  /** `tests`, `types`, `lint`, or the name given with `--check`. */
  readonly name: string;
  readonly kind: CheckKind;
  readonly tool: 'vitest' | 'jest' | 'mocha' | 'node' | 'ava' | 'tsc' | 'eslint' | 'command';
  readonly cwd: string;
  /** Entry file of the tool, such as `node_modules/vitest/vitest.mjs`; absent for `node` and `command`. */
  readonly bin?: string;
  /** Arguments from the repository's own script; for `command`, the whole command line as one item. */
  readonly args: readonly string[];
  /** For `command`: the command line that runs one test file alone, with `{file}` in its place, if it is known. */
  readonly fileLine?: string;
  /** Environment variables from the repository's own script. */
  readonly env?: Readonly<Record<string, string>>;
  /** Commands that must succeed before the tool runs, such as builds and code generation. */
  readonly setup: readonly string[];
  /** How its script measures a coverage that its tests must reach; absent if there is no such limit. */
  readonly coverage?: CoveragePlan;
  /** Configuration file of the tool, if it has one. */
  readonly config?: string;
  /** Installed version of the tool, for example `5.1.1`. */
  readonly version?: string;
  /** Share of the reward before normalisation. */
  readonly weight: number;
  /** Origin of this plan: `package.json#scripts.test`, `tsconfig.json`, `--check tests=…`. */
  readonly source: string;
  /** Present if the check is a criterion of the task: it must fail on the base. */
  readonly criterion?: CriterionPlan;
}

/** How a test script measures a coverage that must be reached. A check does so where `CheckRequest.coverage` is set. */
export interface CoveragePlan {
  /** Words in front of the command, such as `c8 --check-coverage`. */
  readonly wrapper?: readonly string[];
  /** Options of the tool itself; none where its configuration file enables coverage. */
  readonly options?: readonly string[];
  /** For `command`: the whole command line. */
  readonly line?: string;
}

/** A requirement of the task that a check decides. */
export interface CriterionPlan {
  /** One sentence. */
  readonly text: string;
  readonly source: Extract<CriterionSource, 'accept' | 'task_file'>;
}

// ── Proof ───────────────────────────────────────────────────────────────────────────────────────────

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

/** Has an opinion on a change that passed. */
export interface Judge {
  /** `provider/model`. */
  readonly name: string;
  /** Never rejects. */
  judge(question: JudgeQuestion): Promise<Judgement>;
}

export interface JudgeQuestion {
  readonly task: string;
  /** What to have an opinion on. */
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

/** Measures how well the tests hold a change that passes. */
export interface StrengthMeter {
  /** Never rejects; what could not be measured is in `reason`. Leaves the root as it was. */
  measure(request: StrengthRequest): Promise<ProofStrength>;
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
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

// ── Reflector and memory ────────────────────────────────────────────────────────────────────────────

/** Turns a failed attempt into a diagnosis and a plan for the next one. Never rejects: it has a fallback. */
export interface Reflector {
  reflect(input: ReflectionInput): Promise<ReflectorOutput>;
}

export interface ReflectionInput {
  readonly task: string;
  /** 1-based. */
  readonly iteration: number;
  readonly trajectory: Trajectory;
  /** Unified diff of the attempt. */
  readonly patch: string;
  readonly evaluation: Evaluation;
  /** Evaluation of the tree that the attempt started from. */
  readonly previous: Evaluation;
  readonly tampering: readonly Tampering[];
  /** Reflections of this loop that the attempt was shown. */
  readonly window: readonly Reflection[];
  /** Which lines of the attempt a failing test ran, and values; absent where nothing was traced. */
  readonly trace?: LineTrace | undefined;
  /** The loop around the attempt; without it, only the window is known. */
  readonly loop?: LoopContext;
  readonly signal: AbortSignal;
  /** Receives each model call as it happens. Never throws. */
  readonly onWork: (event: WorkEvent) => void;
}

/** A line that an attempt wrote; `line` is 1-based. */
export interface ChangedLine {
  readonly file: string;
  readonly line: number;
}

/** Runs one failing test with traces of the changed lines and of values. Leaves the tree as it was. */
export interface Tracer {
  /** Undefined where the test or a line cannot be traced. Rejects only if the disk refuses. */
  trace(request: TraceRequest): Promise<LineTrace | undefined>;
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

/** What a failing test ran: every changed line is in one of the lists. */
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

/** What a reflector may look up about the loop. */
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

/** Episodic memory: the reflections of every loop in the repository. */
export interface Memory {
  /** Stores durably. Returns the record as it is stored, with its path relative to the repository's root. */
  remember(reflection: Reflection): Promise<{ readonly path: string; readonly reflection: Reflection }>;
  /** The reflections of one loop, by iteration. Damaged files are skipped, with a warning. */
  episodes(loopId: string): Promise<readonly Reflection[]>;
}

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
  readonly evaluation: Evaluation;
  /** Evaluation of the tree that the attempt started from. */
  readonly previous: Evaluation;
  /** True if it is better than the baseline and every earlier attempt. */
  readonly best: boolean;
  /** True if it ended the loop as a success. */
  readonly accepted: boolean;
  /** True if it ended in the original tree or in that of an earlier attempt of the loop: it shows nothing new. */
  readonly isSeenTree?: boolean;
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

// ── Workspace ───────────────────────────────────────────────────────────────────────────────────────

/** The tree that actors edit. Closing it leaves the user's tree, index and refs unchanged. */
export interface Workspace {
  /** Absolute path of the tree. */
  readonly root: string;
  /** The user's tree when the loop began, including uncommitted and untracked files. */
  readonly base: TreeId;
  /** Stores the current content of the workspace. */
  checkpoint(): Promise<TreeId>;
  /** Stores the tree with these files as the workspace has them; whatever else checks wrote is left out. */
  checkpointFiles(tree: TreeId, files: readonly string[]): Promise<TreeId>;
  /** Restores every file of the tree, and removes files that the tree does not have. */
  restore(tree: TreeId): Promise<void>;
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
  /** Removes it. */
  close(): void;
}

/** Difference between two trees. */
export interface ChangeSet {
  readonly files: readonly FileChange[];
  readonly linesAdded: number;
  readonly linesDeleted: number;
  /** Unified diff, including binary files. */
  readonly patch: string;
}

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted';
  readonly linesAdded: number;
  readonly linesDeleted: number;
}

/** Protects tests, configuration and dependencies, on which the verdict depends, from the actor. */
export interface Guard {
  /**
   * Restores protected files from the base. Returns what it restored, and the tampering that cannot be undone by
   * restoring a file.
   */
  restoreProtected(): Promise<Tampering[]>;
  /**
   * Compares the workspace with the tree after the checks have run, and finds protected files that changed since they began,
   * in milliseconds since the epoch. Absent if there is no actor to guard against.
   */
  audit?(tree: TreeId, since?: number): Promise<TreeAudit>;
  /** Files that the checks of the base wrote, and that it does not have; known once it was audited. */
  written?(): readonly string[];
  /** From now on, compares with this tree instead of the base, and protects these files as well. */
  protectFrom?(tree: TreeId, files: readonly string[]): void;
}

/** Applies a verified tree to the user's repository. */
export interface Delivery {
  /** The files in `without` are delivered as the base has them. */
  deliver(tree: TreeId, how: DeliveryMode, without?: readonly string[]): Promise<DeliveryOutcome>;
}

/** To the user's working tree, as a commit on the current branch, or as a new branch. */
export type DeliveryMode = 'tree' | 'commit' | 'branch';

export interface DeliveryOutcome {
  readonly applied: Applied;
  readonly branch?: string;
  /** True if the user's tree changed during the loop, so that the result was stored as a branch instead. */
  readonly conflict: boolean;
  /** One sentence for the user. */
  readonly message: string;
}

// ── Run store and reporter ──────────────────────────────────────────────────────────────────────────

/** Append-only journal of one loop, and the files beside it. */
export interface RunStore {
  readonly loopId: string;
  /** Number of steps in the journal. */
  readonly finishedSteps: number;
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
