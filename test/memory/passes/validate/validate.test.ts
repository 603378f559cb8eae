import { describe, expect, it } from 'vitest';
import type { LessonCandidate } from '../../../../src/memory/lessons/contract.ts';
import { relatedLessons } from '../../../../src/memory/passes/validate/related.ts';
import { validateByRules } from '../../../../src/memory/passes/validate/rules.ts';
import { validateLessons } from '../../../../src/memory/passes/validate/pass.ts';
import { candidate, hungAsk, lessonsIn, scriptedAsk, SHOP } from '../../../support/memory.ts';
import { temporaryFolder, writeFiles } from '../../../support/repositories.ts';

/** The record: the user's statement and the commands that ran. */
const RECORD = [
  "I moved the tests to the new runner the platform team asked for. It's `vitest run --pool=threads`, twice a day. Oh, and I'm no longer on the old mocha script.",
  'ran vitest run --pool=threads',
  'tests: 12 of 12 passed',
  'changed src/total.js and src/cart.js: computeTotal, sum',
];
const NEW_RUNNER = candidate('Uses a new runner, twice a day.', {
  type: 'command',
  evidence: [{ quote: 'ran vitest run --pool=threads' }],
});
const NO_SCRIPT = candidate('No longer on the old script.', {
  type: 'command',
  evidence: [{ quote: 'no longer on the old mocha script' }],
});
const OLD = 'The tests run with `mocha --require ts-node/register`.';

async function setUp(drafts: readonly LessonCandidate[] = [NEW_RUNNER, NO_SCRIPT]) {
  const root = temporaryFolder();
  writeFiles(root, SHOP);
  const store = lessonsIn(root);
  const [stored] = await store.admit([candidate(OLD, { type: 'command' })], { kind: 'stated' });
  const request = { repositoryRoot: root, drafts, record: RECORD };
  return { root, store, request, oldId: stored!.lesson!.id };
}

describe('validateLessons with a conflict', () => {
  it('enriches the draft and lets it replace the stored lesson', async () => {
    const { store, request, oldId } = await setUp();
    const better = 'Round up in `computeTotal` of src/total.js.';
    const other = 'Add the shipping in `sum` of src/cart.js.';
    const ask = scriptedAsk({
      corrected: [
        { draft: 0, action: 'enrich', text: better, reason: 'Which runner, and who asked for it.' },
        {
          draft: 1,
          action: 'enrich',
          text: other,
          reason: 'Which script.',
        },
      ],
      missed: [],
      conflicts: [{ draft: 1, existing: oldId, resolution: 'keep_new' }],
    });
    const { candidates, result } = await validateLessons(request, store, ask);
    expect(result).toMatchObject({
      status: 'ok',
      stats: {
        drafts: 2,
        modified: 2,
        removed: 0,
        missedAdded: 0,
        conflictsFound: 1,
        resolved: { keep_new: 1 },
        tokens: 110,
      },
    });
    expect(candidates.map(({ text }) => text)).toEqual([better, other]);
    expect(ask.asked[0]!.prompt).toContain(`- ${oldId} (command, project): ${OLD}`);
    await store.admit(candidates, { kind: 'texts', texts: RECORD });
    const standing = (await store.list()).map(({ text }) => text);
    expect(standing).toContain(better);
    expect(standing).not.toContain(OLD);
    expect((await store.list(['superseded'])).map(({ text }) => text)).toEqual([OLD]);
  });

  it('decides by rules without a model', async () => {
    const drafts = [candidate('The tests run with `vitest run --pool=threads`.', { type: 'command' })];
    const { store, request } = await setUp(drafts);
    const { candidates, result } = await validateLessons(request, store);
    expect(result).toMatchObject({ status: 'ok', stats: { conflictsFound: 1, resolved: { keep_new: 1 } } });
    expect(candidates[0]!.supersedes).toMatch(/^lesson-/);
  });
});

