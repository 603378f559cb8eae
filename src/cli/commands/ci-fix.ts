import { resolve } from 'node:path';
import { writeFix } from '../../ci/fix-folder.ts';
import { readPlan, requireCheckout, restoreMemory, type FixPlan } from '../../ci/fix.ts';
import { openLoop, type LoopSession } from '../../compose/loop.ts';
import { openProject } from '../../compose/project.ts';
import { createAnnotations, quietSection, type Annotation } from '../../report/workflow-commands.ts';
import { readLoopRecord, type LoopRecord } from '../../report/data/loop-record.ts';
import { renderMarkdown } from '../../report/markdown.ts';
import type { Verdict } from '../../schema/generated.ts';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import { configOf, type OutputOptions } from '../options.ts';
import { DEFAULT_TASK } from '../task.ts';
import { reportStep } from './ci-report.ts';
import { runSession } from '../run-session.ts';

export interface CiFixOptions extends OutputOptions {
  readonly plan: string;
  readonly output: string;
}

/** `ralph ci fix`: the loop of `ralph run`, on the commit of a plan, with what earlier tries at it learned. Its exit codes. */
export async function ciFixCommand(options: CiFixOptions): Promise<void> {
  const { env } = process;
  const planFolder = resolve(options.plan);
  const output = resolve(options.output);
  const plan = await readPlan(planFolder);
  const flags = {
    ...(plan.max_cost_usd !== undefined && { maxCost: plan.max_cost_usd }),
    ...configOf({ ...options }),
  };
  const project = await openProject({ cwd: process.cwd(), flags: boundedBy(plan, flags), env });
  const { root } = project.repository;
  await requireCheckout(project.repository, plan);
  const earlier = await restoreMemory(root, planFolder, plan);
  const task = plan.task ?? DEFAULT_TASK;
  const quiet = env.GITHUB_ACTIONS === 'true' && options.format === 'text' ? quietSection() : undefined;
  if (quiet !== undefined) process.stdout.write(`${quiet.begin}\n`);
  let verdict: Verdict | undefined;
  try {
    await runSession(options, async (shown, interruption) =>
      noting(
        await openLoop({
          ...{ project, task, earlier, delivery: 'tree', resumed: false },
          loopId: newLoopId(task, new Date()),
          startedAt: new Date().toISOString(),
          emit: shown.emit,
          stopRequested: interruption.stopRequested,
          signal: interruption.signal,
        }),
        (found) => (verdict = found),
      ),
    );
  } finally {
    if (quiet !== undefined) process.stdout.write(`${quiet.end}\n`);
  }
  if (verdict === undefined) return;
  await writeFix({ root, output }, plan, verdict);
  await tell(verdict, { root, output, format: options.format });
}

/** What one try may cost is the plan's to say, whatever the branch's configuration does; a flag can ask for less. */
function boundedBy(plan: FixPlan, flags: ReturnType<typeof configOf>): ReturnType<typeof configOf> {
  const { max_cost_usd: most } = plan;
  return most === undefined ? flags : { ...flags, maxCost: Math.min(most, flags.maxCost ?? most) };
}

function noting(session: LoopSession, note: (verdict: Verdict) => void): LoopSession {
  return {
    close: () => session.close(),
    async run() {
      const result = await session.run();
      note(result.verdict);
      return result;
    },
  };
}

async function tell(
  verdict: Verdict,
  { root, output, format }: { readonly root: string; readonly output: string; readonly format: string },
): Promise<void> {
  const record = await readLoopRecord(root, verdict.loop_id!);
  const summary = renderMarkdown(record);
  await writeDurably(`${output}/report.md`, summary);
  reportStep(
    {
      text: `Left in ${output}: fix.json, report.md${verdict.patch === null ? '' : ', patch.diff'}`,
      // With json and jsonl, standard output is theirs alone.
      log: format === 'text',
      outputs: {
        verified: String(verdict.verified),
        reward: String(verdict.reward),
        'loop-id': verdict.loop_id ?? '',
      },
      summary,
      annotations: annotationsFor(verdict, record),
    },
    process.env,
  );
}

function annotationsFor(verdict: Verdict, { attempts, baseline }: LoopRecord): Annotation[] {
  if (verdict.verified) return [{ level: 'notice', title: 'ralph: verified', message: verdict.reason }];
  const best = attempts.find(({ iteration }) => iteration === verdict.best_iteration)?.evaluation ?? baseline;
  return [
    { level: 'warning', title: 'ralph: not verified', message: verdict.reason },
    ...createAnnotations(best?.diagnostics ?? []),
  ];
}
