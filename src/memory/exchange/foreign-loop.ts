import { redact } from '../../platform/redaction/redact.ts';
import type { AiwgRecord } from '../episodes/aiwg-record.ts';

/** Timestamp for a source without one: before all others, and obviously not a real time. */
const UNKNOWN_TIME = '1970-01-01T00:00:00Z';

const MAX_NAME = 100;

/** The loop id for a name in another tool: always the same for the same name. */
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

/** The content of a reflection that another tool wrote. */
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
  /** Ω; clamped to 1..10, default 3. */
  readonly omega?: number;
}

/** A record that satisfies AIWG's schema; required fields that the source lacks get neutral values. */
export function foreignRecord(known: ForeignReflection): AiwgRecord {
  const { files = [], problems = [], lessons = [], insights = [], omega = 3 } = known;
  return {
    loop_id: known.loopId,
    iteration: known.iteration,
    timestamp: known.timestamp ?? UNKNOWN_TIME,
    task_description: known.task,
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
      actionable_insights: insights.length > 0 ? insights : undefined,
      lessons_learned: lessons.length > 0 ? lessons : undefined,
    },
    memory_metadata: {
      omega_capacity: Math.min(10, Math.max(1, Math.trunc(omega))),
      current_memory_size: 1,
    },
  };
}
