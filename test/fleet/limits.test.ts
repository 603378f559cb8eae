import { describe, expect, it } from 'vitest';
import { RalphError } from '../../src/errors.ts';
import { grantFor, isSpent, poolsFor, type Pool } from '../../src/fleet/queue/budget-pools.ts';
import { blockedLanes, describeBlock, type Lane } from '../../src/fleet/queue/lanes.ts';
import { requireRef } from '../../src/fleet/queue/ref-name.ts';
import { requireJobSettings, settingsOfJob } from '../../src/fleet/queue/job-settings.ts';
import { reachOf, requireGlobs } from '../../src/fleet/queue/repository-globs.ts';
import { repositoryOf } from '../../src/fleet/queue/repository-id.ts';
import { isLoopPath } from '../../src/fleet/store/loop-files.ts';
import { endReason } from '../../src/fleet/worker/end-reason.ts';
import { isOutside, needsRest, reasonOf } from '../../src/fleet/worker/failure.ts';
import { firstErrors, installOf } from '../../src/fleet/worker/install.ts';
import { createRest, waitSeconds } from '../../src/fleet/worker/rest.ts';
import type { Config } from '../../src/schema/generated.ts';
import { folderWith } from '../checks/detect/package-folder.ts';

function lane(id: string, rest: Partial<Lane> = {}): Lane {
  return {
    id,
    organisation: 'github.com/octo',
    repository: `github.com/octo/${id}`,
    model: '',
    labels: [],
    running: 0,
    ...rest,
  };
}

function pool(rest: Partial<Pool> = {}): Pool {
  const zero = { spent_usd: 0, spent_tokens: 0, reserved_usd: 0, reserved_tokens: 0 };
  return { kind: 'all', name: '', cost_usd: null, tokens: null, ...zero, ...rest };
}

const FREE = { reach: { labels: [], repositories: [] }, limits: [], pauses: [], pools: [] };

describe('the lanes that a worker may not take from', () => {
  const lanes = [
    lane('shop', { running: 2 }),
    lane('tool', { model: 'openai/gpt-5', running: 1 }),
    lane('gpu', { labels: ['gpu'], organisation: 'local' }),
  ];
  it.each([
    ['labels that it does not have', {}, ['gpu']],
    [
      'repositories outside its globs',
      { reach: { labels: ['gpu'], repositories: ['github.com/octo/sh*'] } },
      ['tool', 'gpu'],
    ],
    [
      'a repository at its own limit',
      { limits: [{ kind: 'repository', name: 'github.com/octo/shop', most: 2 }] },
      ['shop', 'gpu'],
    ],
    [
      'every organisation at the limit of *',
      { limits: [{ kind: 'organisation', name: '*', most: 3 }] },
      ['shop', 'tool', 'gpu'],
    ],
    ['none below a limit', { limits: [{ kind: 'organisation', name: '*', most: 4 }] }, ['gpu']],
    ['a model at its limit', { limits: [{ kind: 'model', name: 'openai/gpt-5', most: 1 }] }, ['tool', 'gpu']],
    ['all of them in a pause', { pauses: [{ kind: 'all', name: '' }] }, ['shop', 'tool', 'gpu']],
    [
      'a spent pool',
      { pools: [pool({ kind: 'model', name: 'openai/gpt-5', cost_usd: 5, spent_usd: 5 })] },
      ['tool', 'gpu'],
    ],
  ] as const)('are those with %s', (_, rules, expected) => {
    expect(blockedLanes(lanes, { ...FREE, ...rules }).map(({ id }) => id)).toEqual(expected);
  });
});

