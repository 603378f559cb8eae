import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReactActor, type ReactOptions } from '../../src/agents/react.ts';
import type { WorkEvent } from '../../src/events.ts';
import type { ModelFailure, Reply, ReplyEnding } from '../../src/agents/llm/client.ts';
import type { AttemptContext } from '../../src/ports/attempt.ts';
import { validate } from '../../src/schema/validate.ts';
import { createRepo } from '../support/repair-repo.ts';
import { SCRIPTED_USAGE, scriptedModel, type ScriptedModel } from '../support/scripted-model.ts';
import { evaluation } from '../support/scripted.ts';

interface Opened {
  readonly context: AttemptContext;
  readonly events: WorkEvent[];
}

function open(over: Partial<AttemptContext> = {}): Opened {
  const events: WorkEvent[] = [];
  const context = {
    root: createRepo({ 'packages/a/src/a.js': 'export const a = 1;\n' }),
    task: 'Make a two.',
    guidance: 'Use tabs.',
    reflections: [],
    iteration: 1,
    evaluation: evaluation(0, 1),
    project: { packageDir: 'packages/a' },
    signal: new AbortController().signal,
    onProgress: () => {},
    onWork: (event: WorkEvent) => void events.push(event),
    ...over,
  } as unknown as AttemptContext;
  return { context, events };
}

function actorOf(client: ScriptedModel, { root }: AttemptContext, over: Partial<ReactOptions> = {}) {
  return createReactActor({ client, repository: root, maxSteps: 7, commandTimeoutMs: 10_000, ...over });
}

/** A model that calls tools in order and then stops. */
function working(...calls: readonly (readonly [tool: string, input: object])[]): ScriptedModel {
  const model = scriptedModel(['The constant was wrong.']);
  return {
    ...model,
    async converse(conversation) {
      for (const [name, input] of calls)
        await conversation.tools![name]!.run(input as never, conversation.signal).catch(() => {});
      return await model.converse(conversation);
    },
  };
}

describe('the react actor', () => {
  it('acts through tools in the package folder and reports each action in order', async () => {
    const { context, events } = open();
    const model = working(
      ['read', { path: 'src/a.js' }],
      ['edit', { path: 'src/a.js', edits: [{ oldText: 'no such text', newText: '2' }] }],
      ['edit', { path: 'src/a.js', edits: [{ oldText: '1', newText: '2' }] }],
      ['bash', { command: 'pwd && npm test' }],
    );
    const trajectory = await actorOf(model, context).attempt(context);
    expect(readFileSync(join(context.root, 'packages/a/src/a.js'), 'utf8')).toBe('export const a = 2;\n');
    expect(trajectory.actions.map(({ type, file_path }) => [type, file_path])).toEqual([
      ['other', 'packages/a/src/a.js'],
      ['other', undefined],
      ['code_modification', 'packages/a/src/a.js'],
      ['test_execution', undefined],
    ]);
    expect(events).toEqual(trajectory.actions.map((action) => ({ type: 'action', action })));
    expect(trajectory).toMatchObject({
      actor: 'react',
      strategy: 'ReAct with scripted/model: 1 model call, 4 actions',
      rationale: 'The constant was wrong.',
      usage: SCRIPTED_USAGE,
    });
    expect(trajectory.fatal).toBeUndefined();
    expect(validate('trajectory', trajectory)).toMatchObject({ ok: true });
  });

  it('passes on its limits, with the same system prompt and tools everywhere', async () => {
    const asked = await Promise.all(
      [open(), open({ iteration: 3, task: 'x', guidance: '' })].map(async ({ context }) => {
        const model = scriptedModel(['Done.']);
        await actorOf(model, context).attempt(context);
        return model.asked[0]!;
      }),
    );
    expect(asked[0]).toMatchObject({ maxSteps: 7 });
    expect(asked[0]!.prompt).toContain('Use tabs.');
    expect(asked[0]!.system).toBe(asked[1]!.system);
    expect(JSON.stringify(asked[0]!.tools)).toBe(JSON.stringify(asked[1]!.tools));
  });

  const OUTCOMES: Readonly<Record<ReplyEnding, string>> = {
    stopped: 'claimed_done',
    length: 'gave_up',
    refused: 'gave_up',
    steps: 'gave_up',
    stuck: 'gave_up',
    budget: 'out_of_budget',
    aborted: 'timed_out',
    failed: 'failed',
  };

  it.each(Object.entries(OUTCOMES) as [ReplyEnding, string][])(
    'with the ending "%s" has the outcome "%s" and a message',
    async (ending, outcome) => {
      const { context } = open();
      const detail = ending === 'stopped' ? '' : `Ended as ${ending}.`;
      const model = scriptedModel([{ text: 'My last words.', ending, detail, steps: 3 }]);
      const trajectory = await actorOf(model, context).attempt(context);
      expect(trajectory).toMatchObject({ outcome, message: detail === '' ? 'My last words.' : detail });
      expect(trajectory.fatal).toBeUndefined();
    },
  );

  const failure: ModelFailure = { kind: 'key', message: 'm', hint: 'Set the key.', permanent: true };
  const FATAL: readonly (readonly [string, Partial<Reply>, object | undefined])[] = [
    ['is permanent', { steps: 4, failure }, { message: 'It failed.', hint: 'Set the key.' }],
    [
      'left every call unanswered',
      { steps: 0, failure: { ...failure, permanent: false } },
      { message: 'It failed.', hint: 'Set the key.' },
    ],
    ['has an unknown cause, without an answer', { steps: 0 }, { message: 'It failed.' }],
    [
      'leaves no model, after answers',
      { steps: 1, failure: { kind: 'server', message: 'm', permanent: false } },
      { message: 'It failed.' },
    ],
    [
      'refuses to answer',
      { ending: 'refused', steps: 1, failure: { kind: 'refusal', message: 'm', permanent: false } },
      { message: 'It failed.', if_repeated: true },
    ],
    [
      'is that of one request, after answers',
      { steps: 1, failure: { kind: 'request', message: 'm', permanent: false } },
      undefined,
    ],
  ];

  it.each(FATAL)('with a failure that %s has the right fatal error', async (_name, parts, fatal) => {
    const { context } = open();
    const model = scriptedModel([{ ending: 'failed', detail: 'It failed.', ...parts }]);
    const trajectory = await actorOf(model, context).attempt(context);
    expect(trajectory.fatal).toEqual(fatal);
    expect(validate('trajectory', trajectory)).toMatchObject({ ok: true });
  });

  it('is fatal only if it failed', async () => {
    const { context } = open();
    const model = scriptedModel([{ ending: 'budget', detail: 'Spent.', steps: 0 }]);
    expect((await actorOf(model, context).attempt(context)).fatal).toBeUndefined();
  });

  it('limits text and actions', async () => {
    const { context } = open();
    const calls = Array.from({ length: 2100 }, () => ['read', { path: 'src/a.js' }] as const);
    const model = working(...calls);
    const long = 'w'.repeat(50_000);
    const chatty: ScriptedModel = {
      ...model,
      converse: async (asked) => ({
        ...(await model.converse(asked)),
        text: long,
        ending: 'failed',
        detail: long,
        steps: 0,
      }),
    };
    const trajectory = await actorOf(chatty, context).attempt(context);
    expect(trajectory.actions).toHaveLength(2000);
    expect(validate('trajectory', trajectory)).toMatchObject({ ok: true });
  });
});
