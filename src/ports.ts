/**
 * Every port of ralph on one screen. An adapter is a factory that returns one of these; adapters never
 * import each other, and `compose.ts` is the only importer of adapters.
 */
import type { RunEvent, WorkEvent } from './events.ts';
import type {
  Applied,
  CheckKind,
  CheckResult,
  Diagnostic,
  Evaluation,
  Lesson,
  LoopState,
  LoopStatus,
  Reflection,
  SelfReflection,
  Tampering,
  TestCase,
  Trajectory,
  Usage,
} from './schema/generated.ts';
import type { Sandbox } from './platform/sandbox/sandbox.ts';

/** Id of a tree object in ralph's own git directory: the content of all files at one moment. */
export type TreeId = string;

// ── Actor ───────────────────────────────────────────────────────────────────────────────────────────

/** One attempt: context → edits in `root` + trajectory. Its own "done" is only a hint. */
export interface Actor {
  readonly name: string;
  /** Never rejects for what a model, agent or program does: that is the trajectory's `outcome`. */
  attempt(context: AttemptContext): Promise<Trajectory>;
}

export interface AttemptContext {
  readonly loopId: string;
  /** 1-based. */
  readonly iteration: number;
  readonly task: string;
  /** Absolute path of the tree to edit; the same in every attempt of a loop. */
  readonly root: string;
  readonly project: ProjectPlan;
  /** The repository's own AGENTS.md or CLAUDE.md, bounded; empty where there is none. */
  readonly guidance: string;
  /** What the evaluator saw of the tree that this attempt starts from. */
  readonly evaluation: Evaluation;
  /** The Ω window: newest reflections of this loop, in the order the policy gives them. */
  readonly reflections: readonly Reflection[];
  /** What earlier loops in this repository taught; absent where there is nothing to tell. */
  readonly memory?: MemoryContext;
  /** What the last attempt did, for the strategies that tell it. */
  readonly lastAttempt?: { readonly trajectory: Trajectory; readonly patch: string };
  /** The checks, to be run narrowed while searching; a verdict never comes from here. */
  readonly bench: Bench;
  /** What every command of the attempt is confined to; without it, it has ralph's own rights. */
  readonly sandbox?: Sandbox | undefined;
  /** Aborted: stop at once, children included. */
  readonly signal: AbortSignal;
  /** One short line about what is happening now. */
  readonly onProgress: (text: string) => void;
  /** What was done or said, as it happens. Never throws. */
  readonly onWork: (event: WorkEvent) => void;
}

/** Runs one check of the project in the workspace, whole or narrowed. */
export interface Bench {
  /** `name` is a check's name in the plan. Never rejects for what the checked code does. */
  run(name: string, narrowing: Narrowing): Promise<CheckReport>;
}

export interface Narrowing {
  /** Test files to run, relative to the repository's root; all when absent. */
  readonly files?: readonly string[];
  /** Tests to run in them; all when absent. */
  readonly only?: readonly TestCase[];
  readonly timeoutMs?: number;
  /** Most memory, in MiB, that JavaScript may hold in each process of the tool; Node's own limit when absent. */
  readonly memoryMb?: number;
  /** Absolute folders outside the tree that the tool may write where it is confined. */
  readonly writable?: readonly string[];
  readonly signal: AbortSignal;
}

// ── Evaluator ───────────────────────────────────────────────────────────────────────────────────────

/** Workspace → checks, structured errors, reward. Red tests, crashes and time-outs are data. */
export interface Evaluator {
  evaluate(request: EvaluationRequest): Promise<Evaluation>;
}

export interface EvaluationRequest {
  /** Absolute path of the tree to judge. */
  readonly root: string;
  /** Id of what is judged. Green tests of the same tree are not run twice by us: the own test command runs them again. */
  readonly tree?: TreeId;
  /** The loop's first evaluation: its tests must all be there and pass. Absent for the baseline itself. */
  readonly baseline?: Evaluation;
  /** The evaluation before this one, for fixed / same / new. */
  readonly previous?: Evaluation;
  /** Before success is declared: every check uncached, and the repository's own test command once. */
  readonly confirm: boolean;
  /**
   * What speaks against the tree already, whatever its checks will say; with any of it the tree is refused.
   * Absent where no actor has worked on the tree.
   */
  readonly refused?: readonly Tampering[];
  /** Looks at what the checks did to the tree while they ran. */
  readonly audit?: () => Promise<TreeAudit>;
  readonly signal: AbortSignal;
}

