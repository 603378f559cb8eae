import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AttemptContext } from '../../src/ports/attempt.ts';
import { attemptPrompt } from '../../src/prompts/attempt.ts';
import { renderPrompt } from '../../src/prompts/render.ts';
import type { Reflection } from '../../src/schema/generated.ts';
import { temporaryFolder } from '../support/repositories.ts';
import { evaluation, failure, selfReflection, trajectory } from '../support/scripted.ts';

const reflection = {
  loop_id: 'ralph-test',
  iteration: 1,
  evaluator_output: { reward_signal: 0.5 },
  self_reflection: {
    ...selfReflection(2),
    reflection_text: 'I changed <b> & c.',
    lessons_learned: ['b rounds down'],
  },
} as Reflection;

const context = {
  task: 'Make "add" right & fast',
  guidance: 'Use tabs.',
  reflections: [reflection],
  evaluation: evaluation(1, 3, {
    diagnostics: [
      {
        ...failure(1),
        file: 'test/a.test.ts',
        line: 4,
        expected: '5',
        received: '-1',
        frames: [{ file: 'src/a.ts', line: 2 }],
      },
      failure(2),
    ],
  }),
  start: {
    attempt: 1,
    kept: [1],
    present: [1],
    rolledBack: [
      { attempt: 2, isAbsent: true },
      { attempt: 3, isAbsent: false },
    ],
  },
  loopId: 'ralph-test',
  lastAttempt: {
    iteration: 3,
    trajectory: trajectory(),
    patch: '-old\n+new\n',
    evaluation: evaluation(2, 3),
  },
} as unknown as AttemptContext;

describe('attempt.hbs', () => {
  it('renders guidance, reflections, the last attempt, the task and the failures, in this order', () => {
    expect(renderPrompt('attempt', attemptPrompt(context))).toMatchSnapshot();
  });

  it('omits empty sections', () => {
    const bare = {
      ...context,
      guidance: '',
      reflections: [],
      lastAttempt: undefined,
      start: undefined,
    } as unknown as AttemptContext;
    const text = renderPrompt('attempt', attemptPrompt(bare));
    expect(text).not.toMatch(/Reflection on|# Guidance of|# Change that attempt|You start from|undefined/);
  });

  it('says a lesson once that memory and a reflection both have', () => {
    const lesson = { id: 'lesson-1', text: 'b rounds down', type: 'pitfall', pinned: false, confidence: 0.5 };
    const text = (lessons: readonly object[]): string =>
      renderPrompt(
        'attempt',
        attemptPrompt({ ...context, memory: { insights: [], lessons } } as AttemptContext),
      );
    expect(text([]).match(/^- .*b rounds down$/gm)).toEqual(['- Lesson: b rounds down']);
    expect(text([lesson]).match(/^- .*b rounds down$/gm)).toEqual(['- pitfall: b rounds down']);
  });

  it('tells no lesson below a reflection of the rules, which says it itself, nor of an earlier loop, which memory tells', () => {
    const text = (change: object): string =>
      renderPrompt(
        'attempt',
        attemptPrompt({ ...context, reflections: [{ ...reflection, ...change } as Reflection] }),
      );
    expect(text({})).toContain('- Lesson: b rounds down');
    expect(text({ reflector: { name: 'rules', fallback: false } })).not.toContain('b rounds down');
    expect(text({ loop_id: 'ralph-earlier' })).not.toContain('b rounds down');
  });

  it('shows a reflection line by line, and its step once', () => {
    const lines = 'In attempt 2 I changed `a`.\nThe reward stayed.\nIn my next attempt I will print b.';
    const self = {
      ...reflection.self_reflection,
      reflection_text: lines,
      actionable_insights: ['Print b.', 'Print c.'],
    };
    const text = renderPrompt(
      'attempt',
      attemptPrompt({ ...context, reflections: [{ ...reflection, self_reflection: self }] }),
    );
    expect(text).toContain(`${lines}\n- Next: Not checked: Print c.\n`);
  });

  it('counts the failures that it leaves out', () => {
    const many = { ...context, evaluation: evaluation(0, 30) } as AttemptContext;
    expect(renderPrompt('attempt', attemptPrompt(many))).toContain('(Failures not shown: 10.)');
  });

  it('is the same in every folder', () => {
    const [one, other] = ['/a', '/b'].map((root) =>
      renderPrompt('attempt', attemptPrompt({ ...context, root })),
    );
    expect(one).toBe(other);
  });

  it('is overridden by a template of the repository', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, '.aiwg/ralph/prompts'), { recursive: true });
    writeFileSync(join(root, '.aiwg/ralph/prompts/attempt.hbs'), 'Do: {{task}}');
    expect(renderPrompt('attempt', attemptPrompt(context), root)).toBe('Do: Make "add" right & fast');
  });

  it('throws for a misspelled variable', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, '.aiwg/ralph/prompts'), { recursive: true });
    writeFileSync(join(root, '.aiwg/ralph/prompts/attempt.hbs'), 'Do: {{tsak}}');
    expect(() => renderPrompt('attempt', attemptPrompt(context), root)).toThrow(/tsak/);
  });
});
