import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ralph } from '../support/ralph.ts';
import { HONEST_FIX, QUICK_FILES, repositoryWith } from '../support/repositories.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface SentSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A receiver of OTLP over HTTP. */
async function receiver(status = 200): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function spansIn(received: readonly Received[]): SentSpan[] {
  return received.flatMap(({ body }) => {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });
}

/** `a > b > c` for each span: its name below those of its parents. */
function pathsOf(spans: readonly SentSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = (span: SentSpan): string => {
    const parent = byId.get(span.parentSpanId ?? '');
    return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
  };
  return [...new Set(spans.map(pathOf))].sort();
}

const TASK = 'a task that nobody else should read';
/** The first attempt changes too little, the second repairs. */
const COMMAND = `if [ "$RALPH_ITERATION" = 1 ]; then echo >> src/extra.js; else ${HONEST_FIX}; fi`;

function run(env: Record<string, string>, command = COMMAND) {
  const root = repositoryWith(QUICK_FILES);
  return ralph(root, ['run', TASK, '--command', command, '-i', '2', '--format', 'json'], { env });
}

describe('a traced loop', () => {
  it('sends one span for each phase, below its attempt, with the settings of OpenTelemetry, and no text', async () => {
    const { url, received } = await receiver();
    const { exitCode } = await run({
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: 'x-team=octo' },
      OTEL_SERVICE_NAME: 'night-shift',
    });
    expect(exitCode).toBe(0);
    expect(received[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-team': 'octo' } });
    const spans = spansIn(received);
    expect(pathsOf(spans)).toEqual([
      'ralph.loop',
      'ralph.loop > ralph.attempt',
      'ralph.loop > ralph.attempt > ralph.act',
      'ralph.loop > ralph.attempt > ralph.evaluate',
      'ralph.loop > ralph.attempt > ralph.evaluate > ralph.check',
      'ralph.loop > ralph.attempt > ralph.reflect',
      'ralph.loop > ralph.baseline',
      'ralph.loop > ralph.baseline > ralph.check',
    ]);
    expect(spans.filter(({ name }) => name === 'ralph.attempt')).toHaveLength(2);
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    const all = received.map(({ body }) => body).join('');
    expect(all).toContain('night-shift');
    expect(all).not.toContain('nobody else');
  });

  it.each([
    ['refuses', async () => (await receiver(500)).url],
    ['is away', () => Promise.resolve('http://127.0.0.1:9')],
  ])('ends as without a trace if the collector %s', async (_, urlOf) => {
    const { exitCode, stdout } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: await urlOf() }, HONEST_FIX);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verified: true });
  });
});
