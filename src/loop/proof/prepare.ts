import type { AcceptanceSuite } from '../../ports/acceptance.ts';
import type { TreeId } from '../../ports/tree.ts';
import { evaluateProofBase } from '../evaluate.ts';
import type { LoopRun } from '../loop-run.ts';
import { isAboutTask } from './about-task.ts';
import { criteriaOf, type DecidableCriterion } from './criteria.ts';
import { refuseTestFiles, refuseUnprovable } from './refuse-unprovable.ts';

const TEXT_UNCHECKED = 'The task text: no command or test was made for it.';

/** Result of the step `acceptance`, as it is in the journal. */
interface Prepared {
  readonly suite: AcceptanceSuite;
  /** The base with the files of the suite. */
  readonly tree: TreeId;
}

/**
 * Prepares the proof: refuses criteria that prove nothing, has tests written for the task where that is possible, and
 * makes the base with these tests the tree that attempts start from. Throws RalphError.
 */
export async function prepareProof(loop: LoopRun): Promise<void> {
  const { options, ports } = loop;
  const { acceptTests } = options.proof;
  refuseTestFiles(loop.baseline, options);
  const hasCriteria = acceptTests.length > 0 || options.project.checks.some(({ criterion }) => criterion);
  if (!hasCriteria) refuseUnprovable(loop.baseline, options);
  const files = acceptTests.map(({ file }) => file);
  if (files.length > 0) ports.guard.protectFrom?.(ports.workspace.base, files);
  if (ports.acceptance !== undefined && options.proof.hasTask) await writeAcceptance(loop, files);
  const { written, writtenFiles, uncovered } = loop.proofBase;
  const sources = { checks: options.project.checks, acceptTests, written, writtenFiles };
  const { hasTask, isListed } = options.proof;
  const all = criteriaOf(loop.baseline, sources);
  const isCheck = ({ criterion }: DecidableCriterion): boolean => criterion.source === 'check';
  const isRepair =
    !hasTask || all.some((one) => isCheck(one) && isAboutTask(options.task, one.criterion, isListed));
  const criteria = isRepair ? all : all.filter((one) => !isCheck(one));
  const isTextUnchecked =
    options.proof.hasTask && criteria.every(({ criterion }) => criterion.source === 'check');
  const unwritten = ports.acceptance === undefined ? options.proof.stated : [];
  const open = [...new Set([...uncovered, ...unwritten])];
  loop.proofBase = {
    ...loop.proofBase,
    criteria,
    uncovered: isTextUnchecked && open.length === 0 ? [TEXT_UNCHECKED] : open,
  };
}

async function writeAcceptance(loop: LoopRun, protectedFiles: readonly string[]): Promise<void> {
  const { emit, guard, store } = loop.ports;
  const { suite, tree } = await store.step<Prepared>('acceptance', () => write(loop));
  loop.spending.addUsage(suite.usage);
  const { criteria, files, uncovered, rejected } = suite;
  loop.proofBase = { ...loop.proofBase, written: criteria, writtenFiles: files, uncovered };
  if (files.length > 0) {
    loop.proofBase = { ...loop.proofBase, tree };
    guard.protectFrom?.(tree, [...protectedFiles, ...files]);
    await evaluateProofBase(loop, tree);
  }
  emit({ type: 'acceptance_prepared', criteria, files, uncovered, rejected, evaluation: loop.baseline });
}

async function write(loop: LoopRun): Promise<Prepared> {
  const { acceptance, emit, workspace } = loop.ports;
  const { task, project, proof } = loop.options;
  await loop.moveToForChecks(workspace.base);
  const suite = await acceptance!.prepare({
    task,
    stated: proof.stated,
    root: workspace.root,
    project,
    evaluation: loop.baseline,
    signal: loop.signal,
    onProgress: (text) => emit({ type: 'progress', text }),
    onWork: emit,
  });
  loop.throwIfOver('the writing of acceptance tests');
  return { suite, tree: await workspace.checkpointFiles(workspace.base, suite.files) };
}
