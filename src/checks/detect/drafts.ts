import { ExitCode, RalphError } from '../../errors.ts';
import type { CheckKind } from '../../schema/generated.ts';
import { toolOf, type ToolName } from '../../tools.ts';
import { keepArguments } from '../run/option-rules.ts';
import { findConfig } from './config-files.ts';
import { findInstalledTool } from './installed-tool.ts';
import { relativeTo } from './packages/manifest.ts';
import type { CheckDraft, PackageContext } from './packages/package-context.ts';
import type { Step } from './scripts/step.ts';

/** The parts of a draft that do not depend on its tool. */
export interface DraftOptions {
  readonly name: string;
  readonly kind: CheckKind;
  /** Commands that must succeed before the check runs. */
  readonly setup?: readonly string[];
}

/** The check that starts a step's tool directly. Throws RalphError (no_dependencies) where the tool is not installed. */
export function toolDraft(
  step: Step,
  tool: ToolName,
  place: PackageContext,
  options: DraftOptions,
): CheckDraft {
  const installed = findInstalledTool(tool, step, place);
  if (installed === undefined) throw missingTool(tool, step.source, place);
  const { packages, options: rules } = toolOf(tool);
  return {
    ...options,
    tool,
    cwd: relativeTo(place.root, step.dir),
    bin: packages.length === 0 ? undefined : installed.bin,
    args: keepArguments(rules, step.args),
    env: nonEmpty(step.env),
    setup: options.setup ?? [],
    config: findConfig(tool, { dir: step.dir, root: place.root }, step.args),
    version: installed.version,
    source: step.source,
  };
}

/** A command line, the absolute folder that it runs in, and its origin. */
interface CommandLine {
  readonly line: string;
  readonly dir: string;
  readonly source: string;
  /** Variables that the script sets for it. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The check that runs a command line as it is. */
export function commandDraft(command: CommandLine, place: PackageContext, options: DraftOptions): CheckDraft {
  return {
    ...options,
    tool: 'command',
    cwd: relativeTo(place.root, command.dir),
    args: [command.line],
    env: nonEmpty(command.env),
    setup: options.setup ?? [],
    source: command.source,
  };
}

function nonEmpty(env: CheckDraft['env']): CheckDraft['env'] {
  return Object.keys(env ?? {}).length === 0 ? undefined : env;
}

/** How a note names a check: the tool with its version, or the command line. */
export function describeDraft({ tool, args, version = '' }: CheckDraft): string {
  return tool === 'command' ? args[0]! : `${tool} ${version}`.trim();
}

function missingTool(tool: string, source: string, place: PackageContext): RalphError {
  return new RalphError(
    `${source} runs ${tool}, which is not installed in ${place.dir === place.root ? 'this repository' : relativeTo(place.root, place.dir)}.`,
    {
      code: 'no_dependencies',
      exitCode: ExitCode.check,
      hint: `Install the dependencies first: ${place.manager.installCommand}`,
    },
  );
}
