import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { captureCalls } from './capture.ts';
import type { Candidate } from './edit.ts';
import { parseSource } from './parse.ts';
import { embedCandidates } from './switch.ts';
import { runInstrumented, type TrialGround } from './trial-session.ts';

/** What programs did on the same inputs: some from the tests, most like them but new. */
export interface Behaviours {
  /** Of the unchanged code; as long as every candidate's. Empty where nothing could be compared. */
  readonly original: readonly string[];
  /** Result, or error, and arguments afterwards, as text, for each input. */
  readonly of: ReadonlyMap<Candidate, readonly string[]>;
}

const BUDGET_MS = 8000;

/**
 * Runs the functions that the candidates change on inputs like those that the tests give them. Candidates that
 * cannot share a process are left out; functions that are not given plain data cannot be compared.
 */
export async function compareBehaviours(
  ground: TrialGround,
  candidates: readonly Candidate[],
): Promise<Behaviours> {
  const texts = new Map<string, string>();
  const ids = new Map<number, Candidate>();
  for (const [file, own] of Map.groupBy(candidates, ({ edits }) => edits[0]!.file)) {
    const parsed = parseSource(file, await readFile(join(ground.context.root, file), 'utf8'));
    if ('problem' in parsed) continue;
    const offsets = own.map(({ edits }) => edits[0]!.start);
    const switched = embedCandidates(parsed, own, ids.size + 1, captureCalls(parsed, offsets));
    if (switched.embedded.length > 0) texts.set(file, switched.text);
    for (const { id, candidate } of switched.embedded) ids.set(id, candidate);
  }
  const run = await runInstrumented(ground, texts, {
    mode: 'compare',
    ids: [...ids.keys()],
    careful: [],
    shards: 1,
    minCandidateMs: 0,
    testBudgetMs: BUDGET_MS,
    processBudgetMs: BUDGET_MS,
  });
  const outputs = new Map<number, string[]>([[0, []]]);
  for (const record of run?.processes.flat() ?? []) {
    if (record.type !== 'behaviour') continue;
    const known = outputs.get(record.id) ?? [];
    outputs.set(record.id, [...known, ...record.outputs]);
  }
  const original = outputs.get(0)!;
  const isWhole = ([, texts]: [number, string[]]): boolean => texts.length === original.length;
  const whole = [...outputs].filter(isWhole).filter(([id]) => id !== 0);
  return { original, of: new Map(whole.map(([id, texts]) => [ids.get(id)!, texts])) };
}
