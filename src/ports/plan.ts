/** The repository's checks and commands, as detected or configured. */
import type { CheckKind, CriterionSource } from '../schema/generated.ts';

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
  /** True if its script writes corrections into the files (`--fix`) before it judges; the check itself writes none. */
  readonly corrects?: boolean;
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
