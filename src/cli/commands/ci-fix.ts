import { resolve } from 'node:path';
import { writeFix } from '../../ci/fix-folder.ts';
import { publishingRules } from '../../ci/patch-examination.ts';
import { readPlan, requireCheckout, restoreMemory, type FixPlan } from '../../ci/fix.ts';
import { openLoop, type LoopSession } from '../../compose/loop/loop.ts';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { NO_TASK } from '../../compose/loop/task-proof.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { readLoopRecord, type LoopRecord } from '../../report/data/loop-record.ts';
import { describeUnseen } from '../../ci/rules/decide-publish.ts';
import { markdownText } from '../../report/markdown-text.ts';
import { renderMarkdown } from '../../report/markdown.ts';
import { createAnnotations, quietSection, type Annotation } from '../../report/workflow-commands.ts';
import type { Config, Verdict } from '../../schema/generated.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';
import { runSession } from '../run-session.ts';
import { DEFAULT_TASK } from '../task.ts';
import { openPlannedProject } from './ci-planned-project.ts';
import { reportStep } from './ci-step-report.ts';

export interface CiFixOptions extends OutputOptions {
  readonly plan: string;
  readonly output: string;
}

/**
 * `ralph ci fix`: runs the loop on the commit of a plan, with the settings of the default branch and the memory of
 * earlier tries at it. Exit codes are those of `ralph run`.
 */
export async function ciFixCommand(options: CiFixOptions): Promise<void> {
  const { env } = process;
  const planFolder = resolve(options.plan);
  const output = resolve(options.output);
  const plan = await readPlan(planFolder);
  const flags = withPlannedCost(plan, settingsFromOptions({ ...options }));
  const root = findRepositoryRoot(process.cwd());
  await requireCheckout(root, plan);
  // Before anything is read from the state folder or written to it: the branch may bring one.
  const earlier = await restoreMemory(root, planFolder, plan);
  const project = await openPlannedProject(planFolder, flags);
  const task = plan.task ?? DEFAULT_TASK;
  const section = env.GITHUB_ACTIONS === 'true' && options.format === 'text' ? quietSection() : undefined;
  if (section !== undefined) process.stdout.write(`${section.begin}\n`);
  let verdict: Verdict | undefined;
  try {
    await runSession(options, async ({ emit }, { stopRequested, stop, signal }) => {
      const session = await openLoop({
        project,
        task,
        background: plan.log,
        proof: NO_TASK,
        rules: publishingRules({ root, head: plan.head, allow: project.settings.allow }),
        earlier,
        delivery: 'tree',
        loopId: newLoopId(task, new Date()),
        startedAt: new Date().toISOString(),
        resumed: false,
        emit,
        stopRequested,
        stop,
        signal,
      });
      return withVerdictListener(session, (found) => (verdict = found));
    });
  } finally {
    if (section !== undefined) process.stdout.write(`${section.end}\n`);
  }
  if (verdict === undefined) return;
  await writeFix({ root, output }, plan, verdict);
  await reportFix(verdict, { root, output, format: options.format, plan });
}

/** The plan limits the cost of a try, regardless of the branch's configuration. A flag can only lower the limit. */
function withPlannedCost({ max_cost_usd: limit }: FixPlan, flags: Config): Config {
  return limit === undefined ? flags : { ...flags, maxCost: Math.min(limit, flags.maxCost ?? limit) };
}

function withVerdictListener(session: LoopSession, listen: (verdict: Verdict) => void): LoopSession {
  return {
    close: () => session.close(),
    async run() {
      const result = await session.run();
      listen(result.verdict);
      return result;
    },
  };
}

interface FixPlace {
  readonly root: string;
  readonly output: string;
  readonly format: string;
  readonly plan: FixPlan;
}

async function reportFix(verdict: Verdict, { root, output, format, plan }: FixPlace): Promise<void> {
  const record = await readLoopRecord(root, verdict.loop_id!);
  const notSeen = verdict.status === 'nothing_to_do' ? describeUnseen(plan.failed_jobs ?? []) : undefined;
  const summary = [renderMarkdown(record), markdownText(notSeen ?? '', 1000)].join('\n').trimEnd();
  await writeDurably(`${output}/report.md`, summary);
  reportStep(
    {
      text: `${notSeen === undefined ? '' : `${notSeen} `}Written to ${output}: fix.json, report.md${verdict.patch === null ? '' : ', patch.diff'}`,
      // With json and jsonl only JSON goes to standard output.
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
