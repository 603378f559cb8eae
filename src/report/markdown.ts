import { beyondText } from '../schema/beyond-text.ts';
import type { Tampering, Verdict } from '../schema/generated.ts';
import { renderDuration } from '../platform/text/duration.ts';
import { plural } from '../platform/text/plural.ts';
import type { AttemptRecord } from './data/attempt-record.ts';
import type { LoopRecord } from './data/loop-record.ts';
import {
  countChanges,
  failureMatrix,
  failureName,
  failurePlace,
  renderCounts,
  type FailureRow,
} from './failure-matrix.ts';
import { markdownCode, markdownText } from './markdown-text.ts';
import { proofLines } from './proof-lines.ts';
import { renderCheckResult } from './receipt.ts';
import { renderUsage } from './usage.ts';

/** GitHub's limit for the description of a pull request and a comment, in characters. */
export const MARKDOWN_LIMIT = 65_536;

/** Maximum number of each; the others are counted. */
interface Bounds {
  readonly attempts: number;
  readonly failures: number;
  readonly reflections: number;
  /** Maximum length of one text. */
  readonly chars: number;
}

const BOUNDS: Bounds = { attempts: 50, failures: 25, reflections: 10, chars: 1_500 };

/**
 * Renders a loop as Markdown for a pull request, an issue or a job summary: verdict, receipt, attempts, remaining
 * failures, tampering, reflections. At most `maxChars` characters long (default: GitHub's limit); lists what was left
 * out. All texts of the loop are escaped.
 */
export function renderMarkdown(
  record: LoopRecord,
  { maxChars = MARKDOWN_LIMIT }: { readonly maxChars?: number } = {},
): string {
  for (let share = 1; share > 0.01; share /= 2) {
    const text = render(record, scaled(share));
    if (text.length <= maxChars) return text;
  }
  const shortest = `${headline(record.verdict)}\n\n${leftOut(record, ['everything else'])}\n`;
  return shortest.length <= maxChars ? shortest : shortest.slice(0, maxChars);
}

function scaled(share: number): Bounds {
  const part = (count: number): number => Math.max(1, Math.round(count * share));
  return {
    attempts: part(BOUNDS.attempts),
    failures: part(BOUNDS.failures),
    reflections: part(BOUNDS.reflections),
    chars: Math.max(100, part(BOUNDS.chars)),
  };
}

