import type { Admission, LessonCandidate } from '../memory/lessons/contract.ts';
import type { StoreSearch } from '../memory/search/search-store.ts';
import type { LessonQuery } from '../memory/recall/search-lessons.ts';
import type { ReflectionQuery } from '../memory/search/search.ts';
import type { Evaluation, Lesson, Reflection } from '../schema/generated.ts';
import type { AiwgRecord } from '../memory/episodes/aiwg-record.ts';

/** What the server lets a client see and do; compose fills it in. What is absent is switched off. */
export interface McpServices {
  /** Of ralph itself. */
  readonly version: string;
  searchReflections(query: ReflectionQuery): Promise<StoreSearch>;
  /** One attempt's reflection; undefined where there is none. `number` is 1-based. */
  readReflection(loop: string, number: number): Promise<Reflection | AiwgRecord | undefined>;
  /** Staged and active ones, where the query does not say which. */
  lessons(query: LessonQuery): Promise<readonly Lesson[]>;
  /** As Markdown; undefined where none was written yet. */
  playbook(): Promise<string | undefined>;
  /** Through the gate; what it may rest on is what commands and checks of the named loop printed. */
  readonly propose?: (candidate: LessonCandidate, loop: string) => Promise<Admission>;
  /** Runs the checks of the repository; `tell` gets what each came to. */
  readonly evaluate?: (signal: AbortSignal, tell: (message: string) => void) => Promise<Evaluation>;
}
