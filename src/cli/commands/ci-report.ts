import { appendFileSync } from 'node:fs';
import { renderAnnotation, renderOutputs, type Annotation } from '../../report/workflow-commands.ts';
import { printable } from '../../platform/text/printable.ts';
import { redact } from '../../platform/redaction/redact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** GitHub takes no more of one step's summary. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** How a step of the job tells what it did: to people, and to the steps and jobs behind it. */
export interface StepReport {
  /** For the steps behind it; `GITHUB_OUTPUT`. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Markdown for the page of the run; `GITHUB_STEP_SUMMARY`. */
  readonly summary?: string;
  readonly annotations?: readonly Annotation[];
  /** For whoever reads the log. */
  readonly text: string;
  /** False: standard output is somebody else's, so that the log gets nothing. Default true. */
  readonly log?: boolean;
}

/** Writes what this runner has a place for. Outside Actions, the text and the outputs as `name=value` lines. */
export function reportStep(report: StepReport, env: Environment): void {
  const { outputs, summary, annotations = [], text, log = true } = report;
  if (log) say(text);
  if (isPath(env.GITHUB_OUTPUT)) appendFileSync(env.GITHUB_OUTPUT, redact(renderOutputs(outputs)));
  else if (log)
    for (const [name, value] of Object.entries(outputs)) say(`${name}=${value.replaceAll('\n', ' ')}`);
  if (summary !== undefined && isPath(env.GITHUB_STEP_SUMMARY)) {
    const bytes = Buffer.from(redact(summary));
    if (bytes.length <= MAX_SUMMARY_BYTES) appendFileSync(env.GITHUB_STEP_SUMMARY, bytes);
  }
  if (!log || env.GITHUB_ACTIONS !== 'true') return;
  for (const annotation of annotations) process.stdout.write(`${redact(renderAnnotation(annotation))}\n`);
}

/** A line that the runner takes for text, whatever it begins with. */
function say(text: string): void {
  process.stdout.write(
    `${printable(redact(text))
      .replace(/^\s*(?=::|##\[)/gm, '> ')
      .replaceAll('##[', '## [')}\n`,
  );
}

function isPath(path: string | undefined): path is string {
  return path !== undefined && path !== '';
}
