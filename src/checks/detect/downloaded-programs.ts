import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toolOf, toolStartedBy } from '../../tools.ts';
import { findInstalledPackage } from './installed-tool.ts';
import { readManifest } from './packages/manifest.ts';
import type { PackageContext } from './packages/package-context.ts';
import type { Step } from './scripts/step.ts';

/** A program that a package runner starts, which downloads it where it is not installed. */
const RUNNER = /(?:^|\s)(?:npx|bunx|pnpx|npm (?:exec|x)|bun x)\s/;
const NAMED_PACKAGE = /\s(?:-p|--package)[ =]((?:@[\w.-]+\/)?[\w.-]+)/;

/**
 * The steps without those whose program only a download brings, such as `npx --package typescript tsc` where typescript is no
 * dependency, and a note on each. A check may use no network, and no installation of the dependencies helps.
 */
export function withoutDownloaded(
  steps: readonly Step[],
  place: PackageContext,
): { readonly steps: readonly Step[]; readonly notes: readonly string[] } {
  const left = steps.filter((step) => isDownloaded(step, place));
  return {
    steps: steps.filter((step) => !left.includes(step)),
    notes: left.map(
      ({ text, source, program }) =>
        `Not a check: "${text}" (${source}). It downloads ${program}, which no dependency brings.`,
    ),
  };
}

function isDownloaded({ text, program, dir }: Step, place: PackageContext): boolean {
  if (place.manager.plugAndPlay || !RUNNER.test(text) || hasProgram(program, dir)) return false;
  const tool = toolStartedBy(program);
  const named = NAMED_PACKAGE.exec(text)?.[1];
  const usual = tool === undefined ? [program] : toolOf(tool).packages;
  const packages = named === undefined ? usual : [named];
  const listed = [place.manifest, readManifest(place.root)].flatMap((it) => it?.dependencies ?? []);
  return !packages.some((name) => listed.includes(name) || findInstalledPackage(name, dir) !== undefined);
}

/** Whether a `node_modules` from the folder upward has the program. */
function hasProgram(program: string, folder: string): boolean {
  if (existsSync(join(folder, 'node_modules/.bin', program))) return true;
  return dirname(folder) !== folder && hasProgram(program, dirname(folder));
}
