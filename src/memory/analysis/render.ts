import type { Analysis, AnalysisArm, AnalysisComparison, AnalysisLoop } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import { interval, renderShare, signed } from './render-figures.ts';
import { experimentLines } from './render-experiment.ts';
import { fitId, fitLine, renderBar, renderSparkline, type PlotStyle } from './plots.ts';

/** How an analysis is printed. */
export interface AnalysisLook {
  /** Most columns of a line. */
  readonly width: number;
  readonly style: PlotStyle;
  /** Styles a heading; must not add visible characters. */
  readonly strong: (text: string) => string;
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

const BAR = 20;
const MOST_LOOPS = 15;
const MOST_POINTS = 20;
/** Most rewards in a loop's sparkline, the last ones. */
const MOST_PLOTTED = 10;
const MOST_LINES = 5;
/** Columns by which the lines of a section are indented. */
const INDENT = 2;

/** An analysis as lines of text, in sections; empty sections are left out, and no line exceeds `width`. */
export function renderAnalysis(analysis: Analysis, look: AnalysisLook): string[] {
  const { style } = look;
  const sections: Section[] = [
    { title: 'Loops', lines: loopLines(analysis, look) },
    { title: 'Learning curve, best reward so far', lines: curveLines(analysis, style) },
    { title: 'Breakthroughs', lines: breakthroughLines(analysis, look) },
    { title: 'Failures', lines: failureLines(analysis, style) },
    { title: 'Time to success', lines: timeLines(analysis) },
    { title: 'Confidence and improvement', lines: calibrationLines(analysis, style) },
    { title: 'Lessons', lines: lessonLines(analysis) },
    {
      title: 'With and without memory (all loops; not randomised)',
      lines: comparisonLines(analysis.memory),
    },
    {
      title: 'Known failures (with) and new failures (without), all loops',
      lines: comparisonLines(analysis.familiar),
    },
    { title: 'Memory withheld at random (all loops)', lines: experimentLines(analysis) },
    { title: 'Left out', lines: analysis.left_out.map(({ path, problem }) => `${path}: it ${problem}`) },
  ];
  const fit = (line: string): string => fitLine(printable(line.replaceAll('\n', ' ')), look.width);
  return sections
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ title, lines }, index) => [
      ...(index === 0 ? [] : ['']),
      look.strong(fit(title)),
      ...lines.map((line) => fit(' '.repeat(INDENT) + line)),
    ]);
}

function loopLines({ loops, success, rate, attempts }: Analysis, look: AnalysisLook): string[] {
  if (loops.length === 0) return ['No loop has run here yet.'];
  const shown = loops.slice(-MOST_LOOPS);
  const hidden = loops.length - shown.length;
  return [
    `${plural(loops.length, 'loop')}, ${plural(attempts, 'attempt')}; passed: ${renderShare(success)}`,
    ...(rate === null
      ? []
      : [`learning rate ${signed(rate)} per reward, (last − first) ÷ n, mean over loops`]),
    ...hiddenLine(hidden, 'earlier loop'),
    ...loopTable(shown, look),
  ];
}

/** The id comes last, since it is the longest cell and may be cut. */
function loopTable(loops: readonly AnalysisLoop[], { style, width }: AnalysisLook): string[] {
  const rows = loops.map(({ loop_id, status, memory, rewards }) => {
    const ends = rewards.length === 0 ? '' : `${rewards[0]!.toFixed(2)}→${rewards.at(-1)!.toFixed(2)}`;
    const end = `${status ?? 'reflections only'}${memory === false ? ', without memory' : ''}`;
    return { id: loop_id, cells: [renderSparkline(rewards.slice(-MOST_PLOTTED), style), ends, end] };
  });
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map(({ cells }) => cells[column]!.length)));
  return rows.map(({ id, cells }) => {
    const row = cells.map((cell, column) => `${cell.padEnd(widths[column]!)}  `).join('');
    return row + fitId(id, width - INDENT - row.length);
  });
}

function curveLines({ curve }: Analysis, style: PlotStyle): string[] {
  const shown = curve.slice(0, MOST_POINTS).map(({ attempt, reward, own_reward: own, running }) => {
    const name = attempt === 0 ? 'baseline' : `attempt ${attempt}`;
    const made =
      attempt === 0 || own === null
        ? ''
        : `  the attempt itself ${own.toFixed(3)}, made by ${plural(running, 'loop')}`;
    return `${name.padEnd(10)}  ${renderBar(reward, BAR, style)}  ${reward.toFixed(3)}${made}`;
  });
  return [...shown, ...hiddenLine(curve.length - shown.length, 'later attempt')];
}