describe('what a job may spend', () => {
  it.each([
    ['its own budget where the pool has enough', pool({ cost_usd: 10 }), 2, 2],
    ['a quarter of the rest without a budget of its own', pool({ cost_usd: 10, spent_usd: 2 }), undefined, 2],
    ['the rest, if nobody will give anything back', pool({ cost_usd: 10, spent_usd: 9 }), 2, 1],
    [
      'nothing yet, if running jobs may give something back',
      pool({ cost_usd: 10, spent_usd: 5, reserved_usd: 4 }),
      2,
      'later',
    ],
    ['its own budget without a limit', pool(), 2, 2],
    ['a twentieth of the whole at least', pool({ cost_usd: 10, spent_usd: 9.2 }), undefined, 0.5],
    ['the rest of it if it is less', pool({ cost_usd: 10, spent_usd: 9.8765432 }), undefined, 0.1234],
    [
      'nothing yet with less, if running jobs may give something back',
      pool({ cost_usd: 10, spent_usd: 9, reserved_usd: 0.9 }),
      undefined,
      'later',
    ],
  ] as const)('is %s', (_, limited, own, expected) => {
    const grant = grantFor([limited], { costUsd: own, tokens: undefined });
    expect(grant === undefined ? 'later' : grant.costUsd).toBe(expected);
  });

  it('is a whole number of tokens', () => {
    const grantOf = (limited: Pool) => grantFor([limited], { costUsd: undefined, tokens: undefined })?.tokens;
    expect(grantOf(pool({ tokens: 1001 }))).toBe(250);
    expect(grantOf(pool({ tokens: 2, spent_tokens: 1 }))).toBe(1);
  });

  it('is said with where it comes from when it is spent, unless the job asked for it', () => {
    const reasonWith = (reason: string, config: object, status = 'budget') =>
      endReason(
        { status, reason } as never,
        { request: { config }, grant: { costUsd: 0.1, tokens: 9 } } as never,
      );
    expect(reasonWith('The budget is spent: $0.2000 of $0.1.', {})).toMatch(
      /part of the budget of the fleet.* --max-cost/,
    );
    expect(reasonWith('The token budget is spent: 9 of 9.', { maxCost: 0.1 })).toMatch(/ --max-tokens/);
    expect(reasonWith('The budget is spent.', { maxCost: 0.1 })).toBe('The budget is spent.');
    expect(reasonWith('The time budget is spent.', {})).toBe('The time budget is spent.');
    expect(reasonWith('Still red.', {}, 'exhausted')).toBe('Still red.');
  });

  it('counts what is reserved as gone', () => {
    expect(isSpent(pool({ tokens: 1000, spent_tokens: 400, reserved_tokens: 600 }))).toBe(true);
    expect(isSpent(pool({ tokens: 1000, spent_tokens: 400, reserved_tokens: 599 }))).toBe(false);
  });
});

describe('a budget in dollars', () => {
  it.each([
    ['a command, which reports no cost', { command: 'make fix' }, undefined],
    ['the search', {}, 2.5],
    ['a model', { model: 'openai/gpt-5' }, 2.5],
  ] as const)('gives %s its part', (_, config, expected) => {
    const pools = poolsFor({ config, pools: [pool({ cost_usd: 10, tokens: 400 })] });
    expect(grantFor(pools, { costUsd: undefined, tokens: undefined })).toEqual({
      costUsd: expected,
      tokens: 100,
    });
  });

  it.each([
    ['is named by a job that has none of its own', undefined, /^The fleet has a budget/],
    ['is not by another', 2, /^--max-cost/],
  ])('%s', (_, maxCost, expected) => {
    const request = {
      version: 1,
      config: { maxCost },
      proof: { hasTask: false, criteria: [] },
      delivery: 'branch',
    };
    const job = { request, grant: { costUsd: 2, tokens: undefined }, repository: 'octo/shop' } as never;
    const reason = reasonOf(new Error('--max-cost cannot be enforced.'), { job, root: '/w/1/repository' });
    expect(reason).toMatch(expected);
  });
});

