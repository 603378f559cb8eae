import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseRuledOut, renderRuledOut, summarizeRuledOut, withRuledOut } from '../../src/loop/ruled-out.ts';
import { runLoop } from '../../src/loop/run.ts';
import type { LoopPorts } from '../../src/loop/options.ts';
import type { Reflection } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { evaluation, loopOptions, scriptedLoop, trajectory, type ScriptedLoop } from '../support/scripted.ts';

const EDITS = ['src/a.ts: `<` → `<=` @1234567890 ~abcdef01', 'src/a.ts: 1 → 2 @1234567890 ~abcdef01'];

/** A loop that fails; attempt N rules out the first N edits. */
function searchingLoop(attempts: number, from?: ScriptedLoop): ScriptedLoop {
  const edits = Array.from({ length: attempts }, (_, index) => `t${index + 1}`);
  const loop = scriptedLoop({ edits, judge: () => evaluation(1, 4) }, from);
  const { actor } = loop.ports;
  const searching: LoopPorts['actor'] = {
    name: 'search',
    async attempt(context) {
      await actor.attempt(context);
      const ruled = EDITS.slice(0, context.iteration);
      return { ...trajectory(), ruled_out: { tried: ruled.length, edits: ruled, nearest: 'near' } };
    },
  };
  return Object.assign(loop, { ports: { ...loop.ports, actor: searching } });
}

const editsIn = (reflections: readonly Reflection[]): unknown[] =>
  reflections.map(({ actor_output }) => actor_output.ruled_out?.edits);

describe('a loop whose actor rules out edits', () => {
  it('stores the edits in the attempt’s folder, and their count and hash in the reflection', async () => {
    const loop = searchingLoop(2);
    await runLoop(loop.ports, loopOptions({ maxIterations: 2 }));
    const text = loop.attached.get('attempts/002/ruled-out.json')!;
    expect(JSON.parse(text)).toEqual(EDITS);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const stored = loop.reflections[1]!;
    expect(stored.actor_output.ruled_out).toEqual({ tried: 2, count: 2, sha256, nearest: 'near' });
    expect(validate('reflection', stored)).toMatchObject({ ok: true });
  });

  it('shows the edits to the next attempt', async () => {
    const loop = searchingLoop(3);
    await runLoop(loop.ports, loopOptions({ maxIterations: 3, omega: 2 }));
    const shown = loop.contexts.map(({ reflections }) => editsIn(reflections));
    expect(shown).toEqual([[], [EDITS.slice(0, 1)], [EDITS.slice(0, 1), EDITS]]);
  });

  it('shows the edits to the next attempt of a resumed loop', async () => {
    const first = searchingLoop(1);
    await runLoop(first.ports, loopOptions({ maxIterations: 1 }));
    const resumed = searchingLoop(2, first);
    await runLoop(resumed.ports, loopOptions({ maxIterations: 2, resumed: true }));
    expect(resumed.contexts.map(({ reflections }) => editsIn(reflections))).toEqual([[EDITS.slice(0, 1)]]);
  });

  it('writes no file if no edit was ruled out', async () => {
    const loop = scriptedLoop({ edits: ['t1'], judge: () => evaluation(1, 4) });
    await runLoop(loop.ports, loopOptions({ maxIterations: 1 }));
    expect([...loop.attached.keys()]).not.toContain('attempts/001/ruled-out.json');
    expect(loop.reflections[0]!.actor_output.ruled_out).toEqual({ tried: 0 });
  });
});

describe('withRuledOut', () => {
  const recordWith = (ruledOut?: Reflection['actor_output']['ruled_out']): Reflection =>
    ({ actor_output: { ruled_out: ruledOut } }) as Reflection;

  it('keeps the edits of a record of an earlier version, which holds them itself', () => {
    const old = recordWith({ tried: 1, edits: ['own'] });
    expect(withRuledOut(old, EDITS)).toBe(old);
  });

  it('leaves a record without ruled-out edits unchanged', () => {
    const record = recordWith();
    expect(withRuledOut(record, EDITS)).toBe(record);
  });
});

describe('parseRuledOut', () => {
  const record = {
    actor_output: { ruled_out: summarizeRuledOut({ tried: 2, edits: EDITS }) },
  } as Reflection;

  it('reads the text that the reflection describes', () => {
    expect(parseRuledOut(renderRuledOut(EDITS), record)).toEqual(EDITS);
  });

  it('refuses a text with another hash', () => {
    expect(parseRuledOut(renderRuledOut([...EDITS, 'more']), record)).toBeUndefined();
  });
});
