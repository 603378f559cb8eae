import { posix } from 'node:path';
import type { LessonEvidence } from '../../../schema/generated.ts';
import { validate, renderProblems } from '../../../schema/validate.ts';
import type { LessonCandidate } from '../contract.ts';
import { lessonId, wordsOf } from '../statement.ts';
import { refusal, type Passage } from './verdict.ts';

const MAX = { text: 1000, quote: 500, evidence: 20, files: 50, fingerprints: 50 } as const;
const AT = '2000-01-01T00:00:00.000Z';

/**
 * The candidate as it would be stored: one line of text, numbers within 0..1, files relative to the root, everything
 * within its bounds. Refuses (`invalid`) what is no lesson even then, whatever its shape.
 */
export function normaliseCandidate(candidate: LessonCandidate): Passage {
  try {
    return checked(tidied(candidate));
  } catch {
    return refusal('invalid', 'It has not the shape of a lesson.');
  }
}

function tidied(candidate: LessonCandidate): LessonCandidate {
  const { type, subject, source, supersedes } = candidate;
  return {
    text: oneLine(candidate.text),
    ...{ type, subject, source },
    evidence: candidate.evidence.slice(0, MAX.evidence).map(tidyEvidence),
    confidence: share(candidate.confidence),
    importance: share(candidate.importance),
    files: unique((candidate.files ?? []).flatMap(relativePath)).slice(0, MAX.files),
    fingerprints: unique(candidate.fingerprints ?? []).slice(0, MAX.fingerprints),
    ...(supersedes !== undefined && { supersedes: oneLine(supersedes) }),
  };
}

function checked(candidate: LessonCandidate): Passage {
  if (candidate.text.length > MAX.text)
    return refusal(
      'invalid',
      `It has ${candidate.text.length} characters; a lesson has ${MAX.text} at most.`,
    );
  if (wordsOf(candidate.text).length < 2) return refusal('invalid', 'It says nothing: it has no two words.');
  const { text, type, subject, source, evidence, confidence, importance } = candidate;
  const [files, fingerprints] = [[...candidate.files!], [...candidate.fingerprints!]];
  const counts = { support: 0, contradiction: 0, pinned: false, status: 'staged' } as const;
  const fields = { text, type, subject, source, evidence: [...evidence], confidence, importance };
  const lesson = { id: lessonId(candidate), ...fields, ...counts, files, fingerprints };
  const held = validate('lesson', { ...lesson, created_at: AT, updated_at: AT });
  return held.ok ? { ok: true, candidate } : refusal('invalid', `${capital(renderProblems(held.problems))}.`);
}

function tidyEvidence(evidence: LessonEvidence): LessonEvidence {
  const { file, ...rest } = evidence;
  const path = file === undefined ? [] : relativePath(file);
  return {
    ...rest,
    quote: evidence.quote.trim().slice(0, MAX.quote).trim(),
    ...(path[0] !== undefined && { file: path[0] }),
  };
}

/** None where a path leads out of the repository, or hides what it is. */
function relativePath(path: string): string[] {
  const normal = posix.normalize(path.replaceAll('\\', '/'));
  const leadsOut = posix.isAbsolute(normal) || normal === '..' || normal.startsWith('../');
  return leadsOut || normal === '.' || /\p{C}/u.test(path) || /^[A-Za-z]:/.test(normal) ? [] : [normal];
}

/** NaN stays, and is refused. */
function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
