import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { captureCalls } from '../trial/instrument/capture-calls.ts';
import { docExamples, type DocExample } from '../syntax/doc-examples.ts';
import type { Candidate } from '../syntax/edit.ts';
import { parseSource } from '../syntax/parse.ts';
import { embedCandidates } from '../trial/instrument/embed-candidates.ts';
import { runInstrumented, type TrialTarget } from '../trial/instrumented-run.ts';

/** Results of programs on the same inputs: some captured from the tests, most of them new and similar. */
export interface Behaviours {
  /** The calls that were compared, as `name(arguments)`, in the order of the results. */
  readonly inputs: readonly string[];
  /** Results of the unchanged code, as long as each candidate's; empty if nothing could be compared. */
  readonly original: readonly string[];
  /** For each candidate the result or error of each input as text, followed by the arguments if the call changed them. */
  readonly of: ReadonlyMap<Candidate, readonly string[]>;
  /** Share of the examples in the file's comments that hold, 0..1; empty if no example could be tried. */
  readonly examples: ReadonlyMap<Candidate, number>;
}

const BUDGET_MS = 8000;

/**
 * Runs the functions that the candidates change on the tests' inputs and on similar ones. Candidates that need a
 * process of their own are left out, and so are calls with arguments that are not plain data.
 */
export async function compareBehaviours(
  target: TrialTarget,
  candidates: readonly Candidate[],
): Promise<Behaviours> {
  const texts = new Map<string, string>();
  const ids = new Map<number, Candidate>();
  const examples: DocExample[] = [];
  for (const [file, own] of Map.groupBy(candidates, ({ edits }) => edits[0]!.file)) {
    const parsed = parseSource(file, await readTreeText(join(target.context.root, file)));
    if ('problem' in parsed) continue;
    examples.push(...docExamples(parsed));
    const offsets = own.map(({ edits }) => edits[0]!.start);
    const source = embedCandidates(parsed, own, ids.size + 1, captureCalls(parsed, offsets));
    if (source.embedded.length > 0) texts.set(file, source.text);
    for (const { id, candidate } of source.embedded) ids.set(id, candidate);
  }
  const run = await runInstrumented(target, texts, {
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
  const inputs: string[] = [];
  const shares = new Map<Candidate, number>();
  for (const record of run?.processes.flat() ?? []) {
    const candidate = record.type === 'examples' ? ids.get(record.id) : undefined;
    if (record.type === 'examples' && candidate !== undefined)
      shares.set(candidate, record.kept / record.tried);
    if (record.type === 'inputs') inputs.push(...record.inputs);
    if (record.type !== 'behaviour') continue;
    const known = outputs.get(record.id) ?? [];
    outputs.set(record.id, [...known, ...record.outputs]);
  }
  const original = outputs.get(0)!;
  const complete = [...outputs].filter(([id, results]) => id !== 0 && results.length === original.length);
  const of = new Map(complete.map(([id, results]) => [ids.get(id)!, results]));
  return { inputs, original, of, examples: shares };
}
