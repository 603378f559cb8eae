import { ACTORS, askedName } from '../../actors.ts';
import type { Actor } from '../../ports.ts';
import type { LoopRequest } from './loop-request.ts';
import type { Workbench } from '../workbench.ts';

/** Emits `loop_started`, and a warning for each limitation of the workspace. */
export function announce(
  request: LoopRequest,
  { workspace, notCovered, warnings }: Workbench,
  actor: Actor,
): void {
  const { emit, loopId, task, resumed, project } = request;
  const { plan, settings } = project;
  const { maxCostUsd, maxIterations, maxTimeMs, maxTokens, model } = settings;
  const asked = askedName(settings) ?? (ACTORS[settings.actor].asks === 'model' ? model.replay : undefined);
  emit({
    type: 'loop_started',
    loopId,
    task,
    actor: actor.name,
    model: asked,
    maxIterations,
    limits: { maxTimeMs, maxCostUsd, maxTokens },
    workspace: workspace.root,
    project: plan,
    resumed,
  });
  for (const text of warnings) emit({ type: 'warning', text });
  if (notCovered.length > 0) {
    const shown = notCovered.slice(0, 5).join(', ') + (notCovered.length > 5 ? ', …' : '');
    emit({
      type: 'warning',
      text: `The workspace does not contain ${shown}: nested repositories, unreadable files and files of more than 4 GiB are left out.`,
    });
  }
}
