import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toolOf, type ToolName } from '../../tools.ts';
import { relativeTo } from './packages/manifest.ts';

interface Folders {
  /** Absolute folder that the tool starts in. */
  readonly dir: string;
  /** Absolute path of the repository. */
  readonly root: string;
}

/**
 * The configuration file that a tool reads when it starts with these arguments, relative to the root; `undefined`
 * where it has none.
 */
export function findConfig(
  tool: ToolName,
  folders: Folders,
  args: readonly string[] = [],
): string | undefined {
  const { configFiles, sharedConfigFiles = [], configOptions } = toolOf(tool);
  const named = optionValue(args, configOptions);
  return firstExisting([named, ...configFiles, ...sharedConfigFiles], folders);
}

/** The configuration file that shows that a package uses the tool, relative to the root. */
export function findOwnConfig(tool: ToolName, folders: Folders): string | undefined {
  return firstExisting(toolOf(tool).configFiles, folders);
}

function firstExisting(names: readonly (string | undefined)[], { dir, root }: Folders): string | undefined {
  const found = names.find((name) => name !== undefined && existsSync(join(dir, name)));
  return found === undefined ? undefined : relativeTo(root, join(dir, found));
}

function optionValue(args: readonly string[], names: readonly string[]): string | undefined {
  const at = args.findIndex((word) => names.includes(word.replace(/=.*$/s, '')));
  return at === -1 ? undefined : (/=(.*)$/s.exec(args[at]!)?.[1] ?? args[at + 1]);
}
