import { isFields, otherFields, textOf, textsOf, type Candidate, type Fields } from './candidate.ts';
import { foreignLoopId, foreignRecord } from './foreign-loop.ts';

const STATE_FIELDS = ['version', 'loopId', 'objective', 'startTime', 'lastUpdate', 'iterations', 'config'];
const ITERATION_FIELDS = ['number', 'analysis', 'learnings', 'filesModified', 'progress', 'status'];

/** True for the `session-state.json` of AIWG's external loop (its state version 1.0.0). */
export function isExternalState(value: Fields): boolean {
  return textOf(value.loopId) !== undefined && Array.isArray(value.iterations);
}

/** A candidate for each iteration that says what it learned. */
export function candidatesOfState(state: Fields, origin: string): Candidate[] {
  const unmapped = otherFields(state, STATE_FIELDS).map((name) => `state.${name}`);
  return (state.iterations as readonly unknown[]).map((iteration, index) => ({
    origin: `${origin}, iteration ${index + 1}`,
    ...(isFields(iteration)
      ? fromIteration(iteration, { state, index, unmapped: index === 0 ? unmapped : [] })
      : { record: { problem: 'is no iteration' } }),
  }));
}

function fromIteration(
  iteration: Fields,
  {
    state,
    index,
    unmapped,
  }: { readonly state: Fields; readonly index: number; readonly unmapped: readonly string[] },
): Omit<Candidate, 'origin'> {
  const analysis = isFields(iteration.analysis) ? iteration.analysis : {};
  const learned = textsOf(iteration.learnings);
  const lessons = learned.length > 0 ? learned : textsOf(analysis.learnings);
  const next = textsOf(analysis.nextApproach ?? iteration.progress);
  if (lessons.length === 0) return { record: { problem: 'says nothing that was learned' } };
  const number = Number.isSafeInteger(iteration.number) ? (iteration.number as number) : index + 1;
  const config = isFields(state.config) ? state.config : {};
  const task = textOf(state.objective);
  const timestamp = textOf(state.startTime);
  const value = foreignRecord({
    loopId: foreignLoopId(`external ${state.loopId as string}`),
    iteration: Math.max(0, number - 1),
    ...(timestamp !== undefined && { timestamp }),
    ...(task !== undefined && { task }),
    ...(typeof config.memory === 'number' && { omega: config.memory }),
    text: lessons.join('\n'),
    lessons,
    insights: next,
    files: textsOf(iteration.filesModified),
    problems: textsOf(analysis.blockers ?? analysis.error),
    passed: analysis.completed === true && analysis.success === true,
    rationale: next.join('\n'),
  });
  const others = otherFields(iteration, ITERATION_FIELDS).map((name) => `iteration.${name}`);
  return { record: { value }, unmapped: [...unmapped, ...others] };
}

const NOTE_FIELDS = ['iteration', 'content', 'type', 'timestamp'];

/** True for a `reflections/reflection-N.json` of the external loop. */
export function isExternalNote(value: Fields): boolean {
  return (
    Number.isSafeInteger(value.iteration) &&
    textOf(value.content) !== undefined &&
    textOf(value.type) !== undefined
  );
}

/** The note says nothing of its loop; `loop` is that of the state beside it, where there is one. */
export function candidateOfNote(
  note: Fields,
  { origin, loop }: { readonly origin: string; readonly loop?: string },
): Candidate {
  const timestamp = textOf(note.timestamp);
  const value = foreignRecord({
    loopId: foreignLoopId(`external ${loop ?? 'notes'}`),
    iteration: Math.max(0, (note.iteration as number) - 1),
    ...(timestamp !== undefined && { timestamp }),
    text: note.content as string,
    lessons: [note.content as string],
  });
  return {
    origin,
    record: { value },
    unmapped: otherFields(note, NOTE_FIELDS).map((name) => `note.${name}`),
  };
}
