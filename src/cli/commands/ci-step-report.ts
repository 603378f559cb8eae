import { appendFileSync } from 'node:fs';
import { redact } from '../../platform/redaction/redact.ts';
import { printable } from '../../platform/text/printable.ts';
import { renderAnnotation, renderOutputs, type Annotation } from '../../report/workflow-commands.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Limit of GitHub for the summary of one step. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** The result of a step of a CI job. */
export interface StepReport {
  /** Values for later steps and jobs, written to `GITHUB_OUTPUT`. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Markdown for the page of the CI run, written to `GITHUB_STEP_SUMMARY`. */
  readonly summary?: string;
  readonly annotations?: readonly Annotation[];
  /** A sentence for the log. */
  readonly text: string;
  /** False: nothing is written to the log, since standard output carries JSON. Default true. */
  readonly log?: boolean;
}

/** Writes a report for the CI system. Outside of Actions, the text and the outputs are printed as `name=value` lines. */
export function reportStep(report: StepReport, env: Environment): void {
  const { outputs, summary, annotations = [], text, log = true } = report;
  // One line: a line of a test's text would otherwise look like one of the outputs.
  if (log) printLog(text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' '));
  if (isSet(env.GITHUB_OUTPUT)) appendFileSync(env.GITHUB_OUTPUT, redact(renderOutputs(outputs)));
  else if (log) for (const [name, value] of Object.entries(outputs)) printLog(`${name}=${value}`);
  if (summary !== undefined && isSet(env.GITHUB_STEP_SUMMARY)) {
    const bytes = Buffer.from(redact(summary));
    if (bytes.length <= MAX_SUMMARY_BYTES) appendFileSync(env.GITHUB_STEP_SUMMARY, bytes);
  }
  if (!log || env.GITHUB_ACTIONS !== 'true') return;
  for (const annotation of annotations) process.stdout.write(`${redact(renderAnnotation(annotation))}\n`);
}

/**
 * Prints text as one line, so that none in it passes as an output (`tree=…`), and in such a way that the runner does not
 * execute a workflow command (`::` or `##[`) in it.
 */
function printLog(text: string): void {
  process.stdout.write(
    `${printable(redact(text).replace(/\s*[\n\r\u2028\u2029]\s*/g, ' '))
      .replace(/^\s*(?=::|##\[)/, '> ')
      .replaceAll('##[', '## [')}\n`,
  );
}

function isSet(path: string | undefined): path is string {
  return path !== undefined && path !== '';
}