function render(record: LoopRecord, bounds: Bounds): string {
  const rows = failureMatrix(record.baseline, record.attempts);
  const cut: string[] = [];
  const sections = [
    [headline(record.verdict), '', markdownText(record.verdict.reason, bounds.chars)],
    aboutLines(record, bounds),
    receiptLines(record.verdict),
    proofSection(record.verdict, bounds),
    attemptLines(record, rows, { bounds, cut }),
    failingLines(record, { bounds, cut }),
    tamperingLines(record.attempts, { bounds, cut }),
    reflectionLines(record.attempts, { bounds, cut }),
    record.damaged.length === 0
      ? []
      : [
          '### Unreadable files',
          '',
          ...record.damaged
            .slice(0, bounds.failures)
            .map(({ path, problem }) => `- ${markdownCode(path)} ${markdownText(problem)}`),
        ],
    cut.length === 0 ? [] : [leftOut(record, cut)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

interface Limits {
  readonly bounds: Bounds;
  /** Phrases for the parts that were left out. */
  readonly cut: string[];
}

/** The verdict as a heading. */
function headline({ verified, status, baseline_reward: before, reward }: Verdict): string {
  const word = verified
    ? status === 'nothing_to_do'
      ? '✅ Verified: nothing to do'
      : '✅ Verified'
    : status === 'unproven'
      ? '⚠️ Unproven'
      : `❌ Not verified (${status})`;
  return `## ${word}, reward ${before.toFixed(3)} → ${reward.toFixed(3)}`;
}

function aboutLines(record: LoopRecord, { chars }: Bounds): string[] {
  const { verdict, maxIterations } = record;
  const usage = renderUsage(verdict.usage);
  const actor = record.model === null ? record.actor : `${record.actor}: ${record.model}`;
  return [
    `- Task: ${markdownText(record.task, chars)}`,
    `- Actor: ${markdownCode(actor)}`,
    `- Attempts: ${verdict.iterations}${maxIterations === null ? '' : ` of ${maxIterations}`}, ${renderDuration(verdict.duration_ms)}`,
    ...(usage === '' ? [] : [`- Usage: ${usage}`]),
    `- Loop: ${markdownCode(record.loopId)}`,
  ];
}

function receiptLines({ checks, reward }: Verdict): string[] {
  if (checks.length === 0) return [];
  const rows = checks.map(
    (check) =>
      `| ${markdownCode(check.name, { inTable: true })} | ${renderCheckResult(check)} | ${check.weight.toFixed(2)} | ${check.score.toFixed(3)} | ${(check.weight * check.score).toFixed(3)} |`,
  );
  return [
    '### Receipt',
    '',
    '| Check | Result | Weight | Score | Share |',
    '|---|---|--:|--:|--:|',
    ...rows,
    `| **reward** | | | | **${reward.toFixed(3)}** |`,
  ];
}

function proofSection({ proof }: Verdict, { chars }: Bounds): string[] {
  if (proof === undefined) return [];
  return ['### Proof', '', ...proofLines(proof).map((text) => `- ${markdownText(text, chars)}`)];
}

function attemptLines(
  { attempts, verdict, baseline }: LoopRecord,
  rows: readonly FailureRow[],
  { bounds, cut }: Limits,
): string[] {
  if (attempts.length === 0) return [];
  const hidden = attempts.length - bounds.attempts;
  if (hidden > 0) cut.push(plural(hidden, 'attempt'));
  const failing = rows.filter(({ inBaseline }) => inBaseline).length;
  const start =
    baseline === null ? [] : [`| baseline | ${baseline.reward.toFixed(3)} | ${failing} failing | | |`];
  const changes = new Map(verdict.attempts.map((summary) => [summary.iteration, summary]));
  const lines = attempts.slice(Math.max(0, hidden)).map((attempt) => {
    const { iteration, evaluation, best, durationMs } = attempt;
    const change = changes.get(iteration);
    const cells = [
      `${iteration}${verdict.best_iteration === iteration ? ' **best**' : best ? ' ▲' : ''}`,
      evaluation === null ? 'not evaluated' : evaluation.reward.toFixed(3),
      evaluation === null ? '' : renderCounts(countChanges(baseline, attempts, iteration)),
      change === undefined
        ? ''
        : `${plural(change.files_changed, 'file')}, +${change.lines_added} −${change.lines_deleted}`,
      durationMs === null ? '' : renderDuration(durationMs),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '### Attempts',
    '',
    '| Attempt | Reward | Failures | Change | Time |',
    '|---|--:|---|---|--:|',
    ...start,
    ...lines,
  ];
}

/** The failures of the best attempt, or of the baseline if no attempt was better. */
function failingLines({ attempts, baseline, verdict }: LoopRecord, { bounds, cut }: Limits): string[] {
  const best = attempts.find(({ iteration }) => iteration === verdict.best_iteration);
  const evaluation = best?.evaluation ?? baseline;
  const failing = (evaluation?.diagnostics ?? []).filter(({ severity }) => severity === 'error');
  if (verdict.verified || failing.length === 0) return [];
  const hidden = failing.length - bounds.failures;
  if (hidden > 0) cut.push(plural(hidden, 'failure'));
  return [
    '### Still failing',
    '',
    ...failing.slice(0, bounds.failures).map((diagnostic) => {
      const place = markdownCode(failurePlace(diagnostic));
      const message = diagnostic.test_id === undefined ? '' : `: ${markdownText(diagnostic.message, 200)}`;
      return `- ${place === '' ? '' : `${place} `}${markdownText(failureName(diagnostic))}${message}`;
    }),
  ];
}

function tamperingLines(attempts: readonly AttemptRecord[], { bounds, cut }: Limits): string[] {
  const tried = attempts.flatMap(({ iteration, tampering }) =>
    tampering.map((tamper): [number, Tampering] => [iteration, tamper]),
  );
  if (tried.length === 0) return [];
  const hidden = tried.length - bounds.failures;
  if (hidden > 0) cut.push(plural(hidden, 'refused edit'));
  return [
    '### Refused',
    '',
    ...tried
      .slice(0, bounds.failures)
      .map(
        ([iteration, { kind, detail }]) =>
          `- Attempt ${iteration}: ${markdownText(detail, bounds.chars)} (${markdownCode(kind)})`,
      ),
  ];
}

/** The newest reflections, oldest first. */
function reflectionLines(attempts: readonly AttemptRecord[], { bounds, cut }: Limits): string[] {
  const reflected = attempts.filter(({ reflection }) => reflection !== null);
  if (reflected.length === 0) return [];
  const hidden = reflected.length - bounds.reflections;
  if (hidden > 0) cut.push(plural(hidden, 'earlier reflection'));
  return [
    '### Reflections',
    ...reflected.slice(Math.max(0, hidden)).flatMap(({ iteration, reflection }) => {
      const self = reflection!.self_reflection;
      const { failure_category: category } = self.credit_assignment;
      const beyond = beyondText(reflection!);
      return [
        '',
        `<details><summary>Attempt ${iteration}: ${category}, confidence ${self.confidence.toFixed(2)}</summary>`,
        '',
        ...self.reflection_text.split('\n').map((line) => `- ${markdownText(line, bounds.chars)}`),
        ...beyond.insights.slice(0, 5).map((insight) => `- Next: ${markdownText(insight, bounds.chars)}`),
        ...beyond.lessons.slice(0, 5).map((lesson) => `- Lesson: ${markdownText(lesson, bounds.chars)}`),
        '',
        '</details>',
      ];
    }),
  ];
}

function leftOut({ loopId }: LoopRecord, cut: readonly string[]): string {
  return `_Left out: ${cut.join(', ')}. Full report: \`ralph report ${loopId} --html report.html\`_`;
}
