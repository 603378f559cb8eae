import type { MemoryContext } from '../ports/memory.ts';
import { memorySection } from './memory-section.ts';

/** Variables of `gate-block.hbs`, what an agent is told that may not stop yet. */
export interface GateBlockPrompt {
  /** How often in a row it has been told, 1-based; 0: there is no limit, and neither is shown. */
  readonly number: number;
  readonly limit: number;
  /** No file has changed since the block before. */
  readonly isUnchanged: boolean;
  readonly forbidden: readonly string[];
  readonly missing: readonly string[];
  readonly unmet: readonly string[];
  readonly failures: readonly GateFailure[];
  /** Failures that are not shown. */
  readonly failuresCut: number;
  readonly others: readonly string[];
  /** The next step of the block before; empty for the first. */
  readonly before: string;
  /** The next step is the same as in the block before. */
  readonly isAsBefore: boolean;
  /** What has changed since then; empty for the first block. */
  readonly since: string;
  readonly next: string;
}

/** One failure, each part on one line. */
export interface GateFailure {
  readonly title: string;
  readonly place: string;
  readonly message: string;
  readonly expected: string;
  readonly received: string;
}

/** Variables of `gate-start.hbs`, what an agent is told when its session begins. */
export interface GateStartPrompt extends Pick<
  ReturnType<typeof memorySection>,
  'pinned' | 'learned' | 'memories'
> {
  /** Names of the checks. */
  readonly checks: string;
  readonly isAllGreen: boolean;
  /** The user's criteria, one sentence each. */
  readonly criteria: readonly string[];
}

/** Memory as `gate-start.hbs` shows it. */
export function gateMemory(
  memory: MemoryContext | undefined,
): Pick<GateStartPrompt, 'pinned' | 'learned' | 'memories'> {
  const { pinned, learned, memories } = memorySection(memory);
  return { pinned, learned, memories };
}
