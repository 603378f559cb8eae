import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import type { Reflection, Verdict } from '../../src/schema/generated.ts';
import {
  CART_FILES,
  QUICK_CART_FILES,
  edits,
  KEYS,
  modelFlags,
  RIGHT_EDIT,
  runWith,
  trajectoryOf,
  SESSION,
  WRONG_EDIT,
} from '../support/model-run.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { fingerprintOf, repositoryWith, writeFiles } from '../support/repositories.ts';
import type { startWireServer } from '../support/wire/index.ts';
import {
  closedPort,
  isPromptPrefix,
  promptOf,
  sizeOf,
  type WireFormat,
  type WireReply,
} from '../support/wire/index.ts';
import { serve } from '../support/wire/serve.ts';

const FORMATS: readonly WireFormat[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];
const DONE: WireReply = { text: 'Done, all tests pass.' };
const REFUSAL: WireReply = { text: 'I cannot help with that.', finish: 'refusal' };

describe('ralph run --model', () => {
  // Each request extends the previous one, for the cache of the provider.
  it.each(FORMATS)(
    'repairs a repository with tools over the %s API, in requests that extend each other',
    async (format) => {
      const server = await serve(SESSION);
      const root = repositoryWith(QUICK_CART_FILES);
      const { exitCode, verdict, stderr } = await runWith(server, root, [], { format });
      expect(stderr).toContain('VERIFIED');
      expect(exitCode).toBe(0);
      expect(verdict).toMatchObject({ status: 'passed', verified: true, iterations: 1, applied: 'tree' });
      expect(readFileSync(join(root, 'src/cart.js'), 'utf8')).toContain('item.price * item.quantity');
      const { requests } = server;
      expect(requests).toHaveLength(SESSION.length);
      expect(sizeOf(requests[0]!)).toBeLessThanOrEqual(6 * 1024);
      for (const [index, request] of requests.entries()) {
        if (index > 0) expect(isPromptPrefix(requests[index - 1]!, request)).toBe(true);
      }
      expect(verdict.usage.input_tokens).toBeGreaterThan(1000);
      // The price of a model at a custom address is unknown.
      expect(verdict.usage.cost_usd).toBeNull();
      const { actions, outcome } = trajectoryOf(root, verdict.loop_id!);
      expect(outcome).toBe('claimed_done');
      expect(actions.map(({ type }) => type)).toEqual([
        'other',
        'other',
        'other',
        'code_modification',
        'test_execution',
      ]);
      expect(actions[3]).toMatchObject({ file_path: 'src/cart.js', changes: { additions: 1, deletions: 1 } });
    },
  );

  it('sends the same requests for two copies of a repository, and marks the cacheable part', async () => {
    const first = await Promise.all(
      [1, 2].map(async () => {
        const server = await serve([DONE]);
        await runWith(server, repositoryWith(QUICK_CART_FILES), ['--max-iterations', '1'], {
          format: 'anthropic',
        });
        return server.requests[0]!;
      }),
    );
    expect(promptOf(first[0]!)).toBe(promptOf(first[1]!));
    expect(first[0]!.json.cache_control).toEqual({ type: 'ephemeral' });
    expect(first[0]!.body).not.toMatch(/\/tmp\/|ralph-test-|20\d\d-\d\d-\d\d/);
  });

  it('sends the same system prompt and tools in every attempt, with the earlier attempts in the prompt', async () => {
    const server = await serve([
      edits(WRONG_EDIT),
      DONE,
      edits({ ...RIGHT_EDIT, oldText: WRONG_EDIT.newText }),
      DONE,
    ]);
    const root = repositoryWith(QUICK_CART_FILES);
    const { verdict } = await runWith(server, root, ['--retry-from', 'last']);
    expect(verdict).toMatchObject({ verified: true, iterations: 2 });
    const [, , second] = server.requests;
    const [one, two] = [server.requests[0]!, second!].map(({ json }) => {
      const messages = json.messages as { role: string; content: string }[];
      return {
        tools: JSON.stringify(json.tools),
        system: messages[0]!.content,
        prompt: messages[1]!.content,
      };
    });
    expect(two!.tools).toBe(one!.tools);
    expect(two!.system).toBe(one!.system);
    expect(one!.prompt).not.toContain('Reflection on attempt');
    expect(two!.prompt).toContain('Reflection on attempt 1');
  });

  it('does not trust a model that claims to be done', async () => {
    const server = await serve(() => DONE);
    const root = repositoryWith(QUICK_CART_FILES);
    const before = fingerprintOf(root);
    const { exitCode, verdict } = await runWith(server, root);
    expect(exitCode).toBe(1);
    expect(verdict).toMatchObject({ status: 'stalled', verified: false, iterations: 2 });
    expect(verdict.reason).toContain('ended as if it were done');
    expect(fingerprintOf(root)).toBe(before);
  });

  it('emits text and actions of the model as events', async () => {
    const server = await serve(SESSION);
    const root = repositoryWith(QUICK_CART_FILES);
    const { stdout } = await ralph(root, ['run', '--format', 'jsonl', '--quiet', ...modelFlags(server)], {
      env: KEYS,
    });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; text?: string });
    const text = events.filter(({ type }) => type === 'model_text').map((event) => event.text);
    expect(text.length).toBeGreaterThan(2);
    expect(text.join('')).toBe('Let me look.The quantity was left out of the sum.');
    expect(events.filter(({ type }) => type === 'model_called')).toHaveLength(6);
    expect(events.filter(({ type }) => type === 'action')).toHaveLength(5);
  });

  it('includes AGENTS.md in the prompt', async () => {
    const server = await serve(() => DONE);
    await runWith(server, repositoryWith({ ...QUICK_CART_FILES, 'AGENTS.md': 'Write tabs, never spaces.' }), [
      '-i',
      '1',
    ]);
    expect(promptOf(server.requests[0]!)).toContain('Write tabs, never spaces.');
  });

  it('answers once without tools with --actor cot', async () => {
    const answer = [
      'The quantity is left out.',
      '',
      'src/cart.js',
      '<<<<<<< SEARCH',
      `  for (const item of items) ${RIGHT_EDIT.oldText}`,
      '=======',
      `  for (const item of items) ${RIGHT_EDIT.newText}`,
      '>>>>>>> REPLACE',
    ].join('\n');
    const server = await serve([{ text: answer }]);
    const root = repositoryWith(CART_FILES);
    const { exitCode, verdict } = await runWith(server, root, ['--actor', 'cot']);
    expect({ exitCode, iterations: verdict.iterations }).toEqual({ exitCode: 0, iterations: 1 });
    expect(server.requests[0]!.json.tools).toBeUndefined();
    expect(promptOf(server.requests[0]!)).toContain('for (const item of items) sum += item.price;');
  });

  it('runs the mechanical fixes first, and calls no model if they suffice', async () => {
    const server = await serve([]);
    const root = repositoryWith(
      {
        'package.json': { name: 'typed', type: 'module', scripts: { test: 'tsc --noEmit' } },
        'tsconfig.json': {
          compilerOptions: { strict: true, noEmit: true, skipLibCheck: true, types: [] },
          include: ['src'],
        },
        'src/user.ts': 'const user = { name: "Ada" };\nexport const shown = user.nmae;\n',
      },
      ['typescript'],
    );
    const { verdict } = await runWith(server, root);
    expect(verdict).toMatchObject({ verified: true, iterations: 1 });
    expect(server.requests).toHaveLength(0);
    // Control: without the fixers the model is called.
    const asked = await serve(() => DONE);
    writeFiles(root, { 'src/user.ts': 'const user = { name: "Ada" };\nexport const shown = user.nmae;\n' });
    await runWith(asked, root, ['--fixers', 'off', '-i', '1']);
    expect(asked.requests).toHaveLength(1);
  });
});

