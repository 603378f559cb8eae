import { createModelJudge } from '../../agents/judge/index.ts';
import { createBench } from '../../checks/bench.ts';
import type { LoopPorts } from '../../loop/options.ts';
import { createStrengthMeter } from '../../proof/strength/strength-meter.ts';
import { openAcceptanceTests } from './acceptance.ts';
import type { LoopRequest } from './loop-request.ts';
import type { Models } from '../models.ts';
import type { Workbench } from '../workbench.ts';

/** The ports that write acceptance tests and measure a proof, as the settings ask for. */
export function openProofPorts(
  { project, review, loopId }: LoopRequest,
  models: Models,
  { suite, workspace }: Pick<Workbench, 'suite' | 'workspace'>,
): Pick<LoopPorts, 'acceptance' | 'judge' | 'strength'> {
  const { settings, repository } = project;
  const bench = createBench({ ...suite, root: workspace.root });
  const acceptance = settings.acceptanceTests
    ? openAcceptanceTests(models, {
        settings,
        bench,
        workspace,
        sandbox: suite.sandbox,
        loopId,
        repository: repository.root,
        review,
      })
    : undefined;
  return {
    acceptance,
    judge: models.judge && createModelJudge(models.judge, repository.root),
    strength: settings.proofTimeMs > 0 ? createStrengthMeter(suite) : undefined,
  };
}
