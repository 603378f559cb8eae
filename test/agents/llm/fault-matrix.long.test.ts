import { describe, expect, it } from 'vitest';
import type { ModelFailureKind, ReplyEnding } from '../../../src/agents/llm/client.ts';
import { FAULTS, startWireServer, type WireFaultCase, type WireFormat } from '../../support/wire/index.ts';
import { clientAt, FORMATS, hold, TALK, type Held } from './client-at.ts';

const TRIES = 4;
const MAX_DELAY_MS = 5;

/** The ending of a conversation with the fault in one call. Absent: the call is repeated and the conversation succeeds. */
const ENDS: Readonly<Record<string, { ending: ReplyEnding; kind?: ModelFailureKind }>> = {
  'http-400': { ending: 'failed', kind: 'request' },
  'http-401': { ending: 'failed', kind: 'key' },
  'http-402': { ending: 'failed', kind: 'permission' },
  'http-403': { ending: 'failed', kind: 'permission' },
  'http-404': { ending: 'failed', kind: 'not_found' },
  'http-413': { ending: 'failed', kind: 'request' },
  'http-422': { ending: 'failed', kind: 'request' },
  'http-429-quota': { ending: 'failed', kind: 'permission' },
  'http-400-quota': { ending: 'failed', kind: 'permission' },
  'http-400-context': { ending: 'failed', kind: 'request' },
  'http-400-no-tools': { ending: 'failed', kind: 'no_tools' },
  'http-400-bad-key': { ending: 'failed', kind: 'key' },
  'html-page': { ending: 'failed', kind: 'reply' },
  'huge-body': { ending: 'failed', kind: 'reply' },
  'redirect-loop': { ending: 'failed', kind: 'reply' },
  refusal: { ending: 'refused' },
  'content-filter': { ending: 'refused' },
};

/** Faults that change the text or the calls of the reply without a retry. */
const CHANGES_REPLY = new Set([
  // The text is continued.
  'length',
  'duplicated-events',
  'split-utf8',
  'missing-start',
  'missing-block-start',
  'missing-block-end',
]);

describe.concurrent.each(FORMATS)('a fault of the model API in the format %s', (format) => {
  for (const stream of [true, false]) {
    const cases = FAULTS.filter((fault) => applies(fault, format, stream));
    it.each(cases.map((fault) => [fault.name, fault] as const))(
      `${stream ? 'streaming' : 'not streaming'}: %s at the first, a middle and the last call ends as specified`,
      async (_name, fault) => {
        for (const at of fault.name === 'huge-body' ? [1] : [0, 1, 2])
          await expectEnding(format, stream, fault, at);
      },
      60_000,
    );
    const transient = cases.filter(({ expect: expected }) => expected === 'transient');
    it.each(transient.map((fault) => [fault.name, fault] as const))(
      `${stream ? 'streaming' : 'not streaming'}: %s in every reply is tried as often as its kind allows`,
      async (_name, fault) => {
        const { held, calls } = await talk(
          format,
          stream,
          [TALK[0]!, ...Array.from({ length: 8 }, () => ({ ...TALK[1], ...fault.reply }))],
          silenceFor(fault),
        );
        expect(held.reply).toMatchObject({ ending: 'failed', failure: { permanent: false } });
        expect(held.reply.detail.length).toBeGreaterThan(10);
        expect(calls).toBe(1 + triesOf(fault));
        expect(held.notes).toEqual(['one']);
      },
      60_000,
    );
  }
});

async function expectEnding(
  format: WireFormat,
  stream: boolean,
  fault: WireFaultCase,
  at: number,
): Promise<void> {
  const replies = [...TALK];
  replies.splice(at, 0, { ...TALK[at], ...fault.reply });
  const { held, calls } = await talk(format, stream, replies, silenceFor(fault));
  const context = `${fault.name} at call ${at}`;
  const end = ENDS[fault.name];
  if (end !== undefined) {
    expect(held.reply.ending, context).toBe(end.ending);
    expect(held.reply.failure?.kind, context).toBe(end.kind);
    expect(held.reply.detail, context).not.toBe('');
    expect(calls, context).toBe(at + 1);
    expect(held.notes, context).toEqual(['one', 'two'].slice(0, at));
    return;
  }
  // A call cut off in its arguments is reported to the model in most formats, and ends the reply in one. A reply that
  // is cut off is continued if it has text.
  const endings = fault.name.startsWith('length') ? ['stopped', 'length'] : ['stopped'];
  expect(endings, `${context}: ${held.reply.detail}`).toContain(held.reply.ending);
  if (held.reply.ending === 'length') return;
  expect(calls, context).toBeLessThanOrEqual(TALK.length + 1);
  if (CHANGES_REPLY.has(fault.name)) return;
  expect(held.reply.text, context).toBe('That is all.');
  expect(new Set(held.notes), context).toEqual(new Set(['one', 'two']));
  if (fault.expect !== 'transient') return;
  const retries = held.events.filter((event) => event.type === 'model_retry');
  expect(retries, context).toHaveLength(1);
  expect(retries[0]!.delayMs, context).toBeLessThanOrEqual(MAX_DELAY_MS);
  expect(held.notes, context).toEqual(['one', 'two']);
}

async function talk(
  format: WireFormat,
  stream: boolean,
  script: Parameters<typeof startWireServer>[0],
  timeoutMs: number,
): Promise<{ held: Held; calls: number }> {
  const server = await startWireServer(script);
  const held = await hold(clientAt(server, format, { stream, maxDelayMs: MAX_DELAY_MS, timeoutMs }));
  const calls = server.requests.length + server.refused;
  await server.close();
  return { held, calls };
}

function applies(
  { streaming, nonStreaming, formats }: WireFaultCase,
  format: WireFormat,
  stream: boolean,
): boolean {
  return (stream ? streaming : nonStreaming) && (formats === undefined || formats.includes(format));
}

/** A silent server, and one that answers with nothing, is asked only once more. */
function triesOf({ name }: WireFaultCase): number {
  return /^stall|^empty/.test(name) ? 2 : TRIES;
}

function silenceFor({ name }: WireFaultCase): number {
  return name.startsWith('stall') ? 1000 : 20_000;
}
