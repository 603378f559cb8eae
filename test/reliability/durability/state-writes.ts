import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleReflection } from '../../memory/sample.ts';
import { openRecording } from '../../../src/agents/llm/player.ts';
import { createRecorder, type AnsweredCall } from '../../../src/agents/llm/recording.ts';
import { createMemory } from '../../../src/memory/episodes/episodes.ts';
import { readReflections } from '../../../src/memory/episodes/reflection-files.ts';
import { readRepairs, rememberRepairs } from '../../../src/memory/recall/repairs.ts';
import type { LoopState, Repair } from '../../../src/schema/generated.ts';
import { readState } from '../../../src/state/loops.ts';
import { createRunStore } from '../../../src/state/run-store.ts';
import { START_STEP } from '../../../src/state/started-state.ts';
import { failpoint } from '../../../src/platform/files/failpoint.ts';
import { readDelivery, saveDelivery } from '../../../src/workspace/deliver/record.ts';

/** A write of a loop, and how to see that it was not lost. */
export interface StateWrite {
  readonly name: string;
  run(): Promise<unknown>;
  /** False where it is lost, or reads otherwise. May throw. */
  isThere(): Promise<boolean>;
}

export const LOOP = 'ralph-durable';
const TREE = 'a'.repeat(40);
const LARGE = 'x'.repeat(20_000);

/** Every kind of write that a loop makes, in order, by the product's own parts. Each may be made again. */
export function stateWrites(root: string): StateWrite[] {
  let opened: ReturnType<typeof createRunStore> | undefined;
  const store = (): ReturnType<typeof createRunStore> =>
    (opened ??= createRunStore({ repositoryRoot: root, loopId: LOOP }));
  const memory = createMemory({ repositoryRoot: root, onDamaged: () => {} });
  const recorder = createRecorder(join(root, '.aiwg/ralph/loops', LOOP, 'model-calls.jsonl'), () => 1);
  const step = (name: string, value: unknown, artifact?: string): StateWrite => ({
    name,
    run: () => store().step(name, () => Promise.resolve(value), artifact === undefined ? {} : { artifact }),
    isThere: () => holdsStep(root, name, value),
  });
  const saved = (iteration: number): StateWrite => ({
    name: `state ${iteration}`,
    run: () => store().saveState(stateAt(iteration)),
    isThere: async () => ((await readState(root, LOOP))?.iteration ?? -1) >= iteration,
  });
  const reflected = (iteration: number): StateWrite => ({
    name: `reflection ${iteration}`,
    run: () => memory.remember(sampleReflection({ loop: LOOP, iteration, task: LARGE.slice(0, 5000) })),
    isThere: async () =>
      (await readReflections(root, LOOP)).records.some(
        (record) => record.source === 'ralph' && record.reflection.iteration === iteration,
      ),
  });
  const repaired = (operator: string): StateWrite => ({
    name: `repair ${operator}`,
    run: () => rememberRepairs(root, [repairBy(operator)]),
    isThere: async () => (await readRepairs(root)).some((repair) => repair.operator === operator),
  });
  const asked = (text: string): StateWrite => ({
    name: `call ${text}`,
    run: async () => recorder.add('actor', callOf(text)),
    isThere: () => {
      const path = join(root, '.aiwg/ralph/loops', LOOP, 'model-calls.jsonl');
      return Promise.resolve(openRecording(path).next('actor', callOf(text).options)?.same === true);
    },
  });
  const delivered = (state: 'applying' | 'applied'): StateWrite => ({
    name: `delivery ${state}`,
    run: () => saveDelivery(root, LOOP, { base: TREE, tree: TREE, state, applied: 'tree' }),
    isThere: () => Promise.resolve(readDelivery(root, LOOP)?.base === TREE),
  });
  return [
    ...[step(START_STEP, stateAt(0)), saved(0), step('baseline', { text: LARGE }, 'baseline.json')],
    ...[asked('one'), asked('two'), step('1:act', { tree: TREE }), saved(1), reflected(0)],
    ...[step('1:reflect', 'path'), repaired('first'), delivered('applying'), delivered('applied')],
    ...[step('deliver', { applied: 'tree' }), saved(2), reflected(1), repaired('second')],
  ];
}

/** The same state written as a careless program does, in place and in two pieces: what the trials must find. */
export function plainWrites(root: string): StateWrite[] {
  return stateWrites(root).map((write) => {
    if (!write.name.startsWith('state ')) return write;
    const path = join(root, '.aiwg/ralph/loops', LOOP, 'state.json');
    return {
      ...write,
      run: async () => {
        const text = JSON.stringify(stateAt(Number(write.name.slice(6))));
        writeFileSync(path, text.slice(0, text.length / 2));
        failpoint('write.half', path);
        writeFileSync(path, text);
      },
    };
  });
}

async function holdsStep(root: string, name: string, value: unknown): Promise<boolean> {
  let ranAgain = false;
  const store = createRunStore({ repositoryRoot: root, loopId: LOOP });
  // What is not there is not put there by looking.
  const found = await store
    .step(name, () => {
      ranAgain = true;
      return Promise.reject(new Error('lost'));
    })
    .catch(() => undefined);
  return !ranAgain && JSON.stringify(found) === JSON.stringify(value);
}

function stateAt(iteration: number): LoopState {
  return {
    ...{
      loop_id: LOOP,
      task: 'Fix it',
      status: 'running',
      actor: 'react',
      options: { task: LARGE.slice(0, 3000) },
    },
    ...{ started_at: '2026-01-25T10:00:00.000Z', updated_at: '2026-01-25T10:00:01.000Z' },
    ...{ iteration, max_iterations: 5, reward: 0.5, baseline_reward: 0.5, base_tree: TREE },
  };
}

export function repairBy(operator: string): Repair {
  return {
    ...{ loop_id: LOOP, operator, edit: 'src/a.ts: a → b @0123456789' },
    ...{ file_path: 'src/a.ts', test_file: 'test/a.test.ts', recorded_at: '2026-01-02T03:04:05.000Z' },
  };
}

function callOf(text: string): AnsweredCall {
  return {
    model: 'provider/model',
    options: { prompt: [{ role: 'user', content: [{ type: 'text', text }] }] },
    reply: {
      content: [{ type: 'text', text: `${text} ${LARGE.slice(0, 2000)}` }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
    taken: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, cost_usd: null },
  };
}
