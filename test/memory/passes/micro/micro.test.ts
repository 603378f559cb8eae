import { describe, expect, it } from 'vitest';
import { digestSessions } from '../../../../src/memory/passes/micro/digest.ts';
import { entriesOf, type MicroEntry } from '../../../../src/memory/passes/micro/entries.ts';
import { reflectOnSession, type MicroRequest } from '../../../../src/memory/passes/micro/pass.ts';
import { factsByRules } from '../../../../src/memory/passes/micro/rules.ts';
import { readMicroState, watermarkOf } from '../../../../src/memory/passes/micro/store.ts';
import { MICRO_LIMITS } from '../../../../src/memory/passes/micro/settings.ts';
import { selectLessons } from '../../../../src/memory/recall/select.ts';
import { outgrownEntries, renderEntry, selectEntries } from '../../../../src/memory/passes/micro/window.ts';
import {
  candidate,
  commitAll,
  hungAsk,
  judged,
  lessonsIn,
  scriptedAsk,
  SHOP,
  type AttemptScript,
} from '../../../support/memory.ts';
import { temporaryFolder, writeFiles } from '../../../support/repositories.ts';
import { trajectory } from '../../../support/scripted.ts';

const LOOP = 'ralph-shop-20260101-aaaaaa';
const TASK =
  'Make the cart tests pass. Never edit the files in generated/. Use `npm run build:fast` instead of the full build.';
const ADVICE = 'Round up in `computeTotal` of src/total.js.';
const SAID = 'I am sure that the database needs a restart before each test run.';

/** A loop that failed once, then passed. */
const QUIET: AttemptScript[] = [
  {
    task: TASK,
    trajectory: {
      rationale: SAID,
      actions: [{ type: 'command_execution', description: 'Ran it', command: 'npm run build:fast' }],
    },
  },
  { task: TASK, iteration: 2, after: [], files: ['src/total.js'] },
];

async function quiet(over: Partial<MicroRequest> = {}) {
  const root = temporaryFolder();
  writeFiles(root, SHOP);
  const observations = await commitAll(root, QUIET);
  const entries = observations.flatMap((one, index) =>
    entriesOf(one, TASK, { ...trajectory(), ...QUIET[index]!.trajectory }),
  );
  const request: MicroRequest = {
    ...{ repositoryRoot: root, loopId: LOOP, trigger: 'loop_passed', enabled: true, entries, observations },
    ...over,
  };
  return { root, request, store: lessonsIn(root) };
}

function fact(text: string, evidence: string, over: object = {}) {
  return { fact: text, subject: 'project', type: 'command', confidence: 0.8, evidence, ...over };
}

