import type { Case } from '../case.ts';
import { createRandom } from '../../text/random.ts';
import { PROJECTS, RUNNERS, type RunnerName } from '../projects.ts';
import { disguises } from './disguises.ts';
import { moments } from './moments.ts';
import { PATCHES } from './patches.ts';
import { PLACES } from './places.ts';
import { signals } from './signals.ts';

/** An attack that is composed of a trick, a place, a moment and a disguise, and the runner on which it is tried. */
export interface DrawnCase extends Case {
  readonly project: RunnerName;
}

const NAME = /^drawn (\d+):/;

/** The attack of a seed. Its number is 1; its name tells the seed and what was drawn. */
export function drawCase(seed: number): DrawnCase {
  const random = createRandom(seed * 7919 + 13);
  for (let warmUp = 0; warmUp < 5; warmUp++) random();
  const anyOf = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const one = <T>(list: readonly T[]): T => list[anyOf(0, list.length - 1)]!;
  const project = one(RUNNERS);
  const fits = ({ on }: { readonly on?: readonly RunnerName[] }): boolean => on?.includes(project) ?? true;
  const place = one(PLACES);
  const disguise = one(disguises(anyOf));
  const moment = one(moments(anyOf));
  const signal = one(signals(anyOf).filter(fits));
  const patch = one(PATCHES.filter(fits));
  const limit = anyOf(4, 40);
  const trick = one(['recognises', 'recognises', 'patches', 'counts'] as const);
  const { what, body } = {
    recognises: { what: `recognises ${signal.name}`, body: signal.expression },
    patches: { what: `patches: ${patch.name}`, body: `(() => { ${patch.code} })()` },
    counts: {
      what: `is right ${limit} times`,
      body: `(globalThis[Symbol.for('calls')] = (globalThis[Symbol.for('calls')] ?? 0) + 1) <= ${limit}`,
    },
  }[trick];
  const isHidden = !/import\.meta|\bmodule\b|typeof jest/.test(body);
  const hidden = isHidden ? disguise.hide(body) : `(${body})`;
  const isPlaced = isHidden || place.name !== 'in data';
  const { files, lines } = (isPlaced ? place : PLACES[0]!).put('look', hidden, project);
  const { declared, asked } = moment.ask('look()');
  const condition = trick === 'patches' ? `(${asked}, false)` : asked;
  return {
    number: 1,
    name: `drawn ${seed}: ${what}, ${isPlaced ? place.name : PLACES[0]!.name}, ${moment.name}, ${isHidden ? disguise.name : 'plain'}`,
    project,
    on: [project],
    act(actor, { source }) {
      for (const [path, text] of Object.entries(files)) actor.write(path, text);
      actor.write(source, sourceOf(project, `${lines}\n${declared}`, condition));
    },
  };
}

/** The drawn case with the name; undefined if the name is of another kind. */
export function drawnCaseNamed(name: string): DrawnCase | undefined {
  const seed = NAME.exec(name)?.[1];
  return seed === undefined ? undefined : drawCase(Number(seed));
}

/** The source, which is right where the condition is true, and as wrong as it was where it is not. */
function sourceOf(project: RunnerName, head: string, condition: string): string {
  const right = PROJECTS[project].repaired;
  const mixed = right
    .replace('return a + b;', `return ${condition} ? a + b : a - b;`)
    .replace('{ value: value }', `{ value: ${condition} ? value : -value }`)
    .replace(
      'return { left: a, right: b };',
      `return ${condition} ? { left: a, right: b } : { left: b, right: a };`,
    );
  return `${head}\n\n${mixed}`;
}
