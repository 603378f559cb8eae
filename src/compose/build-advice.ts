import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownEntry } from '../checks/detect/packages/own-entry.ts';
import { readManifest } from '../checks/detect/packages/manifest.ts';
import { workspacePackages } from '../checks/detect/packages/workspaces.ts';
import { escapeRegExp } from '../platform/text/escape-regexp.ts';
import type { Project } from './project.ts';

/**
 * Names the packages of the workspace that the failures do not find, whose entry is not there, and that have a build, with the
 * command that builds them; undefined if there are none. `lines`: what the failures say of modules that are not found.
 */
export function buildAdvice(
  { repository: { root }, plan }: Pick<Project, 'repository' | 'plan'>,
  lines: readonly string[],
): string | undefined {
  if (lines.length === 0) return undefined;
  const unbuilt = workspacePackages(root).filter(({ name, dir, scripts }) => {
    if (name === undefined || scripts['build'] === undefined) return false;
    const quoted = new RegExp(`(["'\`])${escapeRegExp(name)}(/[^"'\`]*)?\\1`);
    const entry = ownEntry(dir)?.file;
    return entry !== undefined && !existsSync(join(dir, entry)) && lines.some((line) => quoted.test(line));
  });
  const [first] = unbuilt;
  if (first === undefined) return undefined;
  const run = `${plan.packageManager.name} run build`;
  const isOne = unbuilt.length === 1;
  const subject = `${unbuilt.map(({ name }) => name).join(', ')} ${isOne ? 'is' : 'are'} in this workspace and not built`;
  if (readManifest(root)?.scripts['build'] !== undefined)
    return `${subject}: ${run} builds ${isOne ? 'it' : 'them'}.`;
  return isOne
    ? `${subject}: cd ${first.path} && ${run} builds it.`
    : `${subject}: each has a script "build".`;
}
