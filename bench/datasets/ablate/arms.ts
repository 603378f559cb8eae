import { usageError } from '../../../src/errors.ts';

/** One variant of `ralph run`. */
export interface Arm {
  readonly name: string;
  /** Flags of `ralph run`. */
  readonly flags: readonly string[];
}

/** Groups of variants that differ in one setting. */
export const AXES = {
  strategy: ['none', 'last-attempt', 'reflexion', 'last-attempt+reflexion'].map((value) =>
    armOf('--strategy', value),
  ),
  omega: ['1', '3', '5', '10'].map((value) => armOf('--omega', value)),
  window: ['fifo', 'recency', 'relevance_weighted'].map((value) => armOf('--window-policy', value)),
  memory: [
    { name: 'memory on', flags: [] },
    { name: 'memory off', flags: ['--no-memory'] },
  ],
  reflector: ['rules', 'llm'].map((value) => armOf('--reflector', value)),
} as const satisfies Readonly<Record<string, readonly Arm[]>>;

export type Axis = keyof typeof AXES;

function armOf(flag: string, value: string): Arm {
  return { name: `${flag.slice(2)} ${value}`, flags: [flag, value] };
}

/** Parses `NAME=FLAGS`, with flags separated by spaces. Throws a usage error. */
export function parseArm(text: string): Arm {
  const [, name = '', flags = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name.trim() !== '')
    return { name: name.trim(), flags: flags.split(/\s+/).filter((flag) => flag !== '') };
  throw usageError(
    `--arm ${text}: it must be NAME=FLAGS.`,
    'For example --arm "react=--actor react --model openai/gpt-5".',
  );
}

/** The arms of the axes and those of the user, in this order. Throws a usage error for a repeated name. */
export function armsOf(axes: readonly Axis[], own: readonly Arm[]): Arm[] {
  const arms: Arm[] = [...axes.flatMap((axis) => [...AXES[axis]]), ...own];
  const names = arms.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw usageError(`The arm "${repeated}" is there twice.`, 'Rename it.');
  return arms;
}