describe('why a job failed', () => {
  it.each([
    [
      'no_package',
      'There is no package.json in /w/1/repository.',
      'There is no package.json in octo/shop. Submit it again with the command that decides: --check tests="…"',
    ],
    [
      'no_dependencies',
      'package-lock.json does not install: EUSAGE',
      'package-lock.json does not install: EUSAGE. Try it in /w/1.',
    ],
    [
      'config_untrusted',
      'ralph.config.json is not trusted.',
      'ralph.config.json is not trusted. A flag overrides the file: those of the sandbox are flags of ralph worker, the others of ralph submit.',
    ],
  ] as const)('names the repository and what the submitter can do (%s)', (code, message, expected) => {
    const error = new RalphError(message, { code, exitCode: 4, hint: 'Try it in /w/1.' });
    const job = { request: { config: {} }, grant: {}, repository: 'octo/shop' } as never;
    expect(reasonOf(error, { job, root: '/w/1/repository' })).toBe(expected);
  });
});

describe('why no job of a lane is taken', () => {
  const shop = lane('shop', { running: 1, model: 'openai/gpt-5' });
  it.each([
    [
      'a pause',
      { pauses: [{ kind: 'organisation', name: 'github.com/octo' }] },
      'ralph queue resume --organisation github.com/octo',
    ],
    ['a limit', { limits: [{ kind: 'model', name: '*', most: 1 }] }, 'loops of the model openai/gpt-5 run'],
    ['nothing', {}, undefined],
  ] as const)('is %s', (_, rules, says) => {
    const text = describeBlock(shop, { lanes: [shop], limits: [], pauses: [], ...rules });
    if (says === undefined) expect(text).toBeUndefined();
    else expect(text).toContain(says);
  });
});

it.each(['', 'a b', 'main~0', 'a\nb', '-x', 'a..b', 'a@{1}', '.a', 'a/', 'a.lock', 'x'.repeat(501)])(
  'takes no text as --ref that is not the name of a ref: %j',
  (ref) => {
    expect(() => requireRef(ref)).toThrow('--ref');
    expect(requireRef('feature/größe-2.0')).toBe('feature/größe-2.0');
  },
);

it.each([
  'https://github.com',
  'https://github.com/',
  'ssh://-oProxyCommand=x/y',
  'http://a.b:99999/c',
  'http://127.0.0.1:1.evil:2/a',
])('takes no URL that names no repository: %s', (url) => {
  expect(() => repositoryOf(url, '/')).toThrow('is not the URL of a repository');
});

it('takes a repository for the same one in small and large letters, but not a path', () => {
  const names = [
    'https://GitHub.com/Octo/Shop',
    'git@github.com:octo/shop.git',
    'https://git.example/Group/Sub/Shop',
  ].map((url) => repositoryOf(url, '/'));
  expect(names.map(({ name, organisation }) => `${organisation} ${name}`)).toEqual([
    'github.com/octo github.com/octo/shop',
    'github.com/octo github.com/octo/shop',
    'git.example git.example/group/sub/shop',
  ]);
  expect(names[0]!.address).toBe('https://GitHub.com/Octo/Shop');
  const [shop] = [lane('shop')];
  const reach = { labels: [], repositories: ['github.com/Octo/*'] };
  expect(blockedLanes([shop!], { ...FREE, reach })).toEqual([]);
});

it.each([
  [
    'octo/*',
    ['github.com/octo/shop', 'gitlab.com/octo/tool'],
    ['github.com/octopus/shop', 'github.com/x/octo'],
  ],
  ['Octo/Shop', ['github.com/octo/shop'], ['github.com/octo/shops', 'gitlab.com/group/octo/shop']],
  ['github.com/octo/*', ['github.com/octo/shop'], ['gitlab.com/octo/shop']],
  ['/srv/*', ['/srv/shop'], ['github.com/srv/shop', '/srv']],
  ['/srv/shop', ['/srv/shop'], ['/srv/shops']],
  ['**', ['/srv/shop', 'github.com/octo/shop'], []],
  ['srv/*', ['github.com/srv/shop'], ['/srv/shop', '/data/srv/shop/x/y']],
])('takes the glob %s as the names of the queue are written', (glob, matched, others) => {
  const isInReach = reachOf([glob]);
  expect(matched.filter((name) => !isInReach(name))).toEqual([]);
  expect(others.filter(isInReach)).toEqual([]);
});

