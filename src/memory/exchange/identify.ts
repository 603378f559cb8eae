import { isFields, otherFields, textIn, type Candidate, type Fields } from './candidate.ts';
import { candidateOfNote, candidatesOfState, isExternalNote, isExternalState } from './external-state.ts';
import { foreignLoopId, foreignRecord } from './foreign-loop.ts';

const LIST_FIELDS = ['name', 'task_id', 'prompt', 'reflections'];

/**
 * The candidates in a JSON value from outside: a reflection record, a state or a note of AIWG's external loop, a row with
 * a `name` (or `task_id`) and a list `reflections` as in published benchmark runs of Reflexion, or a list of these.
 * `loop`: id of the external loop that a note belongs to.
 */
export function candidatesIn(value: unknown, origin: string, loop?: string): Candidate[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => candidatesIn(item, `${origin}[${index}]`, loop));
  }
  if (!isFields(value)) return [{ origin, record: { problem: 'is not an object' } }];
  if ('self_reflection' in value) return [{ origin, record: { value } }];
  if (isExternalState(value)) return candidatesOfState(value, origin);
  if (isExternalNote(value)) {
    return [candidateOfNote(value, { origin, loop })];
  }
  const name = textIn(value.name) ?? textIn(value.task_id);
  if (name !== undefined && Array.isArray(value.reflections)) return rowsOf(value, { name, origin });
  return [{ origin, record: { problem: `has no known shape; its fields are ${shapeOf(value)}` } }];
}

function rowsOf(
  row: Fields,
  { name, origin }: { readonly name: string; readonly origin: string },
): Candidate[] {
  const task = textIn(row.prompt);
  const unmapped = otherFields(row, LIST_FIELDS);
  const recordOf = (text: string, iteration: number): Candidate['record'] => ({
    value: foreignRecord({
      loopId: foreignLoopId(name),
      iteration,
      text,
      task,
    }),
  });
  return (row.reflections as readonly unknown[]).map((item, iteration) => {
    const text = textIn(item);
    return {
      origin: `${origin}, reflection ${iteration + 1}`,
      record: text === undefined ? { problem: 'is not a text' } : recordOf(text, iteration),
      unmapped: iteration === 0 ? unmapped : [],
    };
  });
}

function shapeOf(value: Fields): string {
  const names = Object.keys(value);
  return names.length === 0 ? 'none' : names.slice(0, 6).join(', ').slice(0, 200);
}
