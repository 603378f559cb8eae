import type { Sequence } from '../sequence.ts';
import { swappedArguments } from './arguments.ts';
import { awaits } from './awaits.ts';
import { boundaries } from './boundaries.ts';
import { constants } from './constants.ts';
import { guards } from './guards.ts';

/** Five repositories of ten modules each, with eight bugs of one kind and two of other kinds. */
export const OWN_SEQUENCES: readonly Sequence[] = [boundaries, awaits, swappedArguments, guards, constants];
