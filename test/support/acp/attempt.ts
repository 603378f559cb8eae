import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createAgentActor, type AgentActorOptions } from '../../../src/agents/acp/index.ts';
import type { WorkEvent } from '../../../src/events.ts';
import type { AttemptContext } from '../../../src/ports/attempt.ts';
import type { Trajectory } from '../../../src/schema/generated.ts';
import { validate } from '../../../src/schema/validate.ts';
import { processesWith } from '../../../src/platform/processes/process-tree.ts';
import { temporaryFolder, writeFiles } from '../repositories.ts';
import { evaluation, loopOptions } from '../scripted.ts';

export const SUM = 'export const sum = (a, b) => a - b;\n';

export interface AgentRun {
  readonly trajectory: Trajectory;
  readonly root: string;
  readonly events: readonly WorkEvent[];
  readonly progress: readonly string[];
  /** What the agent wrote to its report, line by line. */
  readonly report: readonly Readonly<Record<string, unknown>>[];
  /** Processes that carry the tag of the agent, or that it named as strays, and that still live. */
  readonly survivors: readonly number[];
}

export interface RunOptions extends Partial<AgentActorOptions> {
  readonly root?: string;
  readonly signal?: AbortSignal;
  readonly onWork?: (event: WorkEvent) => void;
  readonly reportFile?: string;
  /** More arguments for the agent. */
  readonly args?: readonly string[];
}

/** A tree with one small file to edit. */
export function workspace(): string {
  const root = join(temporaryFolder(), 'workspace');
  mkdirSync(root);
  writeFiles(root, { 'package.json': { type: 'module' }, 'src/sum.js': SUM });
  return root;
}

/** Runs one of the programs of this folder as the agent. */
export async function runAgent(
  program: 'agent' | 'rude-agent',
  behaviour: string,
  options: RunOptions = {},
): Promise<AgentRun> {
  const { reportFile = join(temporaryFolder(), 'report.jsonl') } = options;
  const file = join(import.meta.dirname, `${program}.ts`);
  const words = [process.execPath, file, behaviour, reportFile, ...(options.args ?? [])];
  return runCommandLine(words.map((word) => `'${word}'`).join(' '), { ...options, reportFile });
}

/** Runs any agent. */
export async function runCommandLine(agent: string, options: RunOptions = {}): Promise<AgentRun> {
  const root = options.root ?? workspace();
  const events: WorkEvent[] = [];
  const progress: string[] = [];
  const actor = createAgentActor({
    agent,
    timeoutMs: 30_000,
    silenceMs: 20_000,
    confinement: 'off',
    ...options,
  });
  const trajectory = await actor.attempt(
    contextOf(root, {
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      onProgress: (text) => void progress.push(text),
      onWork(event) {
        events.push(event);
        options.onWork?.(event);
      },
    }),
  );
  expect(validate('trajectory', trajectory)).toMatchObject({ ok: true });
  const report = options.reportFile === undefined ? [] : readReport(options.reportFile);
  return { trajectory, root, events, progress, report, survivors: survivorsOf(report) };
}

export function contextOf(root: string, over: Partial<AttemptContext> = {}): AttemptContext {
  const { project, signal } = loopOptions();
  return {
    loopId: 'ralph-test',
    iteration: 2,
    task: 'make sum add',
    root,
    project: { ...project, repository: root },
    guidance: '',
    evaluation: evaluation(0, 1),
    reflections: [],
    bench: { run: () => Promise.reject(new Error('No checks are run here.')), testsOf: () => [] },
    signal,
    onProgress: () => {},
    onWork: () => {},
    ...over,
  };
}

/** The value that the agent reported under a name. */
export function reported({ report }: AgentRun, name: string): unknown {
  return report.find((line) => line['name'] === name || line['asked'] === name)?.['got'];
}

export function readReport(file: string): Record<string, unknown>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function survivorsOf(report: AgentRun['report']): number[] {
  return report.flatMap(({ tag, terminalTag, stray }) => [
    ...(typeof tag === 'string' ? processesWith(tag) : []),
    ...(typeof terminalTag === 'string' ? processesWith(terminalTag) : []),
    ...(typeof stray === 'number' && isAlive(stray) ? [stray] : []),
  ]);
}

export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^\d+ \(.*\) Z/s.test(stat);
  } catch {
    return false;
  }
}
