import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import type { RunEvent } from '../../src/events.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import type { Trajectory, Verdict } from '../../src/schema/generated.ts';
import { startWireServer, type WireReply, type WireRequest } from '../../test/support/wire/index.ts';
import { RALPH } from '../measure.ts';
import { commitRepository } from '../repository.ts';
import type { AgentSetup } from './setups.ts';

/** Outcome of `ralph run` with one agent. */
export interface AgentRun {
  /** Wall time. */
  readonly ms: number;
  readonly exitCode: number | null;
  readonly verdict: Verdict | undefined;
  readonly trajectories: readonly Trajectory[];
  readonly requests: readonly WireRequest[];
  /** Requests with tools after the last scripted reply, for example for a summary. */
  readonly unscripted: number;
  readonly stderr: string;
}

/** Results of tools in the body of a request, in every wire format. */
export const TOOL_RESULT =
  /"role":"tool"|"type":"function_call_output"|"type":"tool_result"|"functionResponse"/g;
const TEST = `import assert from 'node:assert';
import { test } from 'node:test';
import { sum } from '../src/sum.js';
test('adds', () => assert.equal(sum(1, 2), 3));
`;

/** Runs `ralph run --agent NAME` on a small package with one bug, with a scripted model that repairs it. */
export async function runAgent(name: string, setup: AgentSetup): Promise<AgentRun> {
  const folder = makeTemporaryFolder('agents');
  const [home, repository] = [join(folder, 'home'), join(folder, 'repository')];
  writeRepository(repository);
  for (const path of [home, join(folder, 'tmp')]) mkdirSync(path);
  let root = repository;
  let unscripted = 0;
  const server = await startWireServer((request): WireReply => {
    if (!/"tools":\[/.test(request.body)) return { text: 'A title' };
    const step = setup.steps(root)[request.body.match(TOOL_RESULT)?.length ?? 0];
    if (step === undefined) unscripted++;
    return step ?? { text: 'The sum adds now.' };
  });
  const started = performance.now();
  const child = execa(process.execPath, [RALPH, 'run', '--format', 'jsonl', '--agent', name, ...FLAGS], {
    cwd: repository,
    env: { ...homeVariables(home), TMPDIR: join(folder, 'tmp'), ...setup.configure(home, server) },
    stdin: 'ignore',
    buffer: false,
    reject: false,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const events: RunEvent[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const event = JSON.parse(line) as RunEvent;
      events.push(event);
      if (event.type === 'loop_started') root = event.workspace;
    }
    const { exitCode = null } = await child;
    const ms = performance.now() - started;
    const verdict = events.find((event) => event.type === 'loop_finished')?.verdict;
    const trajectories = events.flatMap((event) =>
      event.type === 'actor_finished' ? [event.trajectory] : [],
    );
    // The first of them is answered with the last words of the session.
    return {
      ms,
      exitCode,
      verdict,
      trajectories,
      requests: server.requests,
      unscripted: unscripted - 1,
      stderr,
    };
  } finally {
    await server.close();
    removeTemporaryFolder(folder);
  }
}

const FLAGS = ['--fixers', 'off', '--max-iterations', '2', '--agent-timeout', '3m'];

/** Variables that point an agent to a home folder of its own. */
export function homeVariables(home: string): Record<string, string> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
  };
}

function writeRepository(folder: string): void {
  for (const part of ['src', 'test']) mkdirSync(join(folder, part), { recursive: true });
  const manifest = { name: 'sum', type: 'module', scripts: { test: 'node --test' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'src/sum.js'), 'export const sum = (a, b) => a - b;\n');
  writeFileSync(join(folder, 'test/sum.test.js'), TEST);
  commitRepository(folder);
}