it('takes only patterns that can match as --repositories', () => {
  expect(requireGlobs(['github.com/octo/*', 'r[12]'])).toHaveLength(2);
  for (const glob of ['', '[', 'a{b'])
    expect(() => requireGlobs([glob])).toThrow(`--repositories ${JSON.stringify(glob)} is not a pattern`);
});

describe('the settings of a job', () => {
  it.each<[string, Config, string]>([
    ['the sandbox', { sandbox: 'off' }, 'ralph worker --sandbox …'],
    [
      'where keys are sent',
      { model: 'openai/gpt-5', baseUrl: 'http://127.0.0.1:1/v1' },
      'ralph worker --base-url …',
    ],
    ['a file of a machine', { replay: '/etc/passwd' }, 'Leave --replay out.'],
    ['a command line with the keys of a worker', { agent: 'node agent.mjs' }, '--command'],
  ])('may not have %s', (_, config, hint) => {
    expect(() => requireJobSettings(config)).toThrow(
      expect.objectContaining({ exitCode: 2, hint: expect.stringContaining(hint) as string }),
    );
  });

  it('may name a model, a known agent or a program', () => {
    for (const config of [{ model: 'openai/gpt-5' }, { agent: 'claude' }, { command: 'node fix.mjs' }])
      expect(() => requireJobSettings(config)).not.toThrow();
  });

  it('lose what an older ralph accepted, but for the command line of an agent', () => {
    const stored: Config = {
      maxIterations: 2,
      sandbox: 'off',
      baseUrl: 'http://127.0.0.1:1/v1',
      record: '/x',
    };
    expect(settingsOfJob(stored)).toEqual({ maxIterations: 2 });
    expect(() => settingsOfJob({ agent: 'node agent.mjs' })).toThrow(
      '--agent node agent.mjs is not the name',
    );
  });
});

describe('why a lockfile does not install', () => {
  it('is the beginning of what npm says, without its manual and warnings', () => {
    const said =
      'npm warn old lockfile\nnpm error code EUSAGE\nnpm error\nnpm error The lock file does not fit.\n';
    const text = firstErrors(`${said}npm error Usage:\nnpm error npm ci\nnpm error A log is in /root/x.log`);
    expect(text).toBe('code EUSAGE\nThe lock file does not fit.');
    expect(firstErrors('x'.repeat(700))).toHaveLength(600);
    const stack =
      'npm error FetchError: request failed\nnpm error     at ClientRequest.<anonymous> (/usr/lib/a.js:1:2)\nnpm error   errno: -111,\nnpm error   code: ECONNREFUSED\nnpm error }';
    expect(firstErrors(stack)).toBe('FetchError: request failed\ncode: ECONNREFUSED');
  });
});

describe('how dependencies are installed', () => {
  const YARN_1 = '# yarn lockfile v1\n';
  it.each([
    [{ 'npm-shrinkwrap.json': '{}' }, 'npm-shrinkwrap.json', 'npm ci --ignore-scripts', false],
    [{ 'yarn.lock': YARN_1 }, 'yarn.lock', 'yarn install --frozen-lockfile --ignore-scripts', false],
    [{ 'yarn.lock': '__metadata:\n' }, 'yarn.lock', 'yarn install --immutable --mode=skip-build', true],
    [{ 'bun.lockb': '' }, 'bun.lockb', 'bun install --frozen-lockfile --ignore-scripts', true],
    [{}, 'package.json', 'npm install --no-package-lock --ignore-scripts', false],
    // Of two lockfiles, that of the manager which the repository names.
    [
      {
        'package-lock.json': '{}',
        'pnpm-lock.yaml': '',
        'package.json': '{ "packageManager": "pnpm@9.1.0" }',
      },
      'pnpm-lock.yaml',
      'pnpm install --frozen-lockfile --ignore-scripts',
      true,
    ],
  ])('of %j', (files, file, command, hasStore) => {
    const how = installOf(folderWith({ 'package.json': '{}', ...files }));
    expect(how).toMatchObject({ file, hasStore });
    expect(how.command.join(' ')).toMatch(new RegExp(`^${command}`));
  });
});