/** What lies in a workspace besides the tree that is judged. */
export interface TreeAudit {
  /** Protected files that differ from the tree, and installed packages that changed under an actor. */
  readonly tampering: readonly Tampering[];
  /** Files that the tree has and the base has not, relative to the root. */
  readonly added: readonly string[];
  /** True for a check whose configuration the user let the actor change: it may look at other files now. */
  isReconfigured(check: string): boolean;
}

/** One tool of the repository. */
export interface Check {
  readonly plan: CheckPlan;
  /** Never rejects for what the checked code does; `status: 'error'` says that the tool could not run. */
  run(request: CheckRequest): Promise<CheckReport>;
}

export interface CheckRequest {
  readonly root: string;
  /** Absolute folder of ours, outside the tree, kept between runs: build info, lint caches. */
  readonly cacheDir: string;
  /** Ignore and do not write caches. */
  readonly fresh: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly files?: readonly string[];
  readonly only?: readonly TestCase[];
  /** Most memory, in MiB, that JavaScript may hold in each process of the tool; Node's own limit when absent. */
  readonly memoryMb?: number;
  /** What the tool is confined to; without it, it has ralph's own rights. */
  readonly sandbox?: Sandbox | undefined;
  /** Absolute folders, beside the tree and `cacheDir`, that the tool may write where it is confined. */
  readonly writable?: readonly string[];
}

/** A check's own result, before the suite weighs and scores it. */
export interface CheckReport extends Omit<CheckResult, 'weight' | 'score'> {
  readonly diagnostics: Diagnostic[];
  /** Empty for checks that are not tests, and for tests that report no names. */
  readonly tests: TestCase[];
}

/** What was detected about a repository, or set by its configuration. All paths are relative to the root. */
export interface ProjectPlan {
  /** Absolute path of the user's repository. */
  readonly repository: string;
  /** The package that is worked on; `.` is the repository's root. */
  readonly packageDir: string;
  readonly packageManager: PackageManager;
  readonly checks: readonly CheckPlan[];
  /** What `npm test` is here: run once, as the repository has it, before a result is accepted. */
  readonly testCommand?: CommandPlan;
  /** Facts for `ralph doctor` and the first lines of a run. */
  readonly notes: readonly string[];
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
}

/** How one check is run. */
export interface CheckPlan {
  /** `tests`, `types`, `lint`, or the name given with `--check`. */
  readonly name: string;
  readonly kind: CheckKind;
  readonly tool: 'vitest' | 'jest' | 'mocha' | 'node' | 'ava' | 'tsc' | 'eslint' | 'command';
  readonly cwd: string;
  /** The tool's entry file for known tools, such as `node_modules/vitest/vitest.mjs`; absent for `node` and `command`. */
  readonly bin?: string;
  /** Arguments that the repository's own script gives the tool; the whole command line for `command`, as one item. */
  readonly args: readonly string[];
  /** Variables that the repository's own script sets for the tool. */
  readonly env?: Readonly<Record<string, string>>;
  /** Commands that must have succeeded before the tool says anything true: builds, code generation. */
  readonly setup: readonly string[];
  /** The tool's configuration file, where it has one. */
  readonly config?: string;
  /** Version of the tool as installed, for example `5.1.1`. */
  readonly version?: string;
  /** Share of the reward before normalising. */
  readonly weight: number;
  /** Where this came from: `package.json#scripts.test`, `tsconfig.json`, `--check tests=…`. */
  readonly source: string;
}

// ── Reflector and memory ────────────────────────────────────────────────────────────────────────────

/** Trajectory + evaluation + memory → what to do differently. Never rejects: it has a fallback. */
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
  /** What the attempt started from. */
  readonly previous: Evaluation;
  readonly tampering: readonly Tampering[];
  readonly window: readonly Reflection[];
  readonly signal: AbortSignal;
  /** What was said or asked, as it happens. Never throws. */
  readonly onWork: (event: WorkEvent) => void;
}

export interface ReflectorOutput {
  readonly reflection: SelfReflection;
  readonly reflector: Reflection['reflector'];
}

/** Episodic memory of every loop in the repository. */
export interface Memory {
  /** Stores durably. Returns the record as it is stored, with its path relative to the repository's root. */
  remember(reflection: Reflection): Promise<{ readonly path: string; readonly reflection: Reflection }>;
  /** One loop's reflections by iteration; damaged files are left out and told to the reporter. */
  episodes(loopId: string): Promise<readonly Reflection[]>;
}

/** What an attempt is told of long-term memory: data that a model or a program wrote, never instructions. */
export interface MemoryContext {
  /** The project's playbook, bounded. */
  readonly playbook?: string;
  /** At most 10, the most important first. */
  readonly insights: readonly string[];
  /** At most 10, pinned ones first, then what applies most. */
  readonly lessons: readonly ToldLesson[];
}

