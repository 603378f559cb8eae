import { createBench } from '../checks/bench.ts';
import type { LoopPorts } from '../loop/options.ts';
import { createStrengthMeter } from '../proof/strength/strength-meter.ts';
import { openAcceptanceTests } from './acceptance.ts';
import type { LoopRequest } from './loop-request.ts';
import type { Models } from './models.ts';
import type { Workbench } from './workbench.ts';

/** The ports that write acceptance tests and measure a proof, as the settings ask for. */
export function openProofPorts(
  { project }: LoopRequest,
  models: Models,
  { suite, workspace }: Pick<Workbench, 'suite' | 'workspace'>,
): Pick<LoopPorts, 'acceptance' | 'strength'> {
  const { settings, repository } = project;
  // Only tests are run on mutants: a mutant that such a command would catch must not be called a survivor.
  const hasCommand = project.plan.checks.some(({ criterion }) => criterion !== undefined);
  const bench = createBench({ ...suite, root: workspace.root });
  return {
    acceptance: settings.acceptanceTests ? openAcceptanceTests(models, bench, repository.root) : undefined,
    strength: settings.proofTimeMs > 0 && !hasCommand ? createStrengthMeter(suite) : undefined,
  };
}
