import { describe, expect, it } from 'vitest';
import { drawTrial, seededNumbers } from '../../../src/memory/experiment/draw.ts';
import { judgeWithheld } from '../../../src/memory/experiment/judge.ts';
import type { LessonCandidate, LessonStore } from '../../../src/memory/lessons/contract.ts';
import { createLessonStore } from '../../../src/memory/lessons/store.ts';
import type { MemoryTrial } from '../../../src/schema/generated.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { candidate, SEEN } from '../lessons/sample.ts';
import { trial, trials } from './sample.ts';

const REST_AFTER = 12;

async function stored(
  over: Partial<LessonCandidate> = {},
  text = 'Begin sums with zero in src/file.ts',
): Promise<{ lessons: LessonStore; id: string }> {
  const lessons = createLessonStore({ repositoryRoot: temporaryFolder() });
  const proposed = candidate(text, over);
  const [admission] = await lessons.admit([proposed], { kind: 'texts', texts: [SEEN] });
  return { lessons, id: admission!.lesson!.id };
}

/** `told` loops that were told the lesson, and others that were not. */
function history(
  id: string,
  { without, passes }: { without: number; passes: boolean },
  told = 60,
): MemoryTrial[] {
  const result = { passed: passes, attempts: passes ? 1 : null };
  return [
    ...trials(told, () => ({ lessons: [id] })),
    ...Array.from({ length: without }, (_, index) =>
      trial(`ralph-without-${index}`, { lessons: [id], withheld: id, ...result }),
    ),
  ];
}

function judge(lessons: LessonStore, all: readonly MemoryTrial[], restAfter = REST_AFTER): Promise<void> {
  const loopId = all.at(-1)!.loop_id;
  return judgeWithheld(lessons, { loopId, iteration: 0, trials: all, restAfter });
}

describe('judgeWithheld', () => {
  it('archives a lesson that did not help, with the figures, and no pass brings it back', async () => {
    const { lessons, id } = await stored();
    await judge(lessons, history(id, { without: REST_AFTER, passes: true }));
    expect(await lessons.list(['archived'])).toMatchObject([
      {
        id,
        status_reason:
          'Put to rest: 60 of 60 loops passed with it and 12 of 12 without, and no figure is measurably better with it.',
      },
    ]);
    const again = candidate('Begin sums with zero in src/file.ts');
    expect(await lessons.admit([again], { kind: 'texts', texts: [SEEN] })).toMatchObject([
      { outcome: 'refused', step: 'duplicate' },
    ]);
    expect(await lessons.admit([again], { kind: 'stated' })).toMatchObject([{ outcome: 'active' }]);
  });

  it('confirms advice that helped', async () => {
    const { lessons, id } = await stored({ claim: { kind: 'advice' } });
    await judge(lessons, history(id, { without: REST_AFTER, passes: false }));
    expect(await lessons.list()).toMatchObject([{ id, status: 'active', support: 1 }]);
  });

  it.each([
    ['it was withheld too seldom', { without: REST_AFTER - 1, passes: true }, REST_AFTER],
    ['the setting is 0', { without: REST_AFTER, passes: true }, 0],
  ])('changes nothing where %s', async (_, how, restAfter) => {
    const { lessons, id } = await stored();
    await judge(lessons, history(id, how), restAfter);
    expect(await lessons.list()).toMatchObject([{ id, status: 'staged', support: 0 }]);
  });

  it('changes nothing where too few loops were told', async () => {
    const { lessons, id } = await stored();
    await judge(lessons, history(id, { without: REST_AFTER, passes: true }, REST_AFTER - 1));
    expect(await lessons.list()).toMatchObject([{ id, status: 'staged' }]);
  });

  it('never archives a pinned lesson', async () => {
    const { lessons, id } = await stored();
    await lessons.pin(id, true);
    await judge(lessons, history(id, { without: REST_AFTER, passes: true }));
    expect(await lessons.list()).toMatchObject([{ id, pinned: true }]);
  });

  it('keeps a useful lesson and archives a useless one in simulated loops', async () => {
    const useful = await stored();
    const all: MemoryTrial[] = [];
    const chance = seededNumbers('chance');
    let useless = 0;
    for (let index = 0; index < 400; index++) {
      const random = seededNumbers(`draw ${index}`);
      const drawn = drawTrial({ oneIn: 8, lessons: [useful.id, 'useless'], earlier: 8 + index, random });
      const isTold = drawn.arm === 'told' && drawn.withheld !== useful.id;
      const passed = chance() < (isTold ? 0.9 : 0.3);
      all.push(trial(`ralph-${index}`, { ...drawn, passed, attempts: passed ? 1 : null }));
      await judge(useful.lessons, all);
      useless += Number(drawn.withheld === 'useless');
    }
    expect(await useful.lessons.list()).toMatchObject([{ id: useful.id, status: 'active' }]);
    const other = await stored({}, 'Totals end with a line in src/file.ts');
    const renamed = all.map(({ lessons, withheld, ...rest }) => ({
      ...rest,
      lessons: lessons.map((id) => (id === 'useless' ? other.id : id)),
      withheld: withheld === 'useless' ? other.id : withheld,
    }));
    expect(useless).toBeGreaterThan(REST_AFTER);
    for (const end of renamed.keys()) await judge(other.lessons, renamed.slice(0, end + 1));
    expect(await other.lessons.list(['archived'])).toMatchObject([{ id: other.id }]);
  });
});