function breakthroughLines(
  { breakthroughs, breakthrough_count: count }: Analysis,
  { width }: AnalysisLook,
): string[] {
  const shown = breakthroughs.slice(0, MOST_LINES).map(({ loop_id, attempt, gain, passed }) => {
    const row = `${signed(gain)}${passed ? ', passed' : '        '}  attempt ${attempt} of `;
    return row + fitId(loop_id, width - INDENT - row.length);
  });
  return [...shown, ...hiddenLine(count - shown.length, 'other')];
}

function hiddenLine(count: number, noun: string): string[] {
  return count > 0 ? [`${plural(count, noun)} not shown`] : [];
}

function failureLines({ errors, categories }: Analysis, style: PlotStyle): string[] {
  const { attempts, fixed, same, new: fresh } = errors;
  return [
    ...(attempts === 0
      ? []
      : [`${fixed} gone, ${same} remaining, ${fresh} new, over ${plural(attempts, 'attempt')}`]),
    ...categories.map(
      ({ category, count, share }) => `${category.padEnd(25)}  ${renderBar(share, BAR, style)}  ${count}`,
    ),
  ];
}

function timeLines({ time_to_success: time }: Analysis): string[] {
  if (time.loops === 0) return [];
  const { median_attempts: attempts, median_ms: ms, median_tried: tried } = time;
  const parts = [
    ...(attempts === null ? [] : [plural(attempts, 'attempt')]),
    ...(ms === null ? [] : [`${(ms / 1000).toFixed(1)} s`]),
    ...(tried === null ? [] : [`${plural(tried, 'candidate')} tried`]),
  ];
  return [`median of ${plural(time.loops, 'loop')} that passed: ${parts.join(', ')}`];
}

function calibrationLines({ calibration }: Analysis, style: PlotStyle): string[] {
  const { n, correlation, low, high, too_few, bins } = calibration;
  if (n === 0) return [];
  if (too_few) return [`${plural(n, 'reflection')} followed by an attempt: too few for a correlation`];
  const related =
    correlation === null
      ? 'no correlation: confidence or improvement is constant'
      : `correlation ${signed(correlation)} ${interval(low, high)}`;
  return [
    `${related}, n = ${n}`,
    ...bins
      .filter((bin) => bin.n > 0)
      .map(
        (bin) =>
          `${bin.from.toFixed(2)}–${bin.to.toFixed(2)}  ${renderBar(bin.share ?? 0, BAR, style)}  improved: ${renderShare(bin)}`,
      ),
  ];
}

function lessonLines({ lessons }: Analysis): string[] {
  if (lessons.lessons === 0) return [];
  return [
    `${plural(lessons.lessons, 'lesson')}; ${plural(lessons.attempts_told, 'attempt')} shown at least one`,
    `shown in another loop: ${renderShare(lessons.reused)}`,
    `supporting effects: ${renderShare(lessons.helped)}`,
    ...lessons.most_told
      .slice(0, MOST_LINES)
      .map(
        ({ text, told, support, contradiction }) => `shown ${told}×, +${support} −${contradiction}  ${text}`,
      ),
  ];
}

function comparisonLines(comparison: AnalysisComparison): string[] {
  const { with: one, without: two, too_few, success_difference: difference, low, high } = comparison;
  if (one.success.n === 0 || two.success.n === 0) return [];
  const result =
    too_few || difference === null
      ? 'too few loops to compare'
      : `difference of shares ${signed(difference)} ${interval(low, high)}`;
  return [...armLines('with', one), ...armLines('without', two), result];
}

function armLines(name: string, { success, attempts, tried }: AnalysisArm): string[] {
  const figure = (title: string, { n, mean, low, high }: AnalysisArm['tried']): string[] =>
    mean === null ? [] : [`         ${title}: mean ${mean.toFixed(1)} ${interval(low, high, 1)}, n = ${n}`];
  return [
    `${name.padEnd(7)}  passed: ${renderShare(success)}`,
    ...figure('attempts to success', attempts),
    ...figure('candidates to success', tried),
  ];
}
