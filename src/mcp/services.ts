import type { Admission, LessonCandidate } from '../memory/lessons/contract.ts';
import type { StoreSearch } from '../memory/search/search-store.ts';
import type { LessonQuery } from '../memory/recall/search-lessons.ts';
import type { ReflectionQuery } from '../memory/search/search.ts';
import type { Evaluation, Lesson, Reflection } from '../schema/generated.ts';
import type { AiwgRecord } from '../memory/episodes/aiwg-record.ts';

/** Operations that the server offers to a client; `src/compose/mcp.ts` implements them. Absent operations are turned off. */
export interface McpServices {
  /** ralph's version. */
  readonly version: string;
  searchReflections(query: ReflectionQuery): Promise<StoreSearch>;
  /** The reflection on attempt `number` (1-based); undefined if it does not exist. */
  readReflection(loop: string, number: number): Promise<Reflection | AiwgRecord | undefined>;
  /** Staged and active lessons unless the query names a status. */
  lessons(query: LessonQuery): Promise<readonly Lesson[]>;
  /** The playbook in Markdown; undefined before it is first written. */
  playbook(): Promise<string | undefined>;
  /** Proposes a lesson to the gate. Its quote must occur in the output of commands and checks of the loop. */
  readonly propose?: (candidate: LessonCandidate, loop: string) => Promise<Admission>;
  /** Runs the checks of the repository; `report` gets the result of each. */
  readonly evaluate?: (signal: AbortSignal, report: (message: string) => void) => Promise<Evaluation>;
}