describe('--strategy', () => {
  const MARKERS = { reflection: 'Reflection on attempt 1', patch: 'Change that attempt 1 made' };

  it.each([
    ['none', []],
    ['last-attempt', [MARKERS.patch]],
    ['reflexion', [MARKERS.reflection]],
    ['last-attempt+reflexion', [MARKERS.reflection, MARKERS.patch]],
  ] as const)(
    '%s: the next prompt contains only that part of the previous attempt',
    async (strategy, expected) => {
      const server = await serve(({ number }) => (number === 0 ? edits(WRONG_EDIT) : DONE));
      await runWith(server, repositoryWith(QUICK_CART_FILES), ['--strategy', strategy, '-i', '2']);
      const prompt = promptOf(server.requests[2]!);
      for (const text of Object.values(MARKERS)) {
        expect({ text, is: prompt.includes(text) }).toEqual({
          text,
          is: (expected as readonly string[]).includes(text),
        });
      }
    },
  );
});

describe('--reflector llm', () => {
  const REFLECTION = {
    reflection_text:
      'In attempt 1 I added 1 to every price in src/cart.js:3, which the test "counts the quantity" refutes: it expected 6 and received 3. The quantity is what is missing from the sum.',
    credit_assignment: {
      failing_action_indices: [0],
      root_cause: 'src/cart.js:3 adds item.price and never looks at item.quantity.',
      failure_category: 'incorrect_assumption',
    },
    causal_reasoning:
      'The sum grows by price + 1 for each item, so 2 becomes 3, while 2 times 3 was asked for.',
    actionable_insights: ['Multiply `item.price` at src/cart.js:3 before it is added to `sum`.'],
    lessons_learned: ['In src/cart.js each item has a quantity that counts.'],
    confidence: 0.8,
    related_reflections: [],
  };

  function answers(reflection: WireReply): Parameters<typeof startWireServer>[0] {
    return ({ body }) => {
      if (body.includes('failing_action_indices')) return reflection;
      if (body.includes('Reflection on attempt'))
        return body.includes('tool_call_id') ? DONE : edits({ ...RIGHT_EDIT });
      return body.includes('tool_call_id') ? DONE : edits(WRONG_EDIT);
    };
  }

  it('writes a reflection that is in the next prompt, and counts its tokens', async () => {
    const server = await serve(answers({ text: JSON.stringify(REFLECTION) }));
    const root = repositoryWith(QUICK_CART_FILES);
    const { verdict } = await runWith(server, root, ['--reflector', 'llm', '--retry-from', 'base']);
    expect(verdict).toMatchObject({ verified: true, iterations: 2 });
    const record = JSON.parse(readFileSync(join(root, verdict.reflections[0]!), 'utf8')) as Reflection;
    expect(record.reflector).toMatchObject({
      name: 'llm',
      fallback: false,
      model: 'openai-compatible/wire-model',
    });
    expect(record.self_reflection.credit_assignment.failure_category).toBe('incorrect_assumption');
    const next = server.requests.find(({ body }) => body.includes('Reflection on attempt 1'));
    expect(promptOf(next!)).toContain('ultiply `item.price` at src/cart.js:3 before it is added to `sum`.');
    const tokens =
      trajectoryOf(root, verdict.loop_id!).usage.input_tokens +
      trajectoryOf(root, verdict.loop_id!, '002').usage.input_tokens;
    expect(verdict.usage.input_tokens).toBe(tokens + record.reflector.usage!.input_tokens);
  });

  it.each([
    ['answers with text instead', { text: 'I should be more careful next time.' }],
    ['refuses', { finish: 'refusal' as const }],
    ['is down', { fault: { kind: 'status' as const, status: 500 as const } }],
  ])('falls back to the rules if the model %s, and the loop continues', async (_name, reply: WireReply) => {
    const server = await serve(answers(reply));
    const root = repositoryWith(QUICK_CART_FILES);
    const { exitCode, verdict } = await runWith(server, root, ['--reflector', 'llm', '--retry-from', 'base']);
    expect({ exitCode, iterations: verdict.iterations }).toEqual({ exitCode: 0, iterations: 2 });
    const record = JSON.parse(readFileSync(join(root, verdict.reflections[0]!), 'utf8')) as Reflection;
    expect(record.reflector).toMatchObject({ name: 'rules', fallback: true });
    expect(record.reflector.refused!.length).toBeGreaterThan(0);
  });
});

