import { printable } from '../../platform/text/printable.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import type { AiwgRecord } from '../episodes/aiwg-record.ts';
import type { ReflectionRecord } from '../episodes/reflection-files.ts';

export type ExportFormat = 'json' | 'jsonl' | 'markdown';

/** Reflections as one text, by loop and iteration, secrets redacted. An import reads the JSON and JSONL formats. */
export function renderExport(records: readonly ReflectionRecord[], format: ExportFormat): string {
  const sorted = [...records].sort(byPlace).map(({ reflection }) => redactValue<AiwgRecord>(reflection));
  if (format === 'json') return `${JSON.stringify(sorted, null, 2)}\n`;
  if (format === 'jsonl') return sorted.map((record) => `${JSON.stringify(record)}\n`).join('');
  return sorted.map((record, index) => sectionOf(record, sorted[index - 1])).join('\n');
}

function byPlace(a: ReflectionRecord, b: ReflectionRecord): number {
  const [first, second] = [a.reflection.loop_id, b.reflection.loop_id];
  return first === second ? a.number - b.number : first < second ? -1 : 1;
}

function sectionOf(record: AiwgRecord, before: AiwgRecord | undefined): string {
  const { self_reflection: self, evaluator_output: seen } = record;
  const reward = seen.reward_signal;
  const facts = [
    record.timestamp,
    self.credit_assignment?.failure_category,
    ...(self.confidence === undefined ? [] : [`confidence ${self.confidence.toFixed(2)}`]),
    ...(reward === undefined ? [] : [`reward ${reward.toFixed(3)}`]),
  ].filter((fact) => fact !== undefined);
  const isNew = before?.loop_id !== record.loop_id;
  return [
    ...(isNew ? [`# ${inline(record.loop_id)}`, '', ...quoted(record.task_description)] : []),
    `## Attempt ${record.iteration + 1}`,
    '',
    facts.map(inline).join(' · '),
    '',
    ...quoted(self.reflection_text),
    ...quotedUnder('Root cause', self.credit_assignment?.root_cause),
    ...listed('Next', self.actionable_insights),
    ...listed('Lessons', self.lessons_learned),
    ...listed(
      'Failures',
      seen.errors?.map(
        ({ message, file, line }) => `${file === undefined ? '' : `${file}:${line ?? '?'} `}${message}`,
      ),
    ),
  ].join('\n');
}

function quotedUnder(title: string, text: string | undefined): string[] {
  return text === undefined ? [] : [`### ${title}`, '', ...quoted(text)];
}

function listed(title: string, items: readonly string[] | undefined): string[] {
  if (items === undefined || items.length === 0) return [];
  return [`### ${title}`, '', ...items.map((item) => `- ${inline(item)}`), ''];
}

/** The text as an indented code block, so that Markdown does not interpret it. */
function quoted(text: string | undefined): string[] {
  if (text === undefined || text.trim() === '') return [];
  return [
    ...printable(text)
      .split('\n')
      .map((line) => `    ${line}`),
    '',
  ];
}

/** The text on one line, with Markdown and HTML characters escaped. */
function inline(text: string): string {
  return printable(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>#|!&]/g, (mark) => `\\${mark}`);
}