describe('a draft that the validator does not mention is kept', () => {
  it.each([
    ['nothing at all', {}],
    ['empty lists', { corrected: [], missed: [], conflicts: [] }],
    ['one of two', { corrected: [{ draft: 0, action: 'keep' }] }],
    [
      'drafts and lessons that do not exist',
      {
        corrected: [{ draft: 9, action: 'remove' }],
        conflicts: [{ draft: 0, existing: 'lesson-000000000000', resolution: 'keep_existing' }],
      },
    ],
  ])('for the answer %s', async (_, answer) => {
    const { store, request } = await setUp();
    const { candidates, result } = await validateLessons(request, store, scriptedAsk(answer));
    expect(candidates).toEqual([NEW_RUNNER, NO_SCRIPT]);
    expect(result).toMatchObject({ status: 'noop', stats: { removed: 0, modified: 0 } });
  });
});

describe('a failing validator', () => {
  it.each([
    ['with bad JSON', scriptedAsk('no', 'neither')],
    [
      'with an action that there is not',
      scriptedAsk({ corrected: [{ draft: 0, action: 'burn' }] }, { corrected: 1 }),
    ],
    ['by itself', scriptedAsk({ failed: 'The key is wrong.' })],
    ['by throwing', () => Promise.reject(new Error('socket hang up'))],
    ['by never answering', hungAsk],
  ])('%s changes no draft', async (_, ask) => {
    const { store, request } = await setUp();
    const { candidates, result } = await validateLessons({ ...request, timeoutMs: 50 }, store, ask);
    expect(candidates).toEqual([NEW_RUNNER, NO_SCRIPT]);
    expect(result).toMatchObject({
      status: 'fallback',
      stats: { drafts: 2, modified: 0, removed: 0, conflictsFound: 0 },
    });
  });
});

describe('an answer of the validator', () => {
  it('removes drafts and adds missed lessons', async () => {
    const { store, request } = await setUp();
    const missed = {
      text: 'Round up in `computeTotal` of src/total.js.',
      type: 'environment',
      subject: 'project',
      quote: 'tests: 12 of 12 passed',
    };
    const ask = scriptedAsk({
      corrected: [{ draft: 1, action: 'remove', reason: 'Says nothing.' }],
      missed: [
        missed,
        { ...missed, text: 'Add the shipping in `sum` of src/cart.js.', quote: 'the sky was green' },
        { ...missed, text: 'All 12 tests pass with threads.' },
      ],
    });
    const { candidates, result } = await validateLessons(request, store, ask);
    expect(result.stats).toMatchObject({ removed: 1, missedAdded: 1 });
    const admissions = await store.admit(candidates, { kind: 'texts', texts: RECORD });
    expect(admissions.map(({ step }) => step)).toEqual([undefined, undefined, 'ungrounded']);
    expect(admissions[1]!.lesson!.source.pass).toBe('validation');
  });

  it('does not replace a lesson that the user stated, and reports keep_existing', async () => {
    const { store, request } = await setUp();
    const stated = candidate('The tests run twice a day.', { source: { pass: 'user' } });
    const [admission] = await store.admit([stated], { kind: 'stated' });
    const { id } = admission!.lesson!;
    const ask = scriptedAsk({ conflicts: [{ draft: 0, existing: id, resolution: 'keep_new' }] });
    const { candidates, result } = await validateLessons(request, store, ask);
    expect(result.stats.resolved).toEqual({ keep_new: 0, keep_existing: 1, merge: 0 });
    expect(candidates).toEqual([NO_SCRIPT]);
  });

  it.each([
    ['a path', 'The runner is set up in config/vitest.workspace.ts.'],
    ['a command', 'Run it with `npx vitest bench`, twice a day.'],
    ['a symbol', 'The runner calls createWorkerPool twice a day.'],
    ['a statement', 'The tests run with `vitest run --pool=threads`.'],
    ['advice to skip a test, and nothing', 'Skip the tests of `computeTotal` in src/total.js.'],
  ])('that adds %s absent from the record is ignored', async (_, text) => {
    const { store, request } = await setUp();
    const { candidates, result } = await validateLessons(
      request,
      store,
      scriptedAsk({ corrected: [{ draft: 0, action: 'enrich', text }] }),
    );
    expect(candidates[0]).toEqual(NEW_RUNNER);
    expect(result.stats).toMatchObject({ modified: 0, voided: 1 });
  });

  it.each([
    ['keep_existing', {}, []],
    [
      'merge',
      {
        merged: 'Round up in `computeTotal` of src/total.js.',
      },
      ['merged'],
    ],
    ['merge', { merged: 'They run in config/elsewhere.ts.' }, ['draft']],
    ['merge', {}, ['draft']],
  ] as const)('that resolves a conflict by %s with %j leaves %j', async (resolution, more, left) => {
    const { store, request, oldId } = await setUp([NEW_RUNNER]);
    const ask = scriptedAsk({ conflicts: [{ draft: 0, existing: oldId, resolution, ...more }] });
    const { candidates, result } = await validateLessons(request, store, ask);
    expect(candidates.map(({ text }) => (text === NEW_RUNNER.text ? 'draft' : 'merged'))).toEqual(left);
    expect(candidates.every(({ supersedes }) => supersedes === oldId)).toBe(true);
    expect(result.stats.conflictsFound).toBe(1);
  });

  it("is requested with the repository's own prompt where it has one", async () => {
    const { root, store, request } = await setUp();
    writeFiles(root, { '.aiwg/ralph/prompts/validate-lessons-system.hbs': 'Commands must be exact.' });
    const ask = scriptedAsk({});
    await validateLessons(request, store, ask);
    expect(ask.asked[0]!.system).toBe('Commands must be exact.');
  });

  it('does not replace a pinned lesson', async () => {
    const { store, request, oldId } = await setUp([NEW_RUNNER]);
    await store.pin(oldId, true);
    const ask = scriptedAsk({ conflicts: [{ draft: 0, existing: oldId, resolution: 'keep_new' }] });
    const { candidates, result } = await validateLessons(request, store, ask);
    expect(candidates).toEqual([]);
    expect(result.stats.resolved).toEqual({ keep_new: 0, keep_existing: 1, merge: 0 });
  });
});

