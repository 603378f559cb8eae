import { ExitCode, RalphError } from '../../errors.ts';
import type { CheckKind } from '../../schema/generated.ts';
import { keepArguments, type KnownProgram } from './arguments.ts';
import { findConfig } from './config-files.ts';
import { relativeTo } from './manifest.ts';
import type { CheckDraft, Place } from './place.ts';
import type { Step } from './steps.ts';
import { findTool, type InstalledTool } from './tool.ts';

const PACKAGES: Readonly<Record<Exclude<KnownProgram, 'node'>, readonly string[]>> = {
  vitest: ['vitest'],
  jest: ['jest', 'jest-cli'],
  mocha: ['mocha'],
  ava: ['ava'],
  tsc: ['typescript'],
  eslint: ['eslint'],
};

export interface DraftOptions {
  readonly name: string;
  readonly kind: CheckKind;
  readonly setup?: readonly string[];
}

/**
 * The check that runs a step's known program directly. Throws RalphError (no_dependencies) where the program
 * is not installed.
 */
export function toolDraft(
  step: Step,
  program: KnownProgram,
  place: Place,
  options: DraftOptions,
): CheckDraft {
  const installed = installedTool(program, step.dir, place);
  if (installed === undefined) throw missingTool(program, step.source, place);
  const args = program === 'tsc' ? keepArguments('tsc', step.args) : step.args;
  return {
    ...options,
    tool: program,
    cwd: relativeTo(place.root, step.dir),
    ...(program === 'node' ? {} : { bin: installed.bin }),
    args,
    ...(Object.keys(step.env).length === 0 ? {} : { env: step.env }),
    setup: options.setup ?? [],
    config: findConfig(program, { dir: step.dir, root: place.root }, step.args),
    version: installed.version,
    source: step.source,
  };
}

/** The check that runs a command line as it is. `dir` is absolute. */
export function commandDraft(
  command: { readonly line: string; readonly dir: string; readonly source: string },
  place: Place,
  options: DraftOptions,
): CheckDraft {
  return {
    ...options,
    tool: 'command',
    cwd: relativeTo(place.root, command.dir),
    args: [command.line],
    setup: options.setup ?? [],
    source: command.source,
  };
}

/** A known program as installed, looked for from `dir` (absolute); Node itself is the one that runs now. */
export function installedTool(program: KnownProgram, dir: string, place: Place): InstalledTool | undefined {
  if (program === 'node') return { bin: process.execPath, version: process.versions.node };
  // A script that changed folder still finds the programs of its own package.
  const found = PACKAGES[program].flatMap((name) => [
    findTool(name, dir, place.root),
    findTool(name, place.dir, place.root),
  ]);
  return found.find((tool) => tool !== undefined);
}

/** The error for a tool that a script names and that is not there. */
export function missingTool(program: string, source: string, place: Place): RalphError {
  return new RalphError(
    `${source} runs ${program}, which is not installed in ${relativeTo(place.root, place.dir)}.`,
    {
      code: 'no_dependencies',
      exitCode: ExitCode.check,
      hint: `Install the dependencies first: ${place.manager.installCommand}`,
    },
  );
}