describe('a loop that is killed while a model works', () => {
  it('is resumed without sending answered requests again', async () => {
    const server = await serve(({ number }) => ({
      ...SESSION[Math.min(number, SESSION.length - 1)],
      ...(number === 4 && { delayMs: 1500 }),
    }));
    const root = repositoryWith(QUICK_CART_FILES);
    const killed = await ralph(root, ['run', ...modelFlags(server), '--format', 'jsonl', '--quiet'], {
      env: KEYS,
      when: [['code_modification', (child) => child.kill('SIGKILL')]],
    });
    expect(killed.exitCode).toBeNull();
    const answered = server.requests.filter(({ outcome }) => outcome === 'answered').length;
    expect(answered).toBeGreaterThanOrEqual(3);
    const resumed = await ralph(root, ['resume', '--format', 'json'], { env: KEYS });
    expect(resumed.exitCode).toBe(0);
    // Each request was answered once; the one that the kill interrupted may be sent again.
    const bodies = server.requests.filter(({ outcome }) => outcome === 'answered').map(({ body }) => body);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ verified: true, iterations: 1 });
  });
});

describe('a model that cannot be called', () => {
  const CASES: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ['has no provider', ['--model', 'gpt'], 2, /"gpt" has no provider|--model is "gpt"/],
    [
      'has an unknown provider',
      ['--model', 'antropic/claude'],
      2,
      /"antropic"[\s\S]*anthropic[\s\S]*Known: anthropic, openai/,
    ],
    ['needs a package', ['--model', 'groq/llama'], 2, /npm install --save-dev @ai-sdk\/groq/],
    ['has no key', ['--model', 'anthropic/claude-sonnet-4-5'], 5, /ANTHROPIC_API_KEY/],
    ['has no address', ['--model', 'openai-compatible/qwen'], 2, /--base-url http/],
    ['is missing', ['--actor', 'react'], 2, /--actor react needs a model/],
    [
      'has an invalid address',
      ['--model', 'openai-compatible/q', '--base-url', 'localhost:11434'],
      2,
      /--base-url is "localhost:11434"/,
    ],
    [
      'has no known price',
      ['--model', 'openai-compatible/q', '--base-url', 'http://127.0.0.1:9/v1', '--max-cost', '1'],
      2,
      /price of openai-compatible\/q is unknown[\s\S]*"prices"/,
    ],
    [
      'is recorded and replayed at once',
      ['--model', 'anthropic/x', '--record', 'a', '--replay', 'b'],
      2,
      /exclude each other/,
    ],
    ['is replayed from a missing file', ['--replay', 'nosuch.jsonl'], 2, /nosuch\.jsonl/],
    [
      'is replayed from a file that is not a recording',
      ['--replay', 'package.json'],
      7,
      /Line 1 of .*package\.json/,
    ],
  ];

  it.each(CASES)(
    'because it %s: prints a message, exits with its code and changes nothing',
    async (_name, flags, exitCode, says) => {
      const root = repositoryWith(QUICK_CART_FILES);
      const before = fingerprintOf(root);
      const env = Object.fromEntries(Object.keys(KEYS).map((name) => [name, '']));
      const finished = await ralph(root, ['run', ...flags], { env });
      expect(finished.stderr).toMatch(says);
      expect(finished.exitCode).toBe(exitCode);
      expect(finished.stderr).not.toContain('baseline');
      expect(fingerprintOf(root)).toBe(before);
    },
  );
});

