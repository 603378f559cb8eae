import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { renderDetails, renderNext, renderRow } from '../../src/cli/commands/queue-lines.ts';
import type { JobDetails, JobRow } from '../../src/fleet/queue/read-jobs.ts';

const PLAIN = new Chalk({ level: 0 });
const ROW: JobRow = {
  ...{ id: '1f2e0000-0000-4000-8000-000000000000', key: null, state: 'failed', model: '', priority: 0 },
  ...{ repository: 'github.com/octo/shop', ref: 'main', task: 'keep the cart sorted', loop_id: 'ralph-x' },
  ...{ machines: ['a'], submitted_at: '2026-01-01T00:00:00Z', started_at: null, ended_at: null },
  ...{ reason: 'npm ci failed.', reward: null, cost_usd: null, silent_seconds: null },
};

describe('a job of the list', () => {
  it.each(['failed', 'dead', 'unverified', 'waiting'] as const)(
    'that is %s has its reason below it',
    (state) => {
      const [first, second] = renderRow({ ...ROW, state }, PLAIN);
      expect(first).toMatch(new RegExp(`^1f2e0000  ${state} .* octo/shop#main  keep the cart sorted$`));
      expect(second).toBe('          npm ci failed.');
    },
  );

  it.each(['queued', 'running', 'verified'] as const)('that is %s is one line', (state) => {
    expect(renderRow({ ...ROW, state }, PLAIN)).toHaveLength(1);
  });

  it('whose worker is silent says so', () => {
    const running: JobRow = { ...ROW, state: 'running' };
    expect(renderRow({ ...running, silent_seconds: 20 }, PLAIN)).toHaveLength(1);
    expect(renderRow({ ...running, silent_seconds: 1800 }, PLAIN)[1]).toMatch(
      /worker a for 30 min.*: ralph worker$/,
    );
  });

  it('shows a foreign text bounded, on one line, and without acting on it', () => {
    const hostile = `\u001B[32mverified\u001B[0m\u0007\r\n${'x'.repeat(5000)}`;
    const lines = renderRow({ ...ROW, task: hostile, ref: 'a\u001B[2J', reason: hostile }, PLAIN);
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
    expect(lines[1]).toContain('\\u{1b}[32mverified\\u{1b}[0m\\u{7}');
    expect(lines[1]!.length).toBeLessThanOrEqual(210);
    const details = {
      ...ROW,
      task: hostile,
      labels: [],
      waits_for: null,
      base: null,
      delivered: null,
    } as unknown as JobDetails;
    expect(renderDetails(details, PLAIN).join('\n')).not.toContain('\u001B');
  });
});

describe('the commands below a job', () => {
  const DELIVERED = { how: 'branch', branch: 'ralph/x', commit: 'c', message: 'm' } as const;
  const next = (job: Partial<JobDetails>): string[] =>
    renderNext(
      { ...ROW, address: 'https://x', base: null, delivered: null, ...job } as JobDetails,
      PLAIN,
    ).map((line) => /^(?:next)? +(.*?)(?: {2,}.*)?$/.exec(line)![1]!);
  const retry = 'ralph queue retry 1f2e0000';
  const fetchAndDiff = ['git fetch origin ralph/x', 'git diff HEAD...FETCH_HEAD'];
  const remove = 'git push origin --delete ralph/x';

  it('fetch a pushed branch, merge it or delete it', () => {
    const job = { state: 'verified', delivered: DELIVERED } as const;
    expect(next(job)).toEqual([...fetchAndDiff, 'git merge FETCH_HEAD', remove]);
    expect(next({ ...job, delivered: { ...DELIVERED, how: 'pull-request' } })).toEqual([
      ...fetchAndDiff,
      remove,
    ]);
  });

  it('fetch from the path that was submitted, which is not the origin of its checkouts', () => {
    const steps = next({ state: 'verified', delivered: DELIVERED, address: "/srv/octo's shop" });
    expect(steps[0]).toBe(`git fetch '/srv/octo'\\''s shop' ralph/x`);
    expect(steps.at(-1)).toBe(`git push '/srv/octo'\\''s shop' --delete ralph/x`);
  });

  it('write a bundle to a file, and fetch from it', () => {
    const delivered = { ...DELIVERED, how: 'bundle' } as const;
    expect(next({ state: 'unproven', delivered })).toEqual([
      'ralph queue show 1f2e0000 --bundle result.bundle',
      'git fetch result.bundle ralph/x',
      ...['git diff HEAD...FETCH_HEAD', 'git merge FETCH_HEAD', retry],
    ]);
  });

  it.each(['failed', 'dead', 'unverified', 'cancelled'] as const)('queue a job again that is %s', (state) => {
    expect(next({ state })).toEqual([retry]);
  });

  it.each(['queued', 'running', 'waiting'] as const)('are none while a job is %s', (state) => {
    expect(next({ state })).toEqual([]);
  });
});
