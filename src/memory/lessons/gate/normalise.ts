import { posix } from 'node:path';
import type { LessonEvidence } from '../../../schema/generated.ts';
import { validate, renderProblems } from '../../../schema/validate.ts';
import type { LessonCandidate } from '../contract.ts';
import { flatten } from '../../text/names.ts';
import { statementWords } from '../../text/statement.ts';
import { lessonId } from '../lesson-id.ts';
import { refusal, type GateResult } from './gate-result.ts';

const MAX = { text: 1000, quote: 500, evidence: 20, files: 50, fingerprints: 50 } as const;
/** Placeholder time, for the schema only. */
const AT = '2000-01-01T00:00:00.000Z';

/**
 * The candidate as it would be stored: text on one line, numbers within 0..1, files relative to the root, lists within
 * their limits. Refuses (`invalid`) a candidate of any shape that violates the schema even then. Never throws.
 */
export function normaliseCandidate(candidate: LessonCandidate): GateResult {
  try {
    return check(tidy(candidate));
  } catch {
    return refusal('invalid', 'It does not have the shape of a lesson.');
  }
}

function tidy(candidate: LessonCandidate): LessonCandidate {
  const { type, subject, source, supersedes, claim } = candidate;
  return {
    text: flatten(candidate.text),
    type,
    subject,
    source,
    evidence: candidate.evidence.slice(0, MAX.evidence).map(tidyEvidence),
    claim,
    confidence: clamp(candidate.confidence),
    importance: clamp(candidate.importance),
    files: unique((candidate.files ?? []).flatMap(relativePath)).slice(0, MAX.files),
    fingerprints: unique(candidate.fingerprints ?? []).slice(0, MAX.fingerprints),
    supersedes: supersedes === undefined ? undefined : flatten(supersedes),
  };
}

function check(candidate: LessonCandidate): GateResult {
  if (candidate.text.length > MAX.text)
    return refusal('invalid', `It has ${candidate.text.length} characters; at most ${MAX.text} are allowed.`);
  if (statementWords(candidate.text).length < 2)
    return refusal('invalid', 'It has fewer than two meaningful words.');
  const checked = validate('lesson', {
    id: lessonId(candidate),
    text: candidate.text,
    type: candidate.type,
    subject: candidate.subject,
    status: 'staged',
    source: candidate.source,
    evidence: candidate.evidence,
    claim: candidate.claim,
    confidence: candidate.confidence,
    importance: candidate.importance,
    support: 0,
    contradiction: 0,
    pinned: false,
    files: candidate.files,
    fingerprints: candidate.fingerprints,
    created_at: AT,
    updated_at: AT,
  });
  return checked.ok
    ? { ok: true, candidate }
    : refusal('invalid', `${capital(renderProblems(checked.problems))}.`);
}

function tidyEvidence(evidence: LessonEvidence): LessonEvidence {
  const { file, ...rest } = evidence;
  const [path] = file === undefined ? [] : relativePath(file);
  return { ...rest, quote: evidence.quote.trim().slice(0, MAX.quote).trim(), file: path };
}

/** The normalised path; none where it leads out of the repository or has invisible characters. */
function relativePath(path: string): string[] {
  const normal = posix.normalize(path.replaceAll('\\', '/'));
  const leadsOut = posix.isAbsolute(normal) || normal === '..' || normal.startsWith('../');
  return leadsOut || normal === '.' || /\p{C}/u.test(path) || /^[A-Za-z]:/.test(normal) ? [] : [normal];
}

/** NaN stays NaN, which the schema refuses. */
function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
