import { appendFileSync, readFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealedLine } from '../../src/platform/files/sealed.ts';
import { ralphFolder } from '../../src/platform/ralph-folder.ts';
import { startServer, type RunningServer } from '../../src/serve/server.ts';
import { acquireLock } from '../../src/state/lock.ts';
import { createRunStore } from '../../src/state/run-store.ts';
import { readState } from '../../src/state/loops.ts';
import { put, sampleReflection } from '../memory/sample.ts';
import { ralph } from '../support/ralph.ts';
import { repositoryWith } from '../support/repositories.ts';
import { storeLoop } from '../support/stored-loop.ts';

const LOOP = 'ralph-hostile-20260101-aaaaaa';
const HOSTILE = `<script>alert(1)</script>" onload="alert(2)`;
const CHECKS = [{ name: 'tests', weight: 1, score: 0 }];
const warnings: string[] = [];
const warn = (text: string): void => void warnings.push(text);

let root: string;
let server: RunningServer;

beforeAll(async () => {
  root = repositoryWith({ 'a.js': '' });
  await storeLoop(root, {
    loopId: LOOP,
    task: HOSTILE,
    baseline: { checks: CHECKS, failures: [] },
    attempts: [{ checks: CHECKS, failures: [], patch: '' }],
  });
  put(
    root,
    '.aiwg/ralph/reflections/ralph-sample/001.json',
    sampleReflection({ text: `The parser drops commas. ${HOSTILE}` }),
  );
  server = await startServer({
    repositoryRoot: root,
    port: 0,
    host: '127.0.0.1',
    version: '1.2.3',
    env: {},
    warn,
  });
});
afterAll(() => server.close());

interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One request; unlike `fetch`, with any Host header. */
function get(path: string, options: { method?: string; host?: string; base?: string } = {}): Promise<Got> {
  const { method = 'GET', host, base = server.url } = options;
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    request(new URL(path, base), { method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

describe('pages', () => {
  it.each([
    ['/', LOOP],
    [`/loops/${LOOP}`, 'Attempts'],
    ['/reflections?q=commas', 'The parser drops commas.'],
    ['/lessons', 'No lesson is stored yet.'],
    ['/spending', 'By month'],
  ])(
    '%s is a page whose untrusted text is escaped and whose policy allows only its own parts',
    async (path, text) => {
      const { status, headers, body } = await get(path);
      expect(status).toBe(200);
      expect(body).toContain(text);
      expect(body).not.toContain('<script>alert');
      expect(body).not.toContain('onload="');
      expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
      expect(headers['content-security-policy']).not.toContain('unsafe');
    },
  );

  it('shows the hostile task as text', async () => {
    expect((await get('/')).body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=');
  });

  it('finds nothing for other words, and puts the words back into the field as text', async () => {
    const { body } = await get(`/reflections?q=${encodeURIComponent('nowhere "><b>')}`);
    expect(body).toContain('Nothing matches.');
    expect(body).toContain('value="nowhere &quot;&gt;&lt;b&gt;"');
  });

  it('answers /healthz and /metrics', async () => {
    expect((await get('/healthz')).body).toBe('ok\n');
    const { headers, body } = await get('/metrics');
    expect(headers['content-type']).toContain('version=0.0.4');
    expect(body).toMatch(/^# HELP ralph_loops .*\n# TYPE ralph_loops gauge\nralph_loops\{status="\w+"\} 1$/m);
    expect(body).not.toContain('ralph_fleet');
  });
});

describe('refusals', () => {
  it.each([
    ['another site', { host: 'evil.example' }, 421],
    ['another site that begins with an address', { host: '127.0.0.1.evil.example:80' }, 421],
    ['localhost', { host: 'localhost:7357' }, 200],
    ['an IPv6 address', { host: '[::1]:7357' }, 200],
    ['HEAD', { method: 'HEAD' }, 200],
    ['POST', { method: 'POST' }, 405],
    ['DELETE', { method: 'DELETE' }, 405],
  ])('answers %s', async (_, options, status) => {
    expect((await get('/', options)).status).toBe(status);
  });

  it('answers no HEAD of a stream, which has no end', async () => {
    expect((await get('/events', { method: 'HEAD' })).status).toBe(405);
  });

  it.each(['/loops/ralph-none-20260101-bbbbbb', '/loops/..%2f..%2fetc', '/constructor', '/fleet'])(
    'has no page %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('names a port in use with its remedy', async () => {
    const { port, free } = await reservedPort();
    await expect(
      startServer({ repositoryRoot: root, port, host: '127.0.0.1', version: '1', env: {}, warn }),
    ).rejects.toThrow(`--port ${port}: another program uses it`);
    free();
  });
});

describe('events', () => {
  it('sends the steps of a running loop when its journal grows, also of a loop that begins later', async () => {
    const running = 'ralph-running-20260101-cccccc';
    const lock = acquireLock(root, { loopId: running, command: 'run' });
    try {
      const stream = await openStream('/events');
      const store = createRunStore({ repositoryRoot: root, loopId: running });
      const { verdict: _, ...state } = (await readState(root, LOOP))!;
      await store.saveState({ ...state, loop_id: running, status: 'running' });
      await store.step('1:evaluate', () => Promise.resolve({ reward: 0.5, output: 'not for the page' }));
      const text = await stream.until('attempt 1: evaluate');
      expect(text).toContain(`"loop":"${running}"`);
      expect(await stream.until('"status":"running"')).not.toContain('not for the page');

      // One line in two parts: an incomplete line is no step yet.
      const line = `${sealedLine({ seq: 1, at: '2026-01-01T00:00:00.000Z', step: '2:act', data: {} })}\n`;
      const journal = ralphFolder(root).journal(running);
      appendFileSync(journal, line.slice(0, 20));
      const late = await openStream(`/loops/${running}/events`);
      await late.until('"seq":0');
      appendFileSync(journal, line.slice(20));
      await stream.until('attempt 2: act');
      await late.until('attempt 2: act');
      expect(readFileSync(journal, 'utf8').split('\n')).toHaveLength(3);
      const page = await get(`/loops/${running}`);
      expect(page.body).toContain(`data-events="/loops/${running}/events"`);

      // The last state is saved after the last step.
      await store.saveState({ ...state, loop_id: running, status: 'exhausted' });
      await stream.until('"status":"exhausted"');
      stream.close();
      late.close();
    } finally {
      lock.release();
    }
  });
});

describe('the fleet', () => {
  it('says that its database is away, and serves the other pages', async () => {
    const env = { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/none' };
    const fleet = await startServer({
      repositoryRoot: root,
      port: 0,
      host: '127.0.0.1',
      version: '1',
      env,
      warn,
    });
    const base = fleet.url;
    const { status, body } = await get('/fleet', { base });
    expect(status).toBe(200);
    expect(body).toContain('PostgreSQL at 127.0.0.1:1');
    expect(body).not.toContain('secret');
    expect((await get('/', { base })).status).toBe(200);
    expect((await get('/metrics', { base })).body).toContain('\nralph_fleet_up 0\n');
    await fleet.close();
  });
});

describe('ralph serve', () => {
  it('ends at Ctrl-C although a stream is open', async () => {
    const { port, free } = await reservedPort();
    free();
    let ended: Promise<void> | undefined;
    const { exitCode } = await ralph(root, ['serve', '--port', String(port)], {
      when: [
        [
          '(Ctrl-C ends it)\n',
          (child) => {
            ended = openStream('/events', `http://127.0.0.1:${port}/`).then(async (stream) => {
              child.kill('SIGINT');
              await stream.ended;
            });
          },
        ],
      ],
    });
    await ended;
    expect(exitCode).toBe(130);
  });

  it.each([
    ['99999', '--port 99999: it must be a whole number, from 0 to 65535.'],
    ['http', '--port http: it must be a whole number'],
  ])('refuses --port %s', async (port, message) => {
    const { exitCode, stderr } = await ralph(root, ['serve', '--port', port]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

async function reservedPort(): Promise<{ readonly port: number; readonly free: () => void }> {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  return { port: (other.address() as AddressInfo).port, free: () => void other.close() };
}

interface OpenStream {
  /** All text so far, as soon as it has `text`. */
  until(text: string): Promise<string>;
  readonly ended: Promise<void>;
  close(): void;
}

async function openStream(path: string, base = server.url): Promise<OpenStream> {
  const asked = request(new URL(path, base), { agent: false }).end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
  });
  expect(response.headers['content-type']).toContain('text/event-stream');
  let all = '';
  let check = (): void => {};
  response.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    check();
  });
  response.on('error', () => {});
  return {
    until: (text) =>
      new Promise((resolve) => {
        check = () => all.includes(text) && resolve(all);
        check();
      }),
    ended: new Promise((resolve) => response.once('close', () => resolve())),
    close: () => asked.destroy(),
  };
}
