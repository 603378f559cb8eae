import { describe, expect, it } from 'vitest';
import { readTrials } from '../../../src/memory/experiment/trials.ts';
import { runLoop } from '../../../src/loop/run.ts';
import { createLessonStore } from '../../../src/memory/lessons/store.ts';
import type { LessonStore } from '../../../src/memory/lessons/contract.ts';
import { createExperience } from '../../../src/memory/passes/index.ts';
import type { LoopPasses } from '../../../src/memory/passes/loop-passes.ts';
import type { Experience } from '../../../src/ports.ts';
import type { Evaluation } from '../../../src/schema/generated.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';
import { evaluation, loopOptions, scriptedLoop, type ScriptedLoop } from '../../support/scripted.ts';
import { candidate, SEEN } from '../lessons/sample.ts';

const NOTED = { type: 'command', files: [] } as const;

interface Setting {
  readonly root: string;
  readonly lessons: LessonStore;
  readonly experience: Experience;
}

/** Memory with two lessons of its own, a pinned one and one of the user. */
async function setting({
  oneIn = 2,
  seed = 'a',
  passes = {},
}: { oneIn?: number; seed?: string; passes?: Partial<LoopPasses> } = {}): Promise<Setting> {
  const root = temporaryFolder();
  writeFiles(root, { 'src/file.ts': '' });
  const lessons = createLessonStore({ repositoryRoot: root });
  const about = { files: ['src/file.ts'] };
  const own = ['Sums begin with zero in src/file.ts', 'Totals end with a line in src/file.ts'];
  await lessons.admit(
    own.map((text) => candidate(text, about)),
    { kind: 'texts', texts: [SEEN] },
  );
  await lessons.admit(
    [
      candidate('Never change the tests.', { ...NOTED, claim: { kind: 'preference' } }),
      candidate('Run `npm test` for the tests', { ...NOTED, source: { pass: 'user' } }),
    ],
    { kind: 'stated' },
  );
  const experiment = { oneIn, seed, restAfter: 12 };
  const warn = (text: string): void => expect.fail(text);
  return {
    root,
    lessons,
    experience: createExperience({ repositoryRoot: root, lessons, passes, experiment, warn }),
  };
}

/** `base` passes 1 of 4; `tN` passes N of 4. */
function judge(tree: string): Evaluation {
  const seen = evaluation(tree === 'base' ? 1 : Number(tree.slice(1)), 4);
  return { ...seen, diagnostics: seen.diagnostics.map((error) => ({ ...error, file: 'src/file.ts' })) };
}

async function run(experience: Experience, number: number, from?: ScriptedLoop): Promise<ScriptedLoop> {
  const loop = scriptedLoop({ edits: ['t2', 't4'], judge }, from);
  const store = loop.ports.store;
  Object.assign(loop.ports, { experience, store: Object.assign(store, { loopId: `ralph-${number}` }) });
  await runLoop(loop.ports, loopOptions());
  return loop;
}

async function runMany(experience: Experience, count: number): Promise<ScriptedLoop[]> {
  const loops: ScriptedLoop[] = [];
  for (let number = 0; number < count; number++) loops.push(await run(experience, number));
  return loops;
}

const toldIn = ({ contexts }: ScriptedLoop): string[] =>
  (contexts[0]!.memory?.lessons ?? []).map(({ text }) => text);

describe('the experiment', () => {
  it('tells each loop all, all but one lesson, or only what is the user’s', async () => {
    const { experience, root } = await setting();
    const loops = await runMany(experience, 14);
    const trials = await readTrials(root);
    expect(trials.slice(0, 2).map(({ arm }) => arm)).toEqual(['waiting', 'waiting']);
    expect(new Set(trials.map(({ arm }) => arm))).toEqual(new Set(['waiting', 'told', 'untold']));
    expect(trials.some(({ withheld }) => withheld !== null)).toBe(true);
    for (const [index, { arm, withheld }] of trials.entries()) {
      const told = toldIn(loops[index]!);
      const note = loops[index]!.journal.get('withhold');
      expect(told).toEqual(
        expect.arrayContaining(['Never change the tests.', 'The user says: Run `npm test` for the tests']),
      );
      expect(told).toHaveLength(arm === 'untold' ? 2 : withheld === null ? 4 : 3);
      expect(note).toEqual(
        arm === 'untold' ? { all: true } : withheld === null ? undefined : { all: false, lesson: withheld },
      );
      const head = JSON.parse(
        loops[index]!.attached.get('attempts/002/trajectory.jsonl')!.split('\n')[0]!,
      ) as {
        memory: { withheld?: unknown };
      };
      expect(head.memory.withheld).toEqual(note);
    }
    expect(trials.every(({ passed, attempts }) => passed === true && attempts === 2)).toBe(true);
  }, 30_000);

  it('draws the same under the same seed, and otherwise under another', async () => {
    const drawn = async (seed: string): Promise<unknown[]> => {
      const { experience, root } = await setting({ seed });
      for (let number = 0; number < 12; number++)
        await experience.withhold({ loopId: `ralph-${number}`, task: '', evaluation: failing });
      return (await readTrials(root)).map(({ arm, withheld }) => [arm, withheld]);
    };
    const failing = judge('base');
    expect(await drawn('a')).toEqual(await drawn('a'));
    expect(await drawn('a')).not.toEqual(await drawn('b'));
  });

  it('draws once for a loop, whether the journal or only the trial was written', async () => {
    const { experience, root } = await setting();
    const loops = await runMany(experience, 8);
    const before = JSON.stringify(await readTrials(root));
    for (const [number, loop] of loops.entries()) {
      const drawn = loop.journal.get('withhold');
      loop.journal.delete('withhold');
      const again = await run(experience, number, loop);
      expect(again.journal.get('withhold')).toEqual(drawn);
    }
    expect(JSON.stringify(await readTrials(root))).toBe(before);
  });

  it('leaves playbook and insights out of a loop without memory, and asks for them without a withheld lesson', async () => {
    const asked: (string | undefined)[] = [];
    const slots = (without?: string) => {
      asked.push(without);
      return Promise.resolve({ playbook: 'Be brief.', insights: ['Sums are fragile'] });
    };
    const { experience } = await setting({ passes: { slots } });
    const evaluated = { loopId: 'ralph-x', task: '', evaluation: evaluation(1, 4) };
    const untold = await experience.recall({ ...evaluated, withheld: { all: true } });
    expect(untold).toMatchObject({ playbook: undefined, insights: [] });
    await experience.recall({ ...evaluated, withheld: { all: false, lesson: 'lesson-0' } });
    expect(asked).toEqual(['lesson-0']);
  });

  it.each([0, 1])('does not take place with withholdOneIn %i', async (oneIn) => {
    const { experience, root } = await setting({ oneIn });
    await runMany(experience, 3);
    expect(await readTrials(root)).toEqual([]);
  });
});
