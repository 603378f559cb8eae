import type { FailureCategory } from './generated.ts';

/** Every category of a failure, as filters name them. */
export const FAILURE_CATEGORIES: readonly FailureCategory[] = [
  'hallucination',
  'inefficient_planning',
  'incorrect_assumption',
  'incomplete_implementation',
  'edge_case_miss',
  'integration_error',
  'configuration_error',
  'logic_error',
  'other',
];
