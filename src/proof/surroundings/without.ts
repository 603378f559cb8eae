import type { SurroundingsRead } from './reads.ts';
import { STACK } from './told.ts';

/** Another value of the same kind, and another day for a time; what code could not go on with is left as it is. */
const OTHER =
  "((v) => { const other = (v) => typeof v === 'boolean' ? !v : typeof v === 'number' ? v + 1 : typeof v === 'bigint' ? v + 1n : typeof v === 'string' ? '' : Array.isArray(v) ? [] : v instanceof Promise ? v.then(other) : v === process.env || (v !== null && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v))) ? {} : v; return other(v); })";

/** Three years and a half day, so that year, day of the week and half of the day are others. */
const LATER_MS = 94_737_600_000;
const LATER = `((v) => (typeof v === 'number' ? v + ${LATER_MS} : v instanceof Date ? new Date(+v + ${LATER_MS}) : v))`;

/** The variables without those of test runners and of npm. */
const USERS =
  '((all) => Object.fromEntries(Object.entries(all).filter(([name]) => !/^(?:NODE_TEST_|VITEST|JEST_|MOCHA|TAP_|AVA_|npm_|TEST$)/.test(name))))';

/**
 * Draws in whose place, in turn, stand a rare number, the number that is drawn, and one that is rare on the other side: those that all
 * draws make stay what they are.
 */
const RARE =
  "((drawn, at) => { const key = Symbol.for('rare draws'); const turn = (globalThis[key] = (globalThis[key] ?? 0) + 1); return [drawn * 0.001, drawn, 1 - drawn * 0.001][(turn + at) % 3]; })";

/** A text in which some of its reads of the surroundings give the opposite, another value, or nothing for a variable. */
export function textWithout(text: string, reads: readonly SurroundingsRead[]): string {
  const outward = [...reads].sort((a, b) => a.from - b.from || b.to - a.to);
  let [result, done] = ['', 0];
  for (const read of outward) {
    // Inside of one that is exchanged already.
    if (read.from < done) continue;
    result += text.slice(done, read.from) + otherThan(read);
    done = read.to;
  }
  return result + text.slice(done);
}

function otherThan({ use, what, expression }: SurroundingsRead): string {
  if (use === 'variable') return '(undefined)';
  // The timer has run already.
  if (use === 'timer')
    return `((run, ...rest) => { try { run(); } catch {} return ${expression}(() => {}, ...rest); })`;
  if (use === 'low' || use === 'high') return `${RARE}(${expression}, ${use === 'low' ? 2 : 1})`;
  if (use === 'names') return `${USERS}(${expression})`;
  if (use === 'condition') return `(!(${expression}))`;
  if (what === STACK) return `${OTHER.replace('v + 1 :', 'Number(v === 0) :')}(${expression})`;
  return `${what === 'the clock' ? LATER : OTHER}(${expression})`;
}
