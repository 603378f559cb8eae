import type { AcceptanceSuite } from '../../ports/acceptance.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Evaluation, ProofStrength } from '../../schema/generated.ts';
import { evaluateStrengthened } from '../evaluate.ts';
import type { LoopRun } from '../loop-run.ts';
import { measureStrength, type MeasureStep } from './measure.ts';

/** A tree that passes, with additional tests for mutants that its tests did not catch. */
export interface Strengthened {
  readonly tree: TreeId;
  /** Confirmed, and passed. */
  readonly evaluation: Evaluation;
  /** Measured with the additional tests. */
  readonly strength: ProofStrength;
  /** The additional test files. */
  readonly files: readonly string[];
}

/** Each costs one run of the additional tests. */
const MAX_SURVIVORS = 10;

/** Result of the step `strengthen`, as it is in the journal. */
interface Added {
  readonly suite: AcceptanceSuite;
  readonly tree: TreeId;
}

/**
 * Gives the mutants that no test caught to the writer of acceptance tests, once. Undefined if the result with the added
 * tests does not pass, or leaves as many mutants as before.
 */
export async function strengthen(
  loop: LoopRun,
  step: MeasureStep,
  strength: ProofStrength,
): Promise<Strengthened | undefined> {
  const { iteration, evaluation } = step;
  const { suite, tree } = await loop.ports.store.step<Added>(`${iteration}:strengthen`, () =>
    addTests(loop, step, strength),
  );
  loop.spending.addUsage(suite.usage);
  const { files } = suite;
  if (files.length === 0) return undefined;
  const confirmed = await evaluateStrengthened(loop, { iteration, tree, previous: evaluation });
  const ran = new Set(confirmed.tests.flatMap(({ file }) => file ?? []));
  if (!confirmed.passed || !files.every((file) => ran.has(file))) return undefined;
  const changes = await loop.ports.workspace.changes(loop.proofBase.tree, tree);
  const again = await measureStrength(
    loop,
    { iteration, tree, changes, evaluation: confirmed },
    `${iteration}:strength:again`,
  );
  if (again === undefined || again.survivors.length >= strength.survivors.length) return undefined;
  if (again.tried === 0 || share(again) < share(strength)) return undefined;
  return { tree, evaluation: confirmed, strength: { ...again, added: [...files] }, files };
}

async function addTests(
  loop: LoopRun,
  { tree, evaluation }: MeasureStep,
  { survivors }: ProofStrength,
): Promise<Added> {
  const { acceptance, emit, workspace } = loop.ports;
  const { task, project, proof } = loop.options;
  await loop.moveToForChecks(tree);
  const request = {
    task,
    stated: proof.stated,
    root: workspace.root,
    project,
    evaluation,
    signal: loop.signal,
    onProgress: (text: string) => emit({ type: 'progress', text }),
    onWork: emit,
  };
  const suite = await acceptance!.strengthen(request, survivors.slice(0, MAX_SURVIVORS));
  loop.throwIfOver('the addition of tests');
  return { suite, tree: await workspace.checkpointFiles(tree, suite.files) };
}

function share({ caught, tried }: ProofStrength): number {
  return caught / tried;
}
