import type { LoopPorts } from '../loop/options.ts';
import type { LoopRequest } from './loop-request.ts';
import type { Models } from './models.ts';
import type { Workbench } from './workbench.ts';

/** The ports that write acceptance tests and measure a proof, as the settings ask for. Rejects with RalphError. */
export function openProofPorts(
  _request: LoopRequest,
  _models: Models,
  _suite: Workbench['suite'],
): Promise<Pick<LoopPorts, 'acceptance' | 'strength'>> {
  return Promise.resolve({});
}
