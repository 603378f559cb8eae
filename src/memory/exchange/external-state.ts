import { isFields, otherFields, textIn, textsIn, type Candidate, type Fields } from './candidate.ts';
import { foreignLoopId, foreignRecord } from './foreign-loop.ts';

const STATE_FIELDS = ['version', 'loopId', 'objective', 'startTime', 'lastUpdate', 'iterations', 'config'];
const ITERATION_FIELDS = ['number', 'analysis', 'learnings', 'filesModified', 'progress', 'status'];

/** True for the `session-state.json` of AIWG's external loop (its state version 1.0.0). */
export function isExternalState(value: Fields): boolean {
  return textIn(value.loopId) !== undefined && Array.isArray(value.iterations);
}

/** One candidate per iteration; an iteration without learnings becomes a problem. */
export function candidatesOfState(state: Fields, origin: string): Candidate[] {
  const unmapped = otherFields(state, STATE_FIELDS).map((name) => `state.${name}`);
  return (state.iterations as readonly unknown[]).map((iteration, index) => ({
    origin: `${origin}, iteration ${index + 1}`,
    ...(isFields(iteration)
      ? fromIteration(iteration, { state, index, unmapped: index === 0 ? unmapped : [] })
      : { record: { problem: 'is not an iteration' } }),
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
  const learnings = textsIn(iteration.learnings);
  const lessons = learnings.length > 0 ? learnings : textsIn(analysis.learnings);
  const next = textsIn(analysis.nextApproach ?? iteration.progress);
  if (lessons.length === 0) return { record: { problem: 'has no learnings' } };
  const number = Number.isSafeInteger(iteration.number) ? (iteration.number as number) : index + 1;
  const config = isFields(state.config) ? state.config : {};
  const task = textIn(state.objective);
  const timestamp = textIn(state.startTime);
  const value = foreignRecord({
    loopId: foreignLoopId(`external ${state.loopId as string}`),
    iteration: Math.max(0, number - 1),
    timestamp,
    task,
    omega: typeof config.memory === 'number' ? config.memory : undefined,
    text: lessons.join('\n'),
    lessons,
    insights: next,
    files: textsIn(iteration.filesModified),
    problems: textsIn(analysis.blockers ?? analysis.error),
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
    textIn(value.content) !== undefined &&
    textIn(value.type) !== undefined
  );
}

/** The candidate of a note. A note has no loop id; `loop` is the one of the state beside it, if any. */
export function candidateOfNote(
  note: Fields,
  { origin, loop }: { readonly origin: string; readonly loop?: string | undefined },
): Candidate {
  const timestamp = textIn(note.timestamp);
  const value = foreignRecord({
    loopId: foreignLoopId(`external ${loop ?? 'notes'}`),
    iteration: Math.max(0, (note.iteration as number) - 1),
    timestamp,
    text: note.content as string,
    lessons: [note.content as string],
  });
  return {
    origin,
    record: { value },
    unmapped: otherFields(note, NOTE_FIELDS).map((name) => `note.${name}`),
  };
}
