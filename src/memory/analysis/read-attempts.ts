import { messageOf } from '../../errors.ts';
import type { Diagnostic, Evaluation, Trajectory } from '../../schema/generated.ts';
import { renderProblems, validate } from '../../schema/validate.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { RALPH_PATHS, ralphFolder } from '../../platform/ralph-folder.ts';
import { readFolder } from '../../platform/files/read-folder.ts';
import { readStored } from '../../platform/files/read-stored.ts';
import type { LeftOut } from './history.ts';

const ATTEMPT = /^\d{3,9}$/;

/** What the folder of a loop holds of one attempt. */
export interface StoredAttempt {
  /** 1-based. */
  readonly iteration: number;
  readonly evaluation: Evaluation;
  /** Its first line, without the actions. */
  readonly trajectory?: Partial<Omit<Trajectory, 'actions'>>;
}

export interface StoredLoop {
  readonly baseline?: Evaluation;
  readonly attempts: readonly StoredAttempt[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Evaluations and trajectories of a loop, by attempt: what confirmed a result counts before what it confirmed. Damaged
 * files are named and left out; a loop without a folder has none. Never rejects for what a file holds.
 */
export async function readAttempts(repositoryRoot: string, loopId: string): Promise<StoredLoop> {
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
  const baseline = await evaluation();
  const attempts: StoredAttempt[] = [];
  for (const folder of await attemptFolders(repositoryRoot, loopId)) {
    const judged = await evaluation('attempts', folder);
    const trajectory = await read(['attempts', folder, 'trajectory.jsonl'], parseHead);
    if (judged === undefined) continue;
    attempts.push({ iteration: Number(folder), evaluation: judged, ...(trajectory && { trajectory }) });
  }
  return { ...(baseline && { baseline }), attempts, leftOut };
}

/** How failures are known again in another loop: by fingerprint, and by file and rule. */
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
    // A link that leads out of the repository; there is nothing of ours behind it.
    return [];
  }
}

function parseEvaluation(text: string): Evaluation | string {
  const json = parseJson(text);
  if (typeof json === 'string') return json;
  const checked = validate('evaluation', json.value);
  return checked.ok ? checked.value : `is no evaluation: ${renderProblems(checked.problems)}`;
}

/** The head holds by the schema once the actions, which are the other lines, are added. */
function parseHead(text: string): Omit<Trajectory, 'actions'> | string {
  const json = parseJson(text.split('\n', 1)[0]!);
  if (typeof json === 'string') return json;
  const checked = validate('trajectory', { ...(json.value as object), actions: [] });
  return checked.ok ? checked.value : `is no trajectory: ${renderProblems(checked.problems)}`;
}

function parseJson(text: string): { readonly value: unknown } | string {
  try {
    return { value: parseBoundedJson(text) };
  } catch (error) {
    return `is no JSON: ${messageOf(error)}`;
  }
}
