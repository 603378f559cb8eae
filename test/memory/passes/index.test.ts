import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runLoop } from '../../../src/loop/run.ts';
import type { LessonStore } from '../../../src/memory/lessons/contract.ts';
import { createLessonStore } from '../../../src/memory/lessons/store.ts';
import { createExperience } from '../../../src/memory/passes/index.ts';
import type { LoopPasses } from '../../../src/memory/passes/loop-passes.ts';
import type { Experience } from '../../../src/ports.ts';
import type { LessonClaim } from '../../../src/schema/generated.ts';
import { validate } from '../../../src/schema/validate.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';
import {
  evaluation,
  LOOP_ID,
  loopOptions,
  scriptedLoop,
  selfReflection,
  type Script,
  type ScriptedLoop,
} from '../../support/scripted.ts';
import { candidate, SEEN } from '../lessons/sample.ts';

/** `base` passes 1 of 4; `tN` passes N of 4. */
const judge: Script['judge'] = (tree) => {
  const seen = evaluation(tree === 'base' ? 1 : Number(tree.slice(1)), 4);
  return { ...seen, diagnostics: seen.diagnostics.map((error) => ({ ...error, file: 'src/file.ts' })) };
};

interface Setting {
  readonly root: string;
  readonly lessons: LessonStore;
  readonly experience: Experience;
  readonly warnings: string[];
}

function setting(passes: Partial<LoopPasses> = {}, lessons?: LessonStore): Setting {
  const root = temporaryFolder();
  writeFiles(root, { 'src/file.ts': '' });
  const store = lessons ?? createLessonStore({ repositoryRoot: root });
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  return {
    root,
    lessons: store,
    warnings,
    experience: createExperience({ repositoryRoot: root, lessons: store, passes, warn }),
  };
}

/** A loop with long-term memory whose reflections have one lesson about its file. */
function remembering(script: Script, experience: Experience | undefined, from?: ScriptedLoop): ScriptedLoop {
  const loop = scriptedLoop(script, from);
  const reflect = (iteration: number) => ({
    ...selfReflection(iteration),
    lessons_learned: ['Avoid NaN at the start of the sum in src/file.ts'],
  });
  Object.assign(loop.ports, {
    experience,
    reflector: {
      reflect: ({ iteration }: { iteration: number }) =>
        Promise.resolve({ reflection: reflect(iteration), reflector: { name: 'scripted', fallback: false } }),
    },
  });
  return loop;
}

const known = candidate('Sums begin with zero in src/file.ts', { files: ['src/file.ts'] });
/** True of every scripted evaluation. */
const runsVitest = { kind: 'command_fact', check: 'tests', command: 'vitest run' } as const;

async function knowing(lessons: LessonStore, claim?: LessonClaim): Promise<string> {
  const [admission] = await lessons.admit([{ ...known, claim }], { kind: 'texts', texts: [SEEN] });
  return admission!.lesson!.id;
}

describe('createExperience', () => {
  it('recalls relevant lessons and stores new ones; a failure that goes away supports no advice', async () => {
    const { lessons, experience, warnings } = setting();
    const id = await knowing(lessons);
    const loop = remembering({ edits: ['t1', 't4'], judge }, experience);
    const verdict = await runLoop(loop.ports, loopOptions());
    expect(verdict).toMatchObject({ status: 'passed', iterations: 2 });
    expect(loop.contexts.map(({ memory }) => memory?.lessons.map((told) => told.id))).toEqual([[id], [id]]);
    const all = await lessons.list();
    expect(all.find((lesson) => lesson.id === id)).toMatchObject({
      status: 'staged',
      support: 0,
      contradiction: 0,
    });
    expect(all).toContainEqual(
      expect.objectContaining({
        text: 'Avoid NaN at the start of the sum in src/file.ts',
        status: 'staged',
        source: { pass: 'reflection', loop_id: LOOP_ID, iteration: 0 },
      }),
    );
    expect(loop.reflections).toMatchObject([{ previous_lessons_used: [id] }]);
    expect(validate('reflection', loop.reflections[0])).toMatchObject({ ok: true });
    const head = JSON.parse(loop.attached.get('attempts/002/trajectory.jsonl')!.split('\n')[0]!) as object;
    expect(head).toMatchObject({ memory: { lessons: [id], insights: 0, playbook: false } });
    expect(warnings).toEqual([]);
  });

  it('recalls nothing from an empty memory', async () => {
    const { experience } = setting();
    const loop = remembering({ edits: ['t4'], judge }, experience);
    await runLoop(loop.ports, loopOptions());
    expect(loop.contexts[0]!.memory).toBeUndefined();
    expect(loop.attached.get('attempts/001/trajectory.jsonl')).not.toContain('memory');
  });

  it('counts what attempts confirm, and archives at once what one refutes', async () => {
    const { lessons, experience } = setting();
    const id = await knowing(lessons, runsVitest);
    const [wrong] = await lessons.admit(
      [{ ...known, text: 'The tests run by mocha', claim: { ...runsVitest, command: 'mocha' } }],
      { kind: 'texts', texts: [SEEN] },
    );
    const loop = remembering({ edits: ['t1', 't2'], judge }, experience);
    await runLoop(loop.ports, loopOptions({ maxIterations: 2 }));
    const all = await lessons.list(['staged', 'active', 'archived']);
    const of = (one: string) => all.find((lesson) => lesson.id === one);
    expect(of(id)).toMatchObject({ status: 'active', support: 2, contradiction: 0 });
    expect(of(wrong!.lesson!.id)).toMatchObject({ status: 'archived', contradiction: 1 });
  });

  it('counts nothing twice when the loop is resumed', async () => {
    const { lessons, experience } = setting();
    const id = await knowing(lessons, runsVitest);
    const first = remembering({ edits: ['t3', 't3'], judge }, experience);
    await runLoop(first.ports, loopOptions({ maxIterations: 2 }));
    const before = JSON.stringify(await lessons.list());
    expect(before).toContain('"support":2');
    const resume = async (): Promise<void> => {
      const again = remembering({ edits: [], judge }, experience, first);
      await runLoop(again.ports, loopOptions({ maxIterations: 2, resumed: true }));
      expect(again.contexts).toEqual([]);
    };
    await resume();
    expect(JSON.stringify(await lessons.list())).toBe(before);
    // As if killed between the writes of the store and of the journal: the step runs again without effect.
    for (const step of ['1:learn', '2:learn']) expect(first.journal.delete(step)).toBe(true);
    await resume();
    expect(JSON.stringify(await lessons.list())).toBe(before);
    expect((await lessons.history(id)).filter(({ action }) => action === 'support')).toHaveLength(2);
  });

  it('warns about failures of memory without affecting the verdict', async () => {
    const { experience, warnings, root } = setting();
    mkdirSync(join(root, '.aiwg/ralph/memory/lessons.jsonl'), { recursive: true });
    const loop = remembering({ edits: ['t1', 't4'], judge }, experience);
    const verdict = await runLoop(loop.ports, loopOptions());
    expect(verdict).toMatchObject({ status: 'passed', verified: true, iterations: 2 });
    expect(warnings).toContainEqual(expect.stringMatching(/^Memory could not be read: /));
    expect(warnings).toContainEqual(expect.stringMatching(/^Memory could not store its lessons: /));
  });

  it('is optional: without it, no step of memory is journaled', async () => {
    const loop = remembering({ edits: ['t1', 't4'], judge }, undefined);
    await runLoop(loop.ports, loopOptions());
    expect([...loop.journal.keys()].filter((step) => step.includes('learn'))).toEqual([]);
    expect(loop.contexts.every(({ memory }) => memory === undefined)).toBe(true);
  });
});

