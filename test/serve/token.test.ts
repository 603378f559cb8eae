import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireToken } from '../../src/serve/require-token.ts';
import { startServer, type RunningServer } from '../../src/serve/server.ts';
import { createToken, readToken } from '../../src/serve/token.ts';
import { ralph } from '../support/ralph.ts';
import { repositoryWith } from '../support/repositories.ts';

const SECRET = 'a secret of forty characters, for tests.';
const NOW = new Date('2026-02-01T00:00:00Z');
const LATER = NOW.getTime() / 1000 + 60;
const TOKEN = createToken(SECRET, { role: 'reader', expires: LATER });

/** A token whose signature is right and whose claims nobody issues. */
function signed(claims: string): string {
  return `${claims}.${createHmac('sha256', SECRET).update(claims).digest('base64url')}`;
}

describe('a token', () => {
  it.each([
    ['the very token', TOKEN, { role: 'reader', expires: LATER }],
    ['none', undefined, 'missing'],
    ['one of another secret', createToken(`${SECRET}!`, { role: 'reader', expires: LATER }), 'forged'],
    ['a longer life', TOKEN.replace(String(LATER), String(LATER + 1000)), 'forged'],
    [
      'a higher role',
      createToken(SECRET, { role: 'metrics', expires: LATER }).replace('metrics', 'reader'),
      'forged',
    ],
    ['a cut signature', TOKEN.slice(0, -1), 'forged'],
    ['an unknown role', signed(`ralph1.admin.${LATER}`), 'forged'],
    ['another format', signed(`ralph2.reader.${LATER}`), 'forged'],
    ['an end that is now', createToken(SECRET, { role: 'reader', expires: NOW.getTime() / 1000 }), 'expired'],
  ] as const)('with %s is %j', (_, token, expected) => {
    expect(readToken(SECRET, token, NOW)).toEqual(expected);
  });
});

describe('a server with a secret', () => {
  let server: RunningServer;
  const inAnHour = Math.floor(Date.now() / 1000) + 3600;
  const token = createToken(SECRET, { role: 'reader', expires: inAnHour });
  beforeAll(async () => {
    const repositoryRoot = repositoryWith({ 'a.js': '' });
    server = await startServer({
      ...{ repositoryRoot, port: 0, host: '127.0.0.1', version: '1.2.3', env: {}, secret: SECRET },
      warn: () => {},
    });
  });
  afterAll(() => server.close());
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, server.url), { headers, redirect: 'manual' });

  it.each(['/', '/events', '/metrics', '/reflections?q=x', '/none'])(
    'answers %s to nobody without a token',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(401);
      expect(await answer.text()).toMatch(/needs a token/);
    },
  );

  it('tells whether it runs to everybody', async () => {
    expect((await get('/healthz')).status).toBe(200);
  });

  it('takes a token from the address into a cookie, and shows the pages to it', async () => {
    const first = await get(`/reflections?q=x&token=${token}`);
    expect(first.status).toBe(303);
    expect(first.headers.get('location')).toBe('/reflections?q=x');
    const cookie = first.headers.get('set-cookie')!;
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    const page = await get('/', { cookie: `other=1; ${cookie.split(';')[0]!}` });
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain(token);
    expect((await get('/', { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('names an expired and a forged token', async () => {
    const old = createToken(SECRET, { role: 'reader', expires: inAnHour - 7200 });
    const expired = await get('/', { authorization: `Bearer ${old}` });
    expect([expired.status, await expired.text()]).toEqual([401, expect.stringMatching(/has expired/)]);
    const forged = await get(`/?token=${token.slice(0, -2)}xx`);
    expect([forged.status, await forged.text()]).toEqual([
      401,
      expect.stringMatching(/not one of this server/),
    ]);
    expect(forged.headers.get('set-cookie')).toBeNull();
  });

  it('shows nothing but /metrics to a token for metrics', async () => {
    const authorization = `Bearer ${createToken(SECRET, { role: 'metrics', expires: inAnHour })}`;
    expect((await get('/metrics', { authorization })).status).toBe(200);
    expect((await get('/', { authorization })).status).toBe(403);
  });

  it('sends no browser to another site', () => {
    const url = new URL(`http://localhost//evil.example/?token=${token}`);
    const answer = requireToken(SECRET, { url, authorization: undefined, cookie: undefined }, new Date());
    expect(answer).toMatchObject({ status: 303, headers: { location: '/evil.example/' } });
  });
});

describe('ralph serve', () => {
  it.each([
    ['an address of the network without a secret', ['--host', '0.0.0.0'], {}, /other machines could read/],
    ['a secret that can be guessed', [], { RALPH_SERVE_SECRET: 'short' }, /has 5 characters; it needs 32/],
    ['a token without a secret', ['token'], {}, /RALPH_SERVE_SECRET is not set/],
    [
      'a token of no role',
      ['token', '--role', 'admin'],
      { RALPH_SERVE_SECRET: SECRET },
      /Roles: reader, metrics/,
    ],
  ] as const)('refuses %s', async (_, args, env, message) => {
    const { exitCode, stderr } = await ralph(repositoryWith({}), ['serve', ...args], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('prints a token that the same secret accepts', async () => {
    const { stdout } = await ralph(repositoryWith({}), ['serve', 'token', '--expires', '2d'], {
      env: { RALPH_SERVE_SECRET: SECRET },
    });
    expect(readToken(SECRET, stdout.trim(), new Date())).toMatchObject({ role: 'reader' });
  });
});