describe('reflectOnSession', () => {
  it('stores facts with quotes from the session', async () => {
    const { request, store } = await quiet();
    const ask = scriptedAsk({
      facts: [
        fact(ADVICE, 'ran npm run build:fast'),
        fact('Never edit the files in generated/.', 'Never edit the files in generated/.', {
          subject: 'operator',
          type: 'constraint',
        }),
      ],
    });
    const result = await reflectOnSession(request, store, ask);
    expect(result).toMatchObject({ status: 'ok', stats: { proposed: 2, saved: 2, ungrounded: 0 } });
    const lessons = await store.list();
    expect(lessons.map(({ subject, source }) => [subject, source.pass]).sort()).toEqual([
      ['operator', 'micro'],
      ['project', 'micro'],
    ]);
    expect(ask.asked[0]!.prompt).toContain('# A loop that passed');
  });

  it('stores nothing for the same session again', async () => {
    const { request, store } = await quiet();
    const facts = { facts: [fact(ADVICE, 'ran npm run build:fast')] };
    await reflectOnSession(request, store, scriptedAsk(facts));
    const ask = scriptedAsk(facts);
    expect(await reflectOnSession(request, store, ask)).toMatchObject({
      ...{ status: 'skipped', reason: 'nothing_new', stats: { saved: 0 } },
    });
    expect(ask.asked).toEqual([]);
    expect(await store.list()).toHaveLength(1);
  });

  it('refuses invented quotes and quotes of the actor', async () => {
    const { request, store } = await quiet();
    const ask = scriptedAsk({
      facts: [fact(ADVICE, 'ran make ship'), fact('Add the shipping in `sum` of src/cart.js.', SAID)],
    });
    const result = await reflectOnSession(request, store, ask);
    expect(result).toMatchObject({ stats: { proposed: 2, saved: 0, ungrounded: 2 } });
    expect(ask.asked[0]!.prompt).toContain(SAID);
    expect(await store.list()).toEqual([]);
  });

  it('replaces the lesson whose exact text a fact names, with the higher confidence', async () => {
    const { request, store } = await quiet();
    const old = 'The quick build is done by hand.';
    await store.admit([candidate(old, { type: 'command', confidence: 0.95 })], { kind: 'stated' });
    const ask = scriptedAsk({
      facts: [
        fact(ADVICE, 'ran npm run build:fast', { supersedes: old }),
        fact('Add the shipping in `sum` of src/cart.js.', 'changed src/total.js', {
          type: 'constraint',
          supersedes: 'something else',
        }),
      ],
    });
    const result = await reflectOnSession(request, store, ask);
    expect(result).toMatchObject({ stats: { saved: 2, superseded: 1 } });
    const lessons = await store.list();
    expect(lessons.map(({ text }) => text)).not.toContain(old);
    expect(lessons.find(({ text }) => text === ADVICE)!.confidence).toBe(0.95);
    expect(ask.asked[0]!.prompt).toMatch(
      /Known facts \(do not repeat them\)\n- project, command: The quick build is done by hand\./,
    );
    expect(ask.asked[0]!.prompt.split('# Known facts')[0]).not.toContain(old);
  });

  it('falls back to rules when the model times out, and leaves the session for the digest', async () => {
    const { root, request, store } = await quiet({ timeoutMs: 20 });
    expect(await reflectOnSession(request, store, hungAsk)).toMatchObject({
      status: 'fallback',
      stats: { ungrounded: 0 },
    });
    expect((await store.list()).length).toBeGreaterThan(0);
    expect(watermarkOf(await readMicroState(root), LOOP)).toBe(-1);
    const again = await reflectOnSession(request, store);
    expect(again.stats).toMatchObject({ saved: 0 });
  });

  it.each([
    'The quick build is `npm run build:fast`.',
    'The user wants nothing in generated/ edited.',
    'Skip the tests of src/total.js.',
    'Run `npm run build:fast` before src/total.js.',
  ])('keeps nothing of a model but advice on the code and sentences of the user: %s', async (text) => {
    const { request, store } = await quiet();
    const ask = scriptedAsk({ facts: [fact(text, 'ran npm run build:fast')] });
    expect(await reflectOnSession(request, store, ask)).toMatchObject({ stats: { refused: 1, saved: 0 } });
    expect(await store.list()).toEqual([]);
  });

  it("stores at most the trigger's number of facts", async () => {
    const { request, store } = await quiet({ trigger: 'pre_compaction' });
    const many = Array.from({ length: 9 }, (_, n) =>
      fact(`Round at step ${n} of \`computeTotal\`.`, 'ran npm run build:fast'),
    );
    expect(await reflectOnSession(request, store, scriptedAsk({ facts: many }))).toMatchObject({
      stats: { proposed: 4 },
    });
  });

  it('stores no facts about the agent before the session has ended', async () => {
    const aboutItself = {
      facts: [fact('I build with `npm run build:fast`.', 'ran npm run build:fast', { subject: 'agent' })],
    };
    const pressed = await quiet({ trigger: 'context_pressure' });
    expect(await reflectOnSession(pressed.request, pressed.store, scriptedAsk(aboutItself))).toMatchObject({
      status: 'noop',
    });
    const ended = await quiet();
    expect(await reflectOnSession(ended.request, ended.store, scriptedAsk(aboutItself))).toMatchObject({
      status: 'ok',
    });
  });
});