describe('a model API that fails', () => {
  const FAULTS: readonly (readonly [string, WireReply, number, RegExp])[] = [
    ['refuses the key', { fault: { kind: 'status', status: 401 } }, 5, /key[\s\S]*HTTP 401/],
    ['does not know the model', { fault: { kind: 'status', status: 404 } }, 5, /unknown model/],
    [
      'does not support tool calls',
      { fault: { kind: 'status', status: 400, reason: 'no-tools' } },
      5,
      /does not support tool calls[\s\S]*--actor cot/,
    ],
    ['answers with a web page', { fault: { kind: 'html' } }, 5, /web page[\s\S]*--base-url/],
    ['is down', { fault: { kind: 'status', status: 503 } }, 5, /HTTP 503/],
    [
      'limits the rate forever',
      { fault: { kind: 'status', status: 429, retryAfter: { seconds: 999_999 } } },
      5,
      /too many requests/,
    ],
    ['answers with 50 MB', { fault: { kind: 'huge', megabytes: 50 } }, 5, /larger than 32 MiB/],
  ];

  it.each(FAULTS)(
    'because it %s: exits 5 after few calls with a reflection, and can be resumed',
    async (_name, reply, exitCode, says) => {
      const server = await serve(() => reply);
      const root = repositoryWith(QUICK_CART_FILES);
      const before = fingerprintOf(root);
      const finished = await ralph(root, ['run', ...modelFlags(server), '--max-retry-delay', '10ms'], {
        env: KEYS,
      });
      expect(finished.stderr).toMatch(says);
      expect(finished.exitCode).toBe(exitCode);
      expect(server.requests.length).toBeLessThanOrEqual(5);
      expect(fingerprintOf(root)).toBe(before);
      const [loop] = readdirSync(join(root, '.aiwg/ralph/reflections'));
      expect(existsSync(join(root, '.aiwg/ralph/reflections', loop!, '001.json'))).toBe(true);
    },
  );

  it('because the connection is refused: exits 5', async () => {
    const url = `http://127.0.0.1:${await closedPort()}/v1`;
    const args = ['run', '--model', 'openai-compatible/m', '--base-url', url, '--max-retry-delay', '10ms'];
    const finished = await ralph(repositoryWith(QUICK_CART_FILES), [...args, '--format', 'json']);
    expect(finished.stderr).toMatch(/could not be reached/);
    expect(finished.exitCode).toBe(5);
    const verdict = JSON.parse(finished.stdout) as Verdict;
    expect(verdict.loop_id).not.toBeNull();
    expect(verdict.attempts).toMatchObject([
      { ended_early: expect.stringContaining('could not be reached') as string },
    ]);
    const { stdout } = await ralph(repositoryWith(QUICK_CART_FILES), [...args, '--format', 'jsonl']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent);
    const failed = events.find(({ type }) => type === 'loop_failed');
    expect(failed).toMatchObject({
      verdict: {
        status: 'error',
        iterations: 1,
        attempts: verdict.attempts.map(({ ended_early }) => ({ ended_early })),
      },
    });
  });

  it('during an attempt: the edits so far are evaluated', async () => {
    const server = await serve([
      edits(RIGHT_EDIT),
      ...Array.from({ length: 4 }, () => ({ fault: { kind: 'status', status: 500 } }) as const),
    ]);
    const { exitCode, verdict } = await runWith(server, repositoryWith(QUICK_CART_FILES));
    expect({ exitCode, verified: verdict.verified }).toEqual({ exitCode: 0, verified: true });
  });

  it('continues with the next fallback model and reports it', async () => {
    const server = await serve((request) =>
      request.model === 'wire-model'
        ? { fault: { kind: 'status', status: 404 } }
        : SESSION[request.number - 1]!,
    );
    const args = ['--fallback-model', 'openai-compatible/second'];
    const { exitCode, stderr } = await runWith(server, repositoryWith(QUICK_CART_FILES), args);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/wire-model failed, falling back to openai-compatible\/second/);
  });

  it('because it refuses one request: the next attempt is made', async () => {
    const server = await serve([REFUSAL, ...SESSION]);
    const { exitCode, verdict } = await runWith(server, repositoryWith(QUICK_CART_FILES));
    expect({ exitCode, iterations: verdict.iterations }).toEqual({ exitCode: 0, iterations: 2 });
    expect(verdict.attempts[0]!.ended_early).toContain('I cannot help with that.');
  });

  it('because it refuses two attempts in a row: exits 5 with its words', async () => {
    const server = await serve(() => REFUSAL);
    const { exitCode, stderr } = await runWith(server, repositoryWith(QUICK_CART_FILES));
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 5, requests: 2 });
    expect(stderr).toContain('I cannot help with that.');
  });

  it('temporarily: resume continues without repeating the finished attempt', async () => {
    let down = false;
    const server = await serve((request) => {
      if (down) return { fault: { kind: 'status', status: 503 } };
      if (request.number === 0) return edits(WRONG_EDIT);
      if (request.number === 1) {
        down = true;
        return DONE;
      }
      return request.number % 2 === 0 ? edits({ ...RIGHT_EDIT, oldText: 'sum += item.price' }) : DONE;
    });
    const root = repositoryWith(QUICK_CART_FILES);
    const first = await runWith(server, root, ['--retry-from', 'base']);
    expect(first.exitCode).toBe(5);
    const asked = server.requests.filter(({ outcome }) => outcome === 'answered').length;
    expect(asked).toBeGreaterThan(2);
    down = false;
    const resumed = await ralph(root, ['resume', '--format', 'json'], { env: KEYS });
    expect(resumed.exitCode).toBe(0);
    const verdict = JSON.parse(resumed.stdout) as Verdict;
    // The second attempt failed because the model was down.
    expect(verdict).toMatchObject({ verified: true, iterations: 3 });
    const paid = server.requests.filter(({ json }) =>
      JSON.stringify(json.messages).includes('Reflection on attempt'),
    );
    expect(server.requests.length - paid.length).toBe(2);
  });
});

