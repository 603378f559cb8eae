import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../errors.ts';
import type { Diagnostic, Evaluation, Trajectory } from '../../schema/generated.ts';
import { renderProblems, validate } from '../../schema/validate.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { RALPH_PATHS, ralphFolder } from '../../platform/ralph-folder.ts';
import { readFolder } from '../../platform/files/read-folder.ts';
import { readStored } from '../../platform/files/read-stored.ts';
import type { LeftOut } from './history.ts';

const ATTEMPT = /^\d{3,9}$/;

/** The stored evaluation and trajectory of one attempt. */
export interface StoredAttempt {
  /** 1-based. */
  readonly iteration: number;
  readonly evaluation: Evaluation;
  /** The first line of its file, without the actions. */
  readonly trajectory?: Partial<Omit<Trajectory, 'actions'>>;
}

/** The stored evaluations and trajectories of one loop. */
export interface StoredLoop {
  readonly baseline?: Evaluation;
  readonly attempts: readonly StoredAttempt[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Reads the evaluations and trajectories of a loop; a confirming evaluation is preferred to the one that it confirmed.
 * Damaged files are listed in `leftOut`; a loop without a folder has no attempts. Never rejects for the content of a
 * file.
 */
export async function readAttempts(repositoryRoot: string, loopId: string): Promise<StoredLoop> {
  // A repository may have the reflections of thousands of loops that ran elsewhere.
  if (!existsSync(join(repositoryRoot, RALPH_PATHS.loop(loopId)))) return { attempts: [], leftOut: [] };
  const leftOut: LeftOut[] = [];
  const read = async <T>(
    parts: readonly string[],
    parse: (text: string) => T | string,
  ): Promise<T | undefined> => {
    const path = RALPH_PATHS.inLoop(loopId, parts.join('/'));
    const found = await readStored(repositoryRoot, path);
    if (found === undefined) return undefined;
    const parsed = 'problem' in found ? found.problem : parse(found.text);
    if (typeof parsed !== 'string') return parsed;
    leftOut.push({ path, problem: parsed });
    return undefined;
  };
  const evaluation = async (...folder: string[]): Promise<Evaluation | undefined> => {
    const name = folder.length === 0 ? 'baseline' : 'evaluation';
    return (
      (await read([...folder, `${name}-confirmed.json`], parseEvaluation)) ??
      (await read([...folder, `${name}.json`], parseEvaluation))
    );
  };
  // Attempts start from the tree with the tests that were written for the task, if there are any.
  const baseline = (await read(['baseline-acceptance.json'], parseEvaluation)) ?? (await evaluation());
  const attempts: StoredAttempt[] = [];
  for (const folder of await attemptFolders(repositoryRoot, loopId)) {
    const judged = await evaluation('attempts', folder);
    const trajectory = await read(['attempts', folder, 'trajectory.jsonl'], parseHead);
    if (judged === undefined) continue;
    attempts.push({ iteration: Number(folder), evaluation: judged, trajectory });
  }
  return { baseline, attempts, leftOut };
}

/** Marks by which failures are recognised in another loop: fingerprints, and files with their rules. Each once. */
export function failureMarks(
  diagnostics: readonly Pick<Diagnostic, 'file' | 'rule' | 'fingerprint'>[],
): string[] {
  const marks = diagnostics.flatMap(({ file, rule, fingerprint }) => [
    ...(fingerprint === undefined ? [] : [fingerprint]),
    ...(file === undefined || rule === undefined ? [] : [`${file}\n${rule}`]),
  ]);
  return [...new Set(marks)];
}

async function attemptFolders(repositoryRoot: string, loopId: string): Promise<string[]> {
  try {
    const entries = await readFolder(ralphFolder(repositoryRoot).attempts(loopId));
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return names.filter((name) => ATTEMPT.test(name)).sort((a, b) => Number(a) - Number(b));
  } catch {
    // `ralphFolder` refuses a link that leads out of the repository; ralph never wrote anything behind it.
    return [];
  }
}

function parseEvaluation(text: string): Evaluation | string {
  const json = parseJson(text);
  if (typeof json === 'string') return json;
  const checked = validate('evaluation', json.value);
  return checked.ok ? checked.value : `is not a valid evaluation: ${renderProblems(checked.problems)}`;
}

/** The first line; the other lines are the actions, which the schema requires. */
function parseHead(text: string): Omit<Trajectory, 'actions'> | string {
  const json = parseJson(text.split('\n', 1)[0]!);
  if (typeof json === 'string') return json;
  const checked = validate('trajectory', { ...(json.value as object), actions: [] });
  return checked.ok ? checked.value : `is not a valid trajectory: ${renderProblems(checked.problems)}`;
}

function parseJson(text: string): { readonly value: unknown } | string {
  try {
    return { value: parseBoundedJson(text) };
  } catch (error) {
    return `is not JSON: ${messageOf(error)}`;
  }
}
