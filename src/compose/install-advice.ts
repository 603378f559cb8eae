import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findInstalledPackage } from '../checks/detect/installed-tool.ts';
import { readManifest } from '../checks/detect/packages/manifest.ts';
import { UNFINISHED } from '../checks/results/unfinished-tests.ts';
import type { RunEvent } from '../events.ts';
import { escapeRegExp } from '../platform/text/escape-regexp.ts';
import type { Evaluation } from '../schema/generated.ts';
import { buildAdvice } from './build-advice.ts';
import { carryAdvice } from './carry-advice.ts';
import type { Project } from './project.ts';

type Place = Pick<Project, 'repository' | 'plan'>;

/** Words by which programs say that they do not find a module, or what a build makes of it. */
const NOT_FOUND =
  /cannot find|can't find|could(n't| not) (find|resolve|load)|failed to (resolve|load)|unable to resolve|not found|not installed|has not been built/i;

/**
 * Names the packages that package.json lists, that are not installed, and that the failures say are missing, with the command
 * that installs them; undefined if there are none.
 */
export function installAdvice({ repository, plan }: Place, evaluation: Evaluation): string | undefined {
  const lines = missingModuleLines(evaluation);
  const folder = join(repository.root, plan.packageDir);
  // Plug'n'Play has no folder for a package.
  if (lines.length === 0 || existsSync(join(repository.root, '.pnp.cjs'))) return undefined;
  const listed = readManifest(folder)?.dependencies ?? [];
  const missing = listed.filter((name) => {
    if (findInstalledPackage(name, folder) !== undefined) return false;
    const quoted = new RegExp(`(["'\`])${escapeRegExp(name)}(/[^"'\`]*)?\\1`);
    return lines.some((line) => quoted.test(line));
  });
  if (missing.length === 0) return undefined;
  const [are, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const { installCommand } = plan.packageManager;
  return `${missing.join(', ')} ${are} in package.json and not installed: ${installCommand} installs ${them}.`;
}

function missingModuleLines({ diagnostics }: Evaluation): string[] {
  return diagnostics.flatMap(({ message }) => message.split('\n')).filter((it) => NOT_FOUND.test(it));
}

/**
 * Sentences that name what the failures do not find, and the remedy: those on packages, and one for files that git ignores.
 */
function missingAdvice(place: Place, evaluation: Evaluation): string[] {
  return [...packageAdvice(place, evaluation), carryAdvice(place, evaluation)].filter(
    (it) => it !== undefined,
  );
}

/** The same for packages alone: one for those that are not installed, and one for those that are not built. */
export function packageAdvice(place: Place, evaluation: Evaluation): string[] {
  const advice = [installAdvice(place, evaluation), buildAdvice(place, missingModuleLines(evaluation))];
  return advice.filter((it) => it !== undefined);
}

/** The same, and what is left out of the result of an untouched tree. */
export function baselineAdvice(place: Place, evaluation: Evaluation): string[] {
  const unfinished = evaluation.diagnostics.filter(({ rule }) => rule === UNFINISHED);
  return [...missingAdvice(place, evaluation), ...unfinished.map(({ message }) => message)];
}

/** Forwards events, and warns of what the failures of the untouched tree do not find, and of what is left out. */
export function adviseOnInstall(place: Place, emit: (event: RunEvent) => void): typeof emit {
  return (event) => {
    emit(event);
    if (event.type !== 'baseline_evaluated') return;
    for (const text of baselineAdvice(place, event.evaluation)) emit({ type: 'warning', text });
  };
}
