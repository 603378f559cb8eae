import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownEntry } from '../checks/detect/packages/own-entry.ts';
import { readManifest } from '../checks/detect/packages/manifest.ts';
import { workspacePackages } from '../checks/detect/packages/workspaces.ts';
import { textOf } from '../platform/files/text-of.ts';
import { escapeRegExp } from '../platform/text/escape-regexp.ts';
import type { Project } from './project.ts';

/** Names in one sentence. */
const SHOWN = 4;

/**
 * Names the packages of the workspace that the failures do not find, whose entry is not there, and that a script builds, with the
 * command for it; undefined if there are none. `lines`: what the failures say of modules that are not found or not built.
 */
export function buildAdvice(
  { repository: { root }, plan }: Pick<Project, 'repository' | 'plan'>,
  lines: readonly string[],
): string | undefined {
  if (lines.length === 0) return undefined;
  const isBuiltByRoot = readManifest(root)?.scripts['build'] !== undefined;
  const unbuilt = workspacePackages(root).filter(({ name, dir, path, scripts }) => {
    if (name === undefined || (scripts['build'] === undefined && !isBuiltByRoot)) return false;
    const inIt = String.raw`(?:${escapeRegExp(name)}|(?:[^"'\`]*/)?${escapeRegExp(path)})`;
    const quoted = new RegExp(`(["'\`])${inIt}(/[^"'\`]*)?\\1`);
    const entry = entryOf(dir);
    return entry !== undefined && !existsSync(join(dir, entry)) && lines.some((line) => quoted.test(line));
  });
  const [first] = unbuilt;
  if (first === undefined) return undefined;
  const run = `${plan.packageManager.name} run build`;
  const isOne = unbuilt.length === 1;
  const names = unbuilt.slice(0, SHOWN).map(({ name }) => name);
  const more = unbuilt.length > SHOWN ? ` and ${unbuilt.length - SHOWN} more` : '';
  const subject = `${names.join(', ')}${more} ${isOne ? 'is' : 'are'} in this workspace and not built`;
  if (isBuiltByRoot) return `${subject}: ${run} builds ${isOne ? 'it' : 'them'}.`;
  return isOne
    ? `${subject}: cd ${first.path} && ${run} builds it.`
    : `${subject}: each has a script "build".`;
}

/** The file that the package's name leads to, relative to it. */
function entryOf(dir: string): string | undefined {
  const [, main] = /"main"\s*:\s*"([^"]+)"/.exec(textOf(join(dir, 'package.json'))) ?? [];
  return ownEntry(dir)?.file ?? main;
}
