import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { captureCalls } from '../trial/capture.ts';
import { docExamples, type DocExample } from '../syntax/doc-examples.ts';
import type { Candidate } from '../syntax/edit.ts';
import { parseSource } from '../syntax/parse.ts';
import { embedCandidates } from '../trial/switch.ts';
import { runInstrumented, type TrialGround } from '../trial/session.ts';

/** What programs did on the same inputs: some from the tests, most like them but new. */
export interface Behaviours {
  /** Of the unchanged code; as long as every candidate's. Empty where nothing could be compared. */
  readonly original: readonly string[];
  /** Result, or error, as text for each input; and the arguments afterwards, where the call changed them. */
  readonly of: ReadonlyMap<Candidate, readonly string[]>;
  /** Share of the examples in the file's comments that hold; empty where there are none that could be tried. */
  readonly examples: ReadonlyMap<Candidate, number>;
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
  const examples: DocExample[] = [];
  for (const [file, own] of Map.groupBy(candidates, ({ edits }) => edits[0]!.file)) {
    const parsed = parseSource(file, await readFile(join(ground.context.root, file), 'utf8'));
    if ('problem' in parsed) continue;
    examples.push(...docExamples(parsed));
    const offsets = own.map(({ edits }) => edits[0]!.start);
    const switched = embedCandidates(parsed, own, ids.size + 1, captureCalls(parsed, offsets));
    if (switched.embedded.length > 0) texts.set(file, switched.text);
    for (const { id, candidate } of switched.embedded) ids.set(id, candidate);
  }
  const run = await runInstrumented(ground, texts, {
    mode: 'compare',
    ids: [...ids.keys()],
    careful: [],
    examples,
    shards: 1,
    minCandidateMs: 0,
    testBudgetMs: BUDGET_MS,
    processBudgetMs: BUDGET_MS,
  });
  const outputs = new Map<number, string[]>([[0, []]]);
  const kept = new Map<Candidate, number>();
  for (const record of run?.processes.flat() ?? []) {
    const candidate = record.type === 'examples' ? ids.get(record.id) : undefined;
    if (record.type === 'examples' && candidate !== undefined)
      kept.set(candidate, record.kept / record.tried);
    if (record.type !== 'behaviour') continue;
    const known = outputs.get(record.id) ?? [];
    outputs.set(record.id, [...known, ...record.outputs]);
  }
  const original = outputs.get(0)!;
  const isWhole = ([, texts]: [number, string[]]): boolean => texts.length === original.length;
  const whole = [...outputs].filter(isWhole).filter(([id]) => id !== 0);
  const of = new Map(whole.map(([id, texts]) => [ids.get(id)!, texts]));
  return { original, of, examples: kept };
}
