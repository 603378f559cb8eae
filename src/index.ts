/** The public API. Everything that is not exported here may change in any version. */
export { evaluateOnce, type EvaluateRequest, type TreeEvaluation } from './compose/evaluate.ts';
export type { LoopRequest } from './compose/loop/loop-request.ts';
export { openLoop, type LoopSession } from './compose/loop/loop.ts';
export { openProject, type Project, type ProjectRequest } from './compose/project.ts';
export { ExitCode, RalphError, type ErrorCode } from './errors.ts';
export type { RunEvent, RunEventType } from './events.ts';
export { readReflections, type ReflectionRecord } from './memory/episodes/reflection-files.ts';
export type {
  Admission,
  AuditRow,
  Grounds,
  LessonCandidate,
  LessonOutcome,
  LessonStore,
} from './memory/lessons/contract.ts';
export { createLessonStore, type LessonStoreOptions } from './memory/lessons/store.ts';
export { findPatterns, type Pattern } from './memory/analysis/patterns.ts';
export { searchStore, type StoreSearch } from './memory/search/search-store.ts';
export { searchReflections, type ReflectionMatch, type ReflectionQuery } from './memory/search/search.ts';
export type * from './ports.ts';
export type * from './schema/generated.ts';
export { renderProblems, validate, type SchemaProblem, type Validation } from './schema/validate.ts';
export { newLoopId } from './platform/loop-id.ts';
