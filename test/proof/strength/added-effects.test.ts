import { describe, expect, it } from 'vitest';
import { addedEffects } from '../../../src/proof/strength/added-effects.ts';
import { changedLines } from '../../support/changed-lines.ts';

const HEAD = 'class Orders {\n  async total(id, user) {\n';
const TAIL = '  }\n}\n';

/** What a change of `return sum;` adds for what it does beside its result. */
function effectsOf(after: string, head = HEAD, tail = TAIL): (string | undefined)[] {
  const sources = changedLines({ before: 'return sum; // old(1)', after, head, tail });
  return addedEffects(sources).map(({ added }) => added);
}

describe('addedEffects', () => {
  it.each([
    ['a value set in what was given', 'order.discount = 0;'],
    ['a value set in the object itself', 'this.last = id;'],
    ['a message with a secret', "this.logger.info('total', { order, user });"],
    ['a file that is written', 'save(file, fallback);'],
    ['an awaited call', 'await this.db.save({ id });'],
    ['an optional call', '(timer as Timer).unref?.();'],
    ['a timer', 'setTimeout(() => this.get(id), 3000);'],
    ['a change of a list that was given', 'order.lines.push(id);'],
    ['an exit code', 'process.exitCode = 0;'],
  ])('finds %s', (_, statement) => {
    expect(effectsOf(`${statement}\nreturn sum - 1;`)).toEqual([statement]);
  });

  it('finds a statement in a callback of a function that was there', () => {
    expect(effectsOf('return list.map((it) => { audit(it); return it; });')).toEqual(['audit(it);']);
  });

  it.each([
    ['what the function made itself', 'const parts = [];\nparts.push(sum);\nreturn parts;'],
    ['a member of a new object', 'const out: Out = {};\nout.sum = sum;\nreturn out;'],
    ['a local name', 'sum = sum + 1;\nreturn sum;'],
    ['cleaning up', 'clearTimeout(timer);\nthis.off(id);\nfs.rmSync(file);\nreturn sum + 1;'],
    ['notes for the search of faults', "debug('sum %d', sum);\nreturn sum + 1;"],
    ['a call that the block made before', 'old(2);\nreturn sum + 1;'],
    ['an expression for its value', 'return save(sum);'],
  ])('leaves out %s', (_, after) => {
    expect(effectsOf(after)).toEqual([]);
  });

  it('leaves out new functions', () => {
    const after = 'export function log(it) {\n  this.logger.info(it);\n}\nconst a = 2;';
    expect(effectsOf(after, 'let sum;\n', '')).toEqual([]);
  });
});
