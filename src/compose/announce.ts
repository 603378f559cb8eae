import { ACTORS, askedName } from '../actors.ts';
import type { Actor } from '../ports.ts';
import type { LoopRequest } from './loop-request.ts';
import type { Workbench } from './workbench.ts';

/** The first event of a loop, and what is to be known of its workspace. */
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
    ...(asked !== undefined && { model: asked }),
    maxIterations,
    limits: {
      ...(maxTimeMs !== undefined && { maxTimeMs }),
      ...(maxCostUsd !== undefined && { maxCostUsd }),
      ...(maxTokens !== undefined && { maxTokens }),
    },
    workspace: workspace.root,
    project: plan,
    resumed,
  });
  for (const text of warnings) emit({ type: 'warning', text });
  if (notCovered.length > 0) {
    const shown = notCovered.slice(0, 5).join(', ') + (notCovered.length > 5 ? ', …' : '');
    emit({
      type: 'warning',
      text: `The workspace does not have ${shown}: nested repositories and unreadable files are left out.`,
    });
  }
}
