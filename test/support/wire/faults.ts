import type { FaultStatus, RetryAfter, StatusFault, WireFault } from './fault.ts';
import type { WireFormat } from './format.ts';
import type { WireReply, WireToolCall } from './reply.ts';

/** One row of the fault matrix. */
export interface WireFaultCase {
  /** Unique, in kebab case. */
  readonly name: string;
  /** To be laid over the reply that would have been given. */
  readonly reply: WireReply;
  /** Whether it is something else than the plain reply where the request asks for a stream, and where not. */
  readonly streaming: boolean;
  readonly nonStreaming: boolean;
  readonly expect: FaultExpectation;
  /** The formats that have it; all when absent. */
  readonly formats?: readonly WireFormat[];
}

/**
 * `transient`: the call failed, and may be right when asked again. `permanent`: it failed, and asking again cannot
 * help. `data`: the call was answered, and what to do is in what it said.
 */
export type FaultExpectation = 'transient' | 'permanent' | 'data';

const PERMANENT: readonly FaultStatus[] = [400, 401, 402, 403, 404, 413, 422];
const TRANSIENT: readonly FaultStatus[] = [408, 409, 429, 500, 502, 503, 504, 529];

const RETRY_AFTER: Readonly<Record<string, RetryAfter>> = {
  seconds: { seconds: 1 },
  date: { dateInSeconds: 2 },
  absurd: { seconds: 999_999 },
  negative: { seconds: -5 },
  garbage: { text: 'soon, I promise' },
};

const CUT_CALL: WireToolCall = { name: 'read_file', input: '{"path": "src/ind' };

const both = { streaming: true, nonStreaming: true };
const streamOnly = { streaming: true, nonStreaming: false };

/** Every fault, for tests that go through all of them. */
export const FAULTS: readonly WireFaultCase[] = [
  ...PERMANENT.map((status) => statusCase(`http-${status}`, { status }, 'permanent')),
  ...TRANSIENT.map((status) => statusCase(`http-${status}`, { status }, 'transient')),
  ...Object.entries(RETRY_AFTER).map(([name, retryAfter]) =>
    statusCase(`http-429-retry-after-${name}`, { status: 429, retryAfter }, 'transient'),
  ),
  {
    ...statusCase('http-429-quota', { status: 429, reason: 'quota' }, 'permanent'),
    formats: ['openai-chat', 'openai-responses', 'gemini'],
  },
  { ...statusCase('http-400-quota', { status: 400, reason: 'quota' }, 'permanent'), formats: ['anthropic'] },
  statusCase('http-400-context', { status: 400, reason: 'context' }, 'permanent'),
  statusCase('http-400-no-tools', { status: 400, reason: 'no-tools' }, 'permanent'),
  { ...statusCase('http-400-bad-key', { status: 400, reason: 'bad-key' }, 'permanent'), formats: ['gemini'] },
  statusCase('http-502-html', { status: 502, html: true }, 'transient'),

  faultCase('refused', { kind: 'refused' }, 'transient'),
  faultCase('reset-before-headers', { kind: 'reset-before-headers' }, 'transient'),
  faultCase('reset-mid-stream', { kind: 'reset-mid-stream' }, 'transient'),
  faultCase('slow-drip', { kind: 'drip', bytes: 64, everyMs: 2 }, 'data'),
  faultCase('stall-before-headers', { kind: 'stall', after: 'request' }, 'transient'),
  faultCase('stall-after-first-chunk', { kind: 'stall', after: 'first-chunk' }, 'transient'),
  faultCase('truncated', { kind: 'truncated' }, 'transient'),
  faultCase('error-at-start', { kind: 'error-event', at: 'start' }, 'transient'),
  { ...faultCase('error-in-middle', { kind: 'error-event', at: 'middle' }, 'transient'), ...streamOnly },
  { ...faultCase('duplicated-events', { kind: 'duplicated' }, 'data'), ...streamOnly },
  {
    ...faultCase('missing-start', { kind: 'missing', part: 'start' }, 'data'),
    ...streamOnly,
    formats: ['openai-chat', 'openai-responses', 'anthropic'],
  },
  {
    ...faultCase('missing-block-start', { kind: 'missing', part: 'block-start' }, 'data'),
    ...streamOnly,
    formats: ['openai-responses', 'anthropic'],
  },
  {
    ...faultCase('missing-block-end', { kind: 'missing', part: 'block-end' }, 'data'),
    ...streamOnly,
    formats: ['openai-responses', 'anthropic'],
  },
  { ...faultCase('missing-end', { kind: 'missing', part: 'end' }, 'transient'), ...streamOnly },
  {
    ...faultCase('missing-done', { kind: 'missing', part: 'done' }, 'data'),
    ...streamOnly,
    formats: ['openai-chat'],
  },
  {
    ...faultCase('missing-message-stop', { kind: 'missing', part: 'done' }, 'transient'),
    ...streamOnly,
    formats: ['anthropic'],
  },
  {
    name: 'split-utf8',
    reply: { text: 'Größe: 10 µm → 🙂', fault: { kind: 'split-utf8' } },
    ...both,
    expect: 'data',
  },
  faultCase('invalid-json', { kind: 'invalid-json' }, 'transient'),
  faultCase('wrong-schema', { kind: 'wrong-schema' }, 'transient'),
  faultCase('huge-body', { kind: 'huge', megabytes: 50 }, 'data'),
  faultCase('html-page', { kind: 'html' }, 'permanent'),
  faultCase('redirect-loop', { kind: 'redirect-loop' }, 'permanent'),

  replyCase('empty-content', { text: '', toolCalls: [], finish: 'stop' }),
  replyCase('refusal', { toolCalls: [], finish: 'refusal' }),
  replyCase('content-filter', { text: '', toolCalls: [], finish: 'filter' }),
  replyCase('length', { toolCalls: [], finish: 'length' }),
  replyCase('length-in-arguments', { toolCalls: [CUT_CALL], finish: 'length' }),
  replyCase('unknown-tool', {
    toolCalls: [{ name: 'no_such_tool', input: { path: 'a' } }],
    finish: 'tool-calls',
  }),
  replyCase('malformed-arguments', { toolCalls: [CUT_CALL], finish: 'tool-calls' }),
];

function statusCase(name: string, fault: Omit<StatusFault, 'kind'>, expect: FaultExpectation): WireFaultCase {
  return faultCase(name, { kind: 'status', ...fault }, expect);
}

function faultCase(name: string, fault: WireFault, expect: FaultExpectation): WireFaultCase {
  return { name, reply: { fault }, ...both, expect };
}

function replyCase(name: string, reply: WireReply): WireFaultCase {
  return { name, reply, ...both, expect: 'data' };
}