describe('the passes of an experience', () => {
  const attempt = async (passes: Partial<LoopPasses>): Promise<Setting & { loop: ScriptedLoop }> => {
    const made = setting(passes);
    const loop = remembering({ edits: ['t1', 't4'], judge }, made.experience);
    await runLoop(loop.ports, loopOptions());
    return { ...made, loop };
  };

  it('provide playbook and insights, validate drafts, and receive every attempt', async () => {
    const heard: number[] = [];
    const { lessons, loop } = await attempt({
      slots: () => Promise.resolve({ playbook: 'Be brief.', insights: ['Sums are fragile'] }),
      validate: (drafts) =>
        Promise.resolve(drafts.map((draft) => ({ ...draft, text: `${draft.text} again` }))),
      afterAttempt: ({ iteration }) => Promise.resolve(void heard.push(iteration)),
    });
    expect(loop.contexts[0]!.memory).toEqual({
      playbook: 'Be brief.',
      insights: ['Sums are fragile'],
      lessons: [],
    });
    expect(await lessons.list()).toMatchObject([
      { text: 'Avoid NaN at the start of the sum in src/file.ts again' },
    ]);
    expect(heard).toEqual([1, 2]);
  });

  it('receive an attempt before its drafts are validated', async () => {
    const order: string[] = [];
    await attempt({
      validate: (drafts) => {
        order.push('validate');
        return Promise.resolve(drafts);
      },
      afterAttempt: ({ iteration }) => Promise.resolve(void order.push(`attempt ${iteration}`)),
    });
    expect(order.slice(0, 2)).toEqual(['attempt 1', 'validate']);
  });

  it('become warnings when they fail, and the drafts are kept', async () => {
    const fails = () => Promise.reject(new Error('out of order'));
    const { lessons, warnings, experience } = await attempt({
      slots: fails,
      validate: fails,
      afterAttempt: fails,
      atLoopEnd: fails,
    });
    const end = {
      loopId: LOOP_ID,
      task: '',
      status: 'passed',
      attempts: 2,
      signal: new AbortController().signal,
    } as const;
    await experience.conclude(end);
    expect(await lessons.list()).toMatchObject([
      { text: 'Avoid NaN at the start of the sum in src/file.ts' },
    ]);
    expect(new Set(warnings)).toEqual(
      new Set([
        'Memory could not be read: out of order',
        'Memory could not check its lessons: out of order',
        'Memory could not store the attempt: out of order',
        'Memory could not be brought up to date: out of order',
      ]),
    );
  });

  it('are not used for an actor that reads one type of lesson only', async () => {
    const root = temporaryFolder();
    writeFiles(root, { 'src/file.ts': '' });
    const lessons = createLessonStore({ repositoryRoot: root });
    await knowing(lessons);
    const passes = { slots: () => Promise.resolve({ insights: ['Sums are fragile'] }) };
    const options = { repositoryRoot: root, lessons, passes, warn: () => {} };
    const situation = { loopId: LOOP_ID, task: '', evaluation: judge('t1', false) };
    expect(await createExperience(options).recall(situation)).toMatchObject({
      lessons: [{ text: known.text }],
    });
    expect(
      await createExperience({ ...options, onlyTypes: ['fix_pattern'] }).recall(situation),
    ).toBeUndefined();
    expect(readdirSync(join(root, '.aiwg/ralph/memory')).sort()).toEqual(['audit.jsonl', 'lessons.jsonl']);
  });
});
