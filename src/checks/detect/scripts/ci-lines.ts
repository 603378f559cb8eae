import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import type { PackageContext } from '../packages/package-context.ts';
import { textOf } from '../../../platform/files/text-of.ts';

/** A command line of a continuous-integration workflow. */
export interface CiLine {
  readonly line: string;
  /** The file, relative to the root, such as `.github/workflows/ci.yml`. */
  readonly source: string;
}

const FOLDER = '.github/workflows';
/** Workflows that publish, or that update something, check nothing. */
const NO_CHECKS = /release|publish|deploy|docs|pages|site|stale|lock|label|size|bench/i;
const MAX_LINES = 200;

/**
 * The command lines that the GitHub workflows of a repository run, one for each line of a `run:`; none for a package
 * below the root, since workflows start there. Lines with an expression `${{ … }}` are left out. Never throws.
 */
export function ciLines({ root, dir }: PackageContext): CiLine[] {
  if (dir !== root) return [];
  return workflowsOf(root)
    .flatMap((name) => {
      const source = `${FOLDER}/${name}`;
      return runLines(textOf(join(root, source))).map((line) => ({ line, source }));
    })
    .filter(({ line }) => !line.includes('${{'))
    .slice(0, MAX_LINES);
}

function workflowsOf(root: string): string[] {
  try {
    return readdirSync(join(root, FOLDER))
      .filter((name) => /\.ya?ml$/.test(name) && !NO_CHECKS.test(name))
      .sort();
  } catch {
    return [];
  }
}

/** The lines of every `run:` of a workflow's steps; none for a file that is no workflow. */
function runLines(text: string): string[] {
  const { jobs } = valueOf(text) as { jobs?: unknown };
  return Object.values(recordOf(jobs))
    .flatMap((job) => Object.values(recordOf(recordOf(job)['steps'])))
    .map((step) => recordOf(step)['run'])
    .filter((run) => typeof run === 'string')
    .flatMap((run) => run.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Aliases are left out: resolved, a small file can be a value without measure. */
function valueOf(text: string): object {
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0) return {};
  try {
    return recordOf(document.toJS({ maxAliasCount: 0 }));
  } catch {
    return {};
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
