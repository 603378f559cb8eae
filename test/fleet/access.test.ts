import { describe, expect, it } from 'vitest';
import { accessOf, requirePullRequests } from '../../src/fleet/worker/access.ts';
import { DeliveryFailed } from '../../src/fleet/worker/deliver.ts';
import { isOfTheJob } from '../../src/fleet/worker/failure.ts';
import { RalphError } from '../../src/errors.ts';

const TOKENS = { GITHUB_TOKEN: '', GH_TOKEN: 'gh', GITLAB_TOKEN: 'lab' };

describe("a worker's token", () => {
  it.each([
    ['https://github.com/octo/shop', {}, 'gh'],
    ['https://gitlab.com/octo/shop.git', {}, 'lab'],
    ['https://evil.example/octo/shop', {}, undefined],
    ['https://github.com.evil.example/octo/shop', {}, undefined],
    ['https://github.com:8443/octo/shop', {}, undefined],
    ['http://github.com/octo/shop', {}, undefined],
    ['https://github.com@evil.example/octo/shop', {}, undefined],
    ['git@github.com:octo/shop.git', {}, undefined],
    ['/srv/shop.git', {}, undefined],
    ['https://git.corp.example/octo/shop', { GITHUB_SERVER_URL: 'https://git.corp.example' }, 'gh'],
    ['https://github.com/octo/shop', { GITHUB_SERVER_URL: 'https://git.corp.example' }, undefined],
    ['https://lab.corp.example/octo/shop', { CI_SERVER_URL: 'https://lab.corp.example/' }, 'lab'],
  ])('goes only to the server that it is for (%s with %o: %s)', (address, env, token) => {
    expect(accessOf(address, { ...TOKENS, ...env })).toEqual({ url: address, token });
  });
});

describe('a pull request that a worker cannot open', () => {
  const job = (address: string) =>
    ({ address, repository: 'octo/shop', request: { delivery: 'pull-request' } }) as never;

  it('is known before the loop', () => {
    const ask =
      (address: string, env = {}) =>
      () =>
        requirePullRequests(job(address), env);
    expect(ask('https://github.com/octo/shop', TOKENS)).not.toThrow();
    expect(ask('git@github.com:octo/shop.git', TOKENS)).not.toThrow();
    expect(ask('https://github.com/octo/shop')).toThrow(/neither GITHUB_TOKEN nor GH_TOKEN is set/);
    expect(ask('https://gitlab.com/octo/shop', TOKENS)).toThrow(/is not a repository on GitHub/);
  });

  it('is left to another machine if only the token is missing', () => {
    const errorOf = (act: () => void): unknown => {
      try {
        return act();
      } catch (error) {
        return error;
      }
    };
    const without = errorOf(() => requirePullRequests(job('https://github.com/octo/shop'), {}));
    const elsewhere = errorOf(() => requirePullRequests(job('/srv/shop'), TOKENS));
    expect([without, elsewhere].map(isOfTheJob)).toEqual([false, true]);
  });
});

it('a result that is not delivered leaves the job open, whatever the error was', () => {
  const refused = new RalphError('git push failed: 403', { code: 'conflict', exitCode: 4, hint: 'Log in.' });
  expect(isOfTheJob(refused)).toBe(true);
  const failed = new DeliveryFailed(refused, 'The branch ralph/x is left to push.');
  expect(isOfTheJob(failed)).toBe(false);
  expect(failed).toMatchObject({ message: 'git push failed: 403' });
  expect(failed.hint).toMatch(/^Log in\. The branch ralph\/x is left to push\. ralph queue retry JOB/);
});
