/**
 * One repository's memory, wherever it is kept: in its files (`createFileMemory`), or in the database of a fleet. The
 * gate, the counts and the search are the same in both; `syncMemory` takes over what one has and the other has not.
 */
import type { Insights, Playbook, Repair } from '../../schema/generated.ts';
import type { AiwgRecord } from '../episodes/aiwg-record.ts';
import type { ReflectionShelf } from '../exchange/import.ts';
import type { LessonRecords } from '../lessons/records.ts';
import type { ReflectionMatch, ReflectionQuery } from '../search/search.ts';

export interface RepositoryMemory {
  readonly lessons: LessonRecords;
  readonly reflections: ReflectionStore;
  readonly insights: MemoryDocument<Insights>;
  readonly playbook: MemoryDocument<Playbook>;
  readonly repairs: RepairList;
}

/** Reflections of a repository; none is changed or overwritten. */
export interface ReflectionStore extends ReflectionShelf {
  /** The newest ones, in any order. */
  newest(most: number): Promise<readonly AiwgRecord[]>;
  /** As `searchReflections` on all of them. Rejects with a usage RalphError for the same queries. */
  search(query: ReflectionQuery): Promise<readonly ReflectionMatch[]>;
}

/** A record of which there is one. */
export interface MemoryDocument<T> {
  read(): Promise<T | undefined>;
  /** Replaces it by what `act` makes of it, while nothing else changes it; undefined leaves it. True if it was replaced. */
  change(act: (now: T | undefined) => T | undefined): Promise<boolean>;
}

/** Verified repairs, oldest first. */
export interface RepairList {
  read(): Promise<readonly Repair[]>;
  /** Adds those that are not there. Returns how many. */
  add(repairs: readonly Repair[]): Promise<number>;
}

/** What makes two repairs the same. */
export function repairKey({ loop_id, operator, edit, file_path, test_file }: Repair): string {
  return JSON.stringify([loop_id, operator, edit, file_path, test_file]);
}