describe('the rest of a worker whose machine could not run a job', () => {
  it('doubles until a job runs, and counts failures at the same time once', () => {
    let now = 1000;
    const rest = createRest(() => now);
    expect(rest.remainingMs()).toBe(0);
    expect([rest.begin(), rest.begin(), rest.remainingMs()]).toEqual([4000, 4000, 4000]);
    now += 4000;
    expect([rest.remainingMs(), rest.begin()]).toEqual([0, 8000]);
    now += 8000;
    rest.forget();
    expect(rest.begin()).toBe(4000);
    for (let count = 0; count < 10; count++) now += rest.begin();
    expect(rest.begin()).toBe(300_000);
  });
});

describe('a git host or a registry that is away', () => {
  it.each([
    ['conflict', 'The requested URL returned error: 503', true],
    ['conflict', 'Could not resolve host: git.example', true],
    ['no_dependencies', 'package-lock.json does not install: connect ECONNREFUSED 127.0.0.1:1', true],
    ['no_dependencies', 'package-lock.json does not install: E404', false],
    ['conflict', 'The requested URL returned error: 404', false],
    ['check_unrunnable', 'connect ECONNREFUSED 127.0.0.1:5432', false],
  ] as const)('is waited for: %s, %s: %s', (code, message, isAway) => {
    expect(isOutside(new RalphError(message, { code, exitCode: 4 }))).toBe(isAway);
  });

  it('is asked again after twice the time, and not for ever', () => {
    expect([2, 3, 4, 9, 25].map(waitSeconds)).toEqual([4, 8, 16, 300, 300]);
    expect(waitSeconds(26)).toBe(undefined);
  });

  it('lets the worker rest only for what may hold for its next job', () => {
    expect(needsRest(new RalphError('no key', { code: 'actor_failed', exitCode: 5 }))).toBe(false);
    expect(needsRest(new Error('ENOSPC'))).toBe(true);
  });
});

describe('the name of a repository', () => {
  it.each([
    ['https://github.com/octo/shop.git', 'github.com/octo/shop', 'github.com/octo'],
    ['git@github.com:octo/shop.git', 'github.com/octo/shop', 'github.com/octo'],
    ['ssh://git@github.com/octo/shop.git', 'github.com/octo/shop', 'github.com/octo'],
  ])('of %s is %s', (given, name, organisation) => {
    expect(repositoryOf(given, '/')).toEqual({ address: given, name, organisation });
  });

  it.each([
    ['https://me:secret@github.com/octo/shop', /contains a login/],
    ['https://a-token@github.com/octo/shop', /contains a login/],
    ['https://github.com/octo/shop?token=a-token', /contains a login/],
    ['ssh://git:secret@github.com/octo/shop', /contains a login/],
    ['--upload-pack=touch', /is not a repository/],
    ['/no/such/folder', /There is no repository/],
  ])('refuses %s', (given, message) => {
    expect(() => repositoryOf(given, '/')).toThrow(message);
  });
});

describe('a path from the database', () => {
  it.each([
    ['.aiwg/ralph/loops/x/journal.jsonl', true],
    ['.aiwg/ralph/../../.git/config', false],
    ['/etc/passwd', false],
    ['.aiwg/ralph/loops//x', false],
  ])('%s lies in the loop: %s', (path, isIn) => {
    expect(isLoopPath(path)).toBe(isIn);
  });
});