describe('a budget', () => {
  const PRICES = { 'openai-compatible/wire-model': { input: 1000, output: 1000 } };

  it('of tokens ends the loop before the call that would exceed it', async () => {
    const server = await serve(SESSION);
    const root = repositoryWith(QUICK_CART_FILES);
    const { exitCode, verdict } = await runWith(server, root, ['--max-tokens', '4000']);
    expect(exitCode).toBe(3);
    expect(verdict).toMatchObject({ status: 'budget', verified: false });
    expect(verdict.reason).toMatch(/token budget is 4000/);
    expect(verdict.usage.input_tokens + verdict.usage.output_tokens).toBeLessThanOrEqual(4000);
    expect(server.requests.length).toBeGreaterThan(0);
    expect(server.requests.length).toBeLessThan(6);
  });

  it('of money ends the loop before the call that would exceed it', async () => {
    const server = await serve(SESSION);
    const root = repositoryWith({
      ...QUICK_CART_FILES,
      'ralph.config.json': { checks: { tests: 'sh check.sh' }, prices: PRICES },
    });
    const { exitCode, verdict } = await runWith(server, root, ['--max-cost', '3']);
    expect(exitCode).toBe(3);
    expect(verdict.reason).toMatch(/budget is \$3/);
    expect(verdict.usage.cost_usd).toBeGreaterThan(0);
    expect(verdict.usage.cost_usd).toBeLessThanOrEqual(3);
    expect(server.requests.length).toBeGreaterThan(0);
  });

  it('that is not used up is printed with the usage', async () => {
    const server = await serve(SESSION);
    const root = repositoryWith({
      ...QUICK_CART_FILES,
      'ralph.config.json': { checks: { tests: 'sh check.sh' }, prices: PRICES },
    });
    const { exitCode, verdict, stderr } = await runWith(server, root, [
      '--max-cost',
      '100',
      '--max-tokens',
      '100000',
    ]);
    expect(exitCode).toBe(0);
    const { input_tokens: input, output_tokens: output, cost_usd: cost } = verdict.usage;
    expect(cost).toBeCloseTo((input + output) / 1000, 6);
    expect(stderr).toMatch(/usage +[\d,]+ tokens in, [\d,]+ out, \$\d/);
  });
});

