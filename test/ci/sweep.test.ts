import { expect, test } from 'vitest';
import { sweepPulls, type SweepPlace } from '../../src/ci/sweep.ts';
import type { PullFacts } from '../../src/ci/github/event.ts';
import { EMPTY_LEDGER } from '../../src/ci/rules/ledger.ts';
import { CI_DEFAULTS, type CiSettings } from '../../src/ci/settings.ts';

const HEAD = 'a'.repeat(40);
const SETTINGS = { ...CI_DEFAULTS, workflow: 'ralph' } as CiSettings;

/** What a sweep asks of a repository whose newest pull requests have these facts, and what it starts. */
async function sweep(
  pulls: readonly Partial<PullFacts>[],
  hasBranches = true,
  start: (request: { readonly inputs: { readonly pull: string } }) => void = () => {},
) {
  const open = pulls.map((it, at): PullFacts => ({
    ...{ number: at + 1, open: true, labels: [], branch: `b${at + 1}`, head: HEAD, fork: false, bot: false },
    ...it,
  }));
  const asked: string[] = [];
  const answer =
    <T>(name: string, value: (...given: never[]) => T) =>
    async (...given: never[]): Promise<T> => {
      asked.push(name);
      return value(...given);
    };
  const github = {
    openPulls: async () => open,
    isFailing: answer('isFailing', () => true),
    pull: answer('pull', (number: number) => open[number - 1]),
    pullsOf: answer('pullsOf', (branch: string) => open.filter((it) => it.branch === branch)),
    wasRejected: answer('wasRejected', () => false),
    dispatch: answer('dispatch', start),
  };
  const place = {
    remote: { github, workflow: { workflow: 'ralph.yml', ref: 'main' } },
    desk: {
      tipOf: async (branch: string) => (hasBranches && !branch.startsWith('ralph/') ? HEAD : undefined),
      hasTag: () => Promise.resolve(false),
    },
    ledger: EMPTY_LEDGER,
    now: new Date('2026-11-22T12:00:00Z'),
  } as unknown as SweepPlace;
  return { text: await sweepPulls(place, SETTINGS), asked };
}

test('a sweep of a repository with many pull requests makes few requests', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => ({ labels: at % 3 === 0 ? ['no-ralph'] : [] }));
  const { text, asked } = await sweep(many, false);
  expect(text).toBeUndefined();
  expect(asked.length).toBeGreaterThan(100);
  expect(asked.length).toBeLessThanOrEqual(290);
});

test('a sweep starts at most ten runs, for pull requests with the label first', async () => {
  const pulls = Array.from({ length: 300 }, (_, at) => ({ labels: at === 299 ? ['ralph'] : [] }));
  const { text, asked } = await sweep(pulls);
  expect(text).toMatch(/^Started 10 runs for the pull requests #300, #1, #2, /);
  expect(asked.filter((it) => it === 'dispatch')).toHaveLength(10);
});

test('branches with the name of a bot are left out without the label, and one branch gets one run', async () => {
  const pulls = [
    { branch: 'renovate/a' },
    { branch: 'renovate/b', labels: ['ralph'] },
    { branch: 'mine' },
    { branch: 'mine' },
  ];
  expect((await sweep(pulls)).text).toBe('Started 2 runs for the pull requests #2, #3.');
});

test('a run that GitHub refuses does not end the sweep; three of them do', async () => {
  const refuse =
    (...numbers: readonly string[]) =>
    ({ inputs: { pull } }: { readonly inputs: { readonly pull: string } }) => {
      if (numbers.includes(pull)) throw new Error('GitHub answered 422.');
    };
  expect((await sweep([{}, {}, {}], true, refuse('1'))).text).toBe(
    'Started 2 runs for the pull requests #2, #3. No run for #1: GitHub answered 422.',
  );
  const { text, asked } = await sweep([{}, {}, {}, {}, {}], true, refuse('1', '2', '3'));
  expect(text).toMatch(/^No run for #1: .* No run for #3: GitHub answered 422\.$/);
  expect(asked.filter((it) => it === 'dispatch')).toHaveLength(3);
});
