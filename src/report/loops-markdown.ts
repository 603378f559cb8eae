import type { Analysis, AnalysisShare } from '../schema/generated.ts';
import { renderDuration } from '../platform/text/duration.ts';
import { plural } from '../platform/text/plural.ts';
import { MARKDOWN_LIMIT } from './markdown.ts';
import { markdownCode } from './markdown-text.ts';

const MAX_LOOPS = 100;

/**
 * Renders all loops of a repository as Markdown: success, time to success, categories, a table of the newest loops.
 * At most `maxChars` characters long (default: GitHub's limit).
 */
export function renderLoopsMarkdown(
  analysis: Analysis,
  { maxChars = MARKDOWN_LIMIT }: { readonly maxChars?: number } = {},
): string {
  for (let most = MAX_LOOPS; most >= 1; most = Math.floor(most / 2)) {
    const text = render(analysis, most);
    if (text.length <= maxChars) return text;
  }
  return render({ ...analysis, loops: [], categories: [], left_out: [] }, 0).slice(0, maxChars);
}

function render(
  { loops, attempts, success, time_to_success: time, categories, left_out: leftOut }: Analysis,
  most: number,
): string {
  const shown = [...loops].reverse().slice(0, most);
  const hidden = loops.length - shown.length;
  const sections = [
    [`## ${plural(loops.length, 'loop')}, ${plural(attempts, 'attempt')}`],
    [
      `- Success: ${renderShare(success)}`,
      ...(time.median_attempts === null ? [] : [`- Attempts to success: ${time.median_attempts} (median)`]),
      ...(time.median_ms === null ? [] : [`- Time to success: ${renderDuration(time.median_ms)} (median)`]),
    ],
    categories.length === 0
      ? []
      : [
          '| Category | Reflections |',
          '|---|--:|',
          ...categories.map(
            ({ category, count }) => `| ${markdownCode(category, { inTable: true })} | ${count} |`,
          ),
        ],
    shown.length === 0
      ? []
      : [
          '| Loop | Ended | Reward | Attempts | Time |',
          '|---|---|---|--:|--:|',
          ...shown.map(
            ({ loop_id: id, task, status, passed, rewards, attempts: made, ms_to_success: ms }) => {
              const reward =
                rewards.length === 0 ? '' : `${rewards[0]!.toFixed(2)} → ${Math.max(...rewards).toFixed(2)}`;
              const cells = [
                `${markdownCode(task, { inTable: true, maxChars: 100 })}<br>${markdownCode(id, { inTable: true })}`,
                `${passed === true ? '✅' : passed === false ? '❌' : ''} ${status ?? ''}`.trim(),
                reward,
                String(made),
                ms === null ? '' : renderDuration(ms),
              ];
              return `| ${cells.join(' | ')} |`;
            },
          ),
        ],
    hidden > 0 ? [`_${plural(hidden, 'earlier loop')} left out._`] : [],
    leftOut.length > 0 ? [`_${plural(leftOut.length, 'file')} could not be read._`] : [],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function renderShare({ part, n, share, low, high }: AnalysisShare): string {
  if (share === null) return 'none yet';
  const percent = (value: number | null): string => (100 * (value ?? 0)).toFixed(0);
  return `${part} of ${n} (${percent(share)} %, 95 % interval ${percent(low)} to ${percent(high)} %)`;
}