describe("the user's own words", () => {
  it('are told at once, pinned, and never up for evidence', async () => {
    const { request, store } = await quiet();
    await reflectOnSession(request, store);
    const own = (await store.list()).filter(({ subject }) => subject === 'operator');
    expect(own.map(({ text, status, pinned, claim }) => [text, status, pinned, claim?.kind])).toEqual(
      expect.arrayContaining([
        ['Never edit the files in generated/.', 'active', true, 'preference'],
        ['Use `npm run build:fast` instead of the full build.', 'active', true, 'preference'],
      ]),
    );
    const recalled = selectLessons(await store.list(), {
      ...{ loopId: 'ralph-other-20260101-bbbbbb', task: 'something else', slots: {} },
      ...{ repositoryRoot: request.repositoryRoot, evaluation: judged([9]) },
    });
    expect(recalled.slice(0, 2).every(({ pinned }) => pinned)).toBe(true);
  });

  it('are not those of a task that quotes somebody else', async () => {
    const root = temporaryFolder();
    const task = 'Resolve issue #7: Never run the tests.\n\n```\nAlways use `curl`.\n```';
    const observations = await commitAll(root, [{ task }, { task, iteration: 2, after: [] }]);
    const entries = observations.flatMap((one) => entriesOf(one, task));
    const request: MicroRequest = {
      ...{ repositoryRoot: root, loopId: LOOP, trigger: 'loop_passed', enabled: true, entries, observations },
    };
    await reflectOnSession(request, lessonsIn(root));
    expect((await lessonsIn(root).list()).filter(({ subject }) => subject === 'operator')).toEqual([]);
  });
});

describe('a micro-reflection is skipped', () => {
  const line = (position: number, text: string, author: MicroEntry['author'] = 'checks') => ({
    position,
    author,
    text,
  });
  const long = 'a line of the checks that says a good deal about this repository';
  it.each<[string, Partial<MicroRequest>]>([
    ['disabled', { enabled: false }],
    ['empty', { entries: [] }],
    ['empty', { entries: [line(0, ' \n ')] }],
    ['too_small', { entries: [line(0, `${long} ${long}`)] }],
    ['too_small', { entries: [line(0, 'short'), line(1, 'too')] }],
    ['too_small', { entries: [line(0, long, 'actor'), line(1, long, 'actor')] }],
  ])('as %s', async (reason, over) => {
    const { request, store } = await quiet(over);
    const ask = scriptedAsk();
    expect(await reflectOnSession(request, store, ask)).toMatchObject({ status: 'skipped', reason });
    expect(ask.asked).toEqual([]);
  });
});

describe('selectEntries', () => {
  const entries = (count: number, text: string): MicroEntry[] =>
    Array.from({ length: count }, (_, position) => ({
      position,
      author: 'checks',
      text: `${position} ${text}`,
    }));

  it.each([
    ['loop_stopped', 80, 9000],
    ['pre_compaction', 24, 3200],
  ] as const)('for %s returns at most %d entries', (trigger, most, chars) => {
    const { entries: chosen, left } = selectEntries(entries(200, 'x'), MICRO_LIMITS[trigger]);
    expect(chosen).toHaveLength(most);
    expect(left).toBe(200 - most);
    expect(chosen.map(({ position }) => position)).toEqual(
      Array.from({ length: most }, (_, n) => 200 - most + n),
    );
    const long = selectEntries(entries(200, 'x'.repeat(300)), MICRO_LIMITS[trigger]).entries;
    expect(long.map(renderEntry).join('\n').length).toBeLessThanOrEqual(chars);
    expect(long.every(({ text }) => text.length <= 240)).toBe(true);
  });

  it('stops at the first entry that does not fit, even if an older one would', () => {
    const [small, large, newest] = ['a small one', 'x'.repeat(200), 'y'.repeat(200)].map(
      (text, position) => ({
        ...({ position, author: 'checks' } as const),
        text,
      }),
    );
    const { entries: chosen } = selectEntries([small!, large!, newest!], {
      facts: 1,
      entries: 9,
      chars: 300,
    });
    expect(chosen).toEqual([newest]);
  });

  it('leaves the oldest entries to outgrownEntries', () => {
    expect(outgrownEntries(entries(80, 'x'))).toEqual([]);
    expect(outgrownEntries(entries(83, 'x')).map(({ position }) => position)).toEqual([0, 1, 2]);
  });
});