describe('relatedLessons', () => {
  it('returns pinned lessons and the twenty most related ones', async () => {
    const store = lessonsIn(temporaryFolder());
    const words =
      'apple brick cloud delta ember flint grape haste ivory jelly karma lemon mango noble ocean pearl quill raven sugar tiger umbra vivid';
    const texts = words.split(' ').map((word, n) => `${word} belongs to package number${n} of this tree`);
    const all = [...texts, 'The runner wants threads for the pool.'];
    await store.admit(
      all.map((text) => candidate(text)),
      { kind: 'stated' },
    );
    await store.pin((await store.list()).at(-1)!.id, true);
    const related = relatedLessons(await store.list(), [candidate('The runner uses a pool of threads.')]);
    expect(related).toHaveLength(21);
    expect(related[0]!.pinned).toBe(true);
    expect(related[1]!.text).toBe('The runner wants threads for the pool.');
  });
});

describe('validateByRules', () => {
  const draft = (text: string, over: Partial<LessonCandidate> = {}) => candidate(text, over);
  it('removes repeated and vague drafts, and adds the file to a draft without names', () => {
    const drafts = [
      draft('Totals are rounded late.', { files: ['src/total.js'] }),
      draft('totals are  rounded late.'),
      draft('Be careful.'),
      draft('Look at `src/cart.js` first.'),
    ];
    expect(validateByRules(drafts, [], ['changed src/total.js'])).toEqual({
      corrected: [
        { draft: 0, action: 'enrich', text: 'Totals are rounded late (in `src/total.js`).' },
        { draft: 1, action: 'remove', reason: 'It repeats draft 0.' },
        { draft: 2, action: 'remove', reason: 'It names no command, path or symbol.' },
      ],
      missed: [],
      conflicts: [],
    });
  });
});
