import type { Sequence } from '../sequence.ts';
import { swappedArguments } from './arguments.ts';
import { awaits } from './awaits.ts';
import { boundaries } from './boundaries.ts';
import { constants } from './constants.ts';
import { guards } from './guards.ts';

/** Written for this benchmark: five repositories of ten modules, eight slips of one kind and two of others in each. */
export const OWN_SEQUENCES: readonly Sequence[] = [boundaries, awaits, swappedArguments, guards, constants];