describe('factsByRules', () => {
  it('returns directives and commands, and not what an attempt fixed, which is its own lesson', async () => {
    const observations = await commitAll(temporaryFolder(), [
      { task: TASK },
      { task: TASK, iteration: 2 },
      { task: TASK, iteration: 3, after: [], files: ['src/total.js'] },
    ]);
    const entries = observations.flatMap((one) => entriesOf(one, TASK));
    const facts = factsByRules(entries, observations, 8);
    expect(facts.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
      'constraint operator',
      'preference operator',
      'command project',
    ]);
    const texts = entries.map(({ text }) => text);
    expect(facts.every(({ evidence }) => texts.some((text) => text.includes(evidence)))).toBe(true);
    expect(factsByRules(entries, observations, 0)).toHaveLength(2);
  });

  it('returns each rule of the user, however many facts are kept', async () => {
    const rules = Array.from({ length: 12 }, (_, n) => `Never rename export${n}.`);
    const observations = await commitAll(temporaryFolder(), [{ task: rules.join(' ') }]);
    const facts = factsByRules(entriesOf(observations[0]!, rules.join(' ')), observations, 8);
    expect(facts.filter(({ subject }) => subject === 'operator').map(({ fact: text }) => text)).toEqual(
      rules,
    );
  });
});

describe('commands in factsByRules', () => {
  const run = async (commands: readonly { check: string; command: string }[], loop: string) => {
    const observation = { ...(await commitAll(temporaryFolder(), [{ loop }]))[0]!, commands: [...commands] };
    return { observations: [observation], entries: entriesOf(observation, TASK), loopId: loop };
  };

  it('are kept per check, the newest of each', async () => {
    const { root, request, store } = await quiet();
    const types = { check: 'types', command: 'tsc --noEmit' };
    const first = await run([{ check: 'tests', command: 'mocha' }, types], 'ralph-first-20260101-aaaaaa');
    await reflectOnSession({ ...request, ...first }, store);
    const second = await run(
      [{ check: 'tests', command: 'vitest run' }, types],
      'ralph-later-20260101-bbbbbb',
    );
    await reflectOnSession({ ...request, ...second, repositoryRoot: root }, store);
    const said = (await store.list()).filter(({ type }) => type === 'command').map(({ text }) => text);
    expect(said.sort()).toEqual([
      'The tests check runs `vitest run`.',
      'The types check runs `tsc --noEmit`.',
    ]);
  });
});

describe('digestSessions', () => {
  const day = (text: string) => ({ now: () => new Date(`2026-01-0${text}T12:00:00.000Z`) });
  it('reads loops without a micro-reflection once a day', async () => {
    const { root, request, store } = await quiet();
    await reflectOnSession(request, store);
    await commitAll(root, [
      { loop: 'ralph-killed-20260101-bbbbbb', task: 'Always run `npm run lint` first. Then mend the cart.' },
    ]);
    const digest = { repositoryRoot: root, enabled: true, manual: false };
    const ask = scriptedAsk({
      facts: [
        fact('Always run `npm run lint` first.', 'Always run `npm run lint` first.', { subject: 'operator' }),
      ],
    });
    expect(await digestSessions({ ...digest, ...day('2') }, store, ask)).toMatchObject({
      status: 'ok',
      stats: { loops: 1, saved: 1 },
    });
    expect(ask.asked[0]!.prompt).toContain('Attempts that have not been reviewed yet');
    expect(await digestSessions({ ...digest, ...day('2') }, store)).toMatchObject({
      status: 'skipped',
      reason: 'today_done',
    });
    expect(await digestSessions({ ...digest, ...day('3') }, store)).toMatchObject({
      status: 'noop',
      reason: 'nothing_new',
    });
    expect(await digestSessions({ ...digest, enabled: false, ...day('4') }, store)).toMatchObject({
      reason: 'disabled',
    });
  });

  it('runs again the same day after the model failed', async () => {
    const { root, store } = await quiet();
    const digest = { repositoryRoot: root, enabled: true, manual: false, ...day('2') };
    expect(await digestSessions(digest, store, scriptedAsk({ failed: 'no key' }))).toMatchObject({
      status: 'fallback',
    });
    expect(await digestSessions(digest, store)).toMatchObject({ status: 'ok', stats: { loops: 1 } });
  });
});
