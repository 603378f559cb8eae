import { createBench } from '../checks/bench.ts';
import type { LoopPorts } from '../loop/options.ts';
import { createStrengthMeter } from '../proof/strength/strength-meter.ts';
import { openAcceptanceTests } from './acceptance.ts';
import type { LoopRequest } from './loop-request.ts';
import type { Models } from './models.ts';
import type { Workbench } from './workbench.ts';

/** The ports that write acceptance tests and measure a proof, as the settings ask for. */
export function openProofPorts(
  { project, review }: LoopRequest,
  models: Models,
  { suite, workspace }: Pick<Workbench, 'suite' | 'workspace'>,
): Pick<LoopPorts, 'acceptance' | 'strength'> {
  const { settings, repository } = project;
  const bench = createBench({ ...suite, root: workspace.root });
  const acceptance = settings.acceptanceTests
    ? openAcceptanceTests(models, { bench, repository: repository.root, review })
    : undefined;
  return {
    acceptance,
    strength: settings.proofTimeMs > 0 ? createStrengthMeter(suite) : undefined,
  };
}
