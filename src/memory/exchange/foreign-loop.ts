import { redact } from '../../platform/redaction/redact.ts';
import type { AiwgRecord } from '../episodes/aiwg-record.ts';

/** Of a source that does not say when it was written: before everything else, and plainly no real time. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00Z';

const MAX_NAME = 100;

/** A loop id for something that has a name elsewhere: the same name gives the same id on every machine. */
export function foreignLoopId(name: string): string {
  const slug = redact(name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^(-|ralph-)+/, '')
    .slice(0, MAX_NAME)
    .replace(/-+$/, '');
  return `ralph-${slug === '' ? 'imported' : slug}`;
}

/** What is known of a reflection that was written by another tool. */
export interface ForeignReflection {
  readonly loopId: string;
  /** 0-based. */
  readonly iteration: number;
  /** ISO 8601. */
  readonly timestamp?: string;
  readonly task?: string;
  readonly text: string;
  readonly lessons?: readonly string[];
  readonly insights?: readonly string[];
  readonly files?: readonly string[];
  readonly problems?: readonly string[];
  readonly passed?: boolean;
  readonly rationale?: string;
  /** 1..10. */
  readonly omega?: number;
}

/** The record that AIWG's rules ask for, with nothing in it that the source did not say. */
export function foreignRecord(known: ForeignReflection): AiwgRecord {
  const { files = [], problems = [], lessons = [], insights = [], omega = 3 } = known;
  return {
    loop_id: known.loopId,
    iteration: known.iteration,
    timestamp: known.timestamp ?? UNKNOWN_TIME,
    ...(known.task !== undefined && { task_description: known.task }),
    actor_output: {
      actions: files.map((file) => ({
        type: 'code_modification',
        description: `Changed ${file}`,
        file_path: file,
      })),
      rationale: known.rationale ?? '',
      files_modified: files,
    },
    evaluator_output: {
      passed: known.passed ?? false,
      verification_type: 'heuristic',
      errors: problems.map((message) => ({ type: 'other', message })),
    },
    self_reflection: {
      reflection_text: known.text,
      ...(insights.length > 0 && { actionable_insights: insights }),
      ...(lessons.length > 0 && { lessons_learned: lessons }),
    },
    memory_metadata: {
      omega_capacity: Math.min(10, Math.max(1, Math.trunc(omega))),
      current_memory_size: 1,
    },
  };
}
