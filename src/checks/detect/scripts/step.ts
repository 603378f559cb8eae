import { relative } from 'node:path';
import { shellWord } from '../../../platform/processes/shell-words.ts';
import type { Classified } from './classify.ts';
import type { WorkspacePackage } from '../packages/workspaces.ts';
import type { Unwrapped } from './wrappers.ts';

/** One command that a script runs in the end. */
export type Step = Classified & {
  /** The command as it can be typed in `dir`: `npm run build`, `tsc -p x`. */
  readonly text: string;
  /** Absolute folder that it runs in. */
  readonly dir: string;
  /** The script that contains it, for example `package.json#scripts.test`. */
  readonly source: string;
  /** Absolute folder in whose node_modules its tool was seen to be; absent where nothing was observed. */
  readonly installedIn?: string;
  /** The program that measures the coverage of its tests, with its options; absent if there is none. */
  readonly wrapper?: {
    readonly words: readonly string[];
    /** Whether it measures other commands together with this one. */
    readonly isShared: boolean;
  };
};

/** The package whose scripts are expanded. */
export interface ScriptScope {
  readonly scripts: Readonly<Record<string, string>>;
  /** Absolute folder of the package. */
  readonly dir: string;
  /** Whether `pre` and `post` scripts run. */
  readonly runsHooks: boolean;
  /** Packages of the workspace whose root is `dir`; none if absent. */
  readonly packages?: readonly WorkspacePackage[];
  /** Programs that wrappers were seen to start, by `stepKey` of the wrapper; none if absent. */
  readonly observed?: ReadonlyMap<string, ObservedWrapper>;
}

/** Programs that a wrapper such as `kcd-scripts test` was seen to start. */
export interface ObservedWrapper {
  /** The known tools that it starts, in order. */
  readonly commands: readonly ObservedCommand[];
  /** True if it succeeded on this tree apart from these tools, and needs nothing that they write, as far as was seen. */
  readonly succeeded: boolean;
  /** The sentence by which the wrapper said that it has no script of this name. */
  readonly missing?: string;
}

/** A command that a wrapper was seen to start. */
export interface ObservedCommand extends Unwrapped {
  /** Absolute folder that it runs in. */
  readonly dir: string;
  readonly installedIn?: string;
}

/** Identifies a command by its program and arguments. */
export function stepKey({ program, args }: Pick<Step, 'program' | 'args'>): string {
  return JSON.stringify([program, ...args]);
}

/** The steps before a check that build something, each once, as command lines to be run in the folder of the check. */
export function setupBefore({ dir }: Step, before: readonly Step[]): string[] {
  const builds = before.filter(({ kind }) => kind === 'other');
  const lines = builds.map((build) => {
    const way = relative(dir, build.dir);
    return way === '' ? build.text : `cd ${shellWord(way)} && ${build.text}`;
  });
  return [...new Set(lines)];
}