describe('a recording', () => {
  it('replays the run without requests, and contains no secret', async () => {
    const server = await serve([
      {
        text: `I see ${KEYS.OPENAI_API_KEY}.`,
        toolCalls: [{ name: 'bash', input: { command: 'echo ghp_0123456789abcdefghijABCDEFGHIJ012345' } }],
      },
      ...SESSION.slice(3),
    ]);
    const root = repositoryWith(QUICK_CART_FILES);
    const file = join(root, '..', `${root.split('/').at(-1)}.jsonl`);
    const recorded = await runWith(server, root, ['--record', file]);
    expect(recorded.exitCode).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(KEYS.OPENAI_API_KEY);
    expect(text).not.toContain('ghp_0123456789');
    expect(text).toContain('[redacted]');

    const again = repositoryWith(QUICK_CART_FILES);
    const flags = ['--replay', file, '--reflector', 'rules', '--no-acceptance-tests'];
    const replayed = await ralphRun(again, ['make the tests pass', ...flags]);
    expect(replayed.exitCode).toBe(0);
    expect(replayed.verdict.usage).toMatchObject({
      input_tokens: recorded.verdict.usage.input_tokens,
      cost_usd: 0,
    });
    expect(readFileSync(join(again, 'src/cart.js'), 'utf8')).toBe(
      readFileSync(join(root, 'src/cart.js'), 'utf8'),
    );
    expect(server.requests).toHaveLength(4);
  });

  it('is not overwritten', async () => {
    const server = await serve(SESSION);
    const root = repositoryWith({ ...QUICK_CART_FILES, 'calls.jsonl': 'mine\n' });
    const finished = await ralph(root, ['run', ...modelFlags(server), '--record', 'calls.jsonl']);
    expect(finished.exitCode).toBe(2);
    expect(readFileSync(join(root, 'calls.jsonl'), 'utf8')).toBe('mine\n');
  });

  it('that is too short ends the replay with exit code 5', async () => {
    const server = await serve(SESSION);
    const root = repositoryWith(QUICK_CART_FILES);
    const file = join(root, '..', `${root.split('/').at(-1)}.jsonl`);
    await runWith(server, root, ['--record', file]);
    writeFileSync(file, `${readFileSync(file, 'utf8').split('\n').slice(0, 2).join('\n')}\n`);
    const { exitCode, stderr } = await ralph(repositoryWith(QUICK_CART_FILES), [
      'run',
      '--replay',
      file,
      '--reflector',
      'rules',
    ]);
    expect(stderr).toMatch(/has 1 call of the actor, and the loop needs one more/);
    expect(exitCode).toBe(5);
  });
});