export type ToldLesson = Pick<Lesson, 'id' | 'text' | 'type' | 'pinned' | 'confidence'>;

/** What an attempt is about to start from: what memory is asked for. */
export interface Situation {
  readonly loopId: string;
  readonly task: string;
  readonly evaluation: Evaluation;
}

/** One attempt that was judged, passed or failed: what memory learns from. */
export interface AttemptOutcome {
  readonly loopId: string;
  /** 1-based. */
  readonly iteration: number;
  readonly task: string;
  readonly trajectory: Trajectory;
  /** Against the tree that it started from. */
  readonly changes: ChangeSet;
  readonly evaluation: Evaluation;
  /** What it started from. */
  readonly previous: Evaluation;
  /** Better than everything before it. */
  readonly best: boolean;
  readonly accepted: boolean;
  /** Absent where it passed. */
  readonly reflection?: Reflection;
  readonly signal: AbortSignal;
}

/** How a loop ended. */
export interface LoopEnd {
  readonly loopId: string;
  readonly task: string;
  readonly status: LoopStatus;
  /** How many were made. */
  readonly attempts: number;
  readonly signal: AbortSignal;
}

/** Long-term memory as the loop uses it. Never rejects: no loop ends by what it remembers, or cannot. */
export interface Experience {
  /** Before an attempt; undefined where there is nothing to tell. */
  recall(situation: Situation): Promise<MemoryContext | undefined>;
  /** After an attempt, and its reflection where it has one. The same attempt again changes nothing. */
  learn(outcome: AttemptOutcome): Promise<void>;
  /** Behind the last attempt, whatever the verdict. */
  conclude(end: LoopEnd): Promise<void>;
  /** What models have taken for it so far, in the whole life of the loop. */
  readonly spent: Usage;
}

// ── Workspace ───────────────────────────────────────────────────────────────────────────────────────

/** The isolated tree that actors edit. Closing it leaves the user's tree, index and refs as they were. */
export interface Workspace {
  /** Absolute path of the tree. */
  readonly root: string;
  /** The user's tree when the loop began, uncommitted and untracked files included. */
  readonly base: TreeId;
  checkpoint(): Promise<TreeId>;
  /** Puts every file back as it was; files that the checkpoint does not have are removed. */
  restore(tree: TreeId): Promise<void>;
  changes(from: TreeId, to: TreeId): Promise<ChangeSet>;
  close(): Promise<void>;
}

export interface ChangeSet {
  readonly files: readonly FileChange[];
  readonly linesAdded: number;
  readonly linesDeleted: number;
  /** Unified diff, binary files included. */
  readonly patch: string;
}

export interface FileChange {
  /** Relative to the root. */
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted';
  readonly linesAdded: number;
  readonly linesDeleted: number;
}

/** Keeps what the verdict rests on out of the actor's reach. */
export interface Guard {
  /**
   * Puts protected files back as the base has them; says what it found, and what else speaks against the tree
   * without a way to put it back.
   */
  restoreProtected(): Promise<Tampering[]>;
  /** After the checks have run over a tree that the workspace held. Absent where no actor is to be guarded against. */
  audit?(tree: TreeId): Promise<TreeAudit>;
}

/** Takes a verified tree to the user. */
export interface Delivery {
  deliver(tree: TreeId, how: DeliveryMode): Promise<DeliveryOutcome>;
}

export type DeliveryMode = 'tree' | 'commit' | 'branch';

export interface DeliveryOutcome {
  readonly applied: Applied;
  readonly branch?: string;
  /** The user's tree changed meanwhile, so the result was kept as a branch instead. */
  readonly conflict: boolean;
  /** One sentence for the user. */
  readonly message: string;
}

// ── Run store and reporter ──────────────────────────────────────────────────────────────────────────

/** Append-only journal of one loop. */
export interface RunStore {
  readonly loopId: string;
  /** Steps that are in the journal. */
  readonly finishedSteps: number;
  /**
   * Runs a step once in the life of a loop: what it gave is durable before the promise resolves, and a
   * resumed loop gets it from the journal instead of running it again. `artifact` (relative to the loop's
   * folder) keeps a large result in a file of its own.
   */
  step<T>(name: string, run: () => Promise<T>, options?: { readonly artifact?: string }): Promise<T>;
  /** Writes a file into the loop's folder; returns its path relative to the repository's root. */
  attach(path: string, text: string): Promise<string>;
  saveState(state: LoopState): Promise<void>;
}

/** Listens. What it throws never reaches the loop. */
export interface Reporter {
  on(event: RunEvent): void;
}
