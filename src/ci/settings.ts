import type { Config } from '../schema/generated.ts';

/** Settings of the `ralph ci` commands. Money is in USD. */
export interface CiSettings {
  /** Label on a pull request that asks for a fix. */
  readonly label: string;
  /** Label on a pull request that keeps ralph away. */
  readonly optOutLabel: string;
  /** Maximum number of tries at one commit. */
  readonly maxTries: number;
  /** Prefix of the branches that hold fixes: `ralph/fix-`. */
  readonly branchPrefix: string;
  /** Branch that holds the ledger and the reflections. */
  readonly memoryBranch: string;
  /** Maximum cost of one try; undefined: the plan sets no limit. */
  readonly maxCostUsd: number | undefined;
  readonly maxCostPerDayUsd: number | undefined;
  readonly maxCostPerMonthUsd: number | undefined;
  /** Milliseconds after which a try that has not ended counts as dead. */
  readonly lockMs: number;
  /** Name of the workflow that runs ralph; its own failures ask for no fix. */
  readonly workflow: string | undefined;
  /** File of that workflow: `.github/workflows/ralph.yml`. */
  readonly workflowPath: string | undefined;
}

/** Defaults of the settings that the user may leave out. */
export const CI_DEFAULTS = {
  label: 'ralph',
  optOutLabel: 'no-ralph',
  maxTries: 3,
  branchPrefix: 'ralph/fix-',
  memoryBranch: 'ralph/memory',
  lockMs: 7_200_000,
} as const satisfies Partial<CiSettings>;

/**
 * Settings of the loop that `ralph ci fix` takes from its flags alone, not from a file or a variable: who acts, where a
 * model's key is sent, and how code is confined.
 */
export const FLAGS_ONLY: ReadonlySet<string> = new Set([
  'actor',
  'agent',
  'command',
  'baseUrl',
  'record',
  'replay',
  'isolation',
  'sandbox',
  'sandboxEngine',
  'sandboxAgent',
  'allowNetwork',
  'passEnv',
  'sandboxRead',
  'sandboxWrite',
  'workspaceDir',
] satisfies (keyof Config)[]);
