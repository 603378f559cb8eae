import { redact } from '../platform/redaction/redact.ts';
import { markdownText } from '../report/markdown-text.ts';
import { codeSpan } from './github/pull-request.ts';
import type { Published } from './publish.ts';
import type { Run } from './rules/decide-plan.ts';
import type { Skip } from './rules/skip.ts';
import type { CiSettings } from './settings.ts';

/** Text of ralph's comment while a try runs. */
export function renderAccepted(
  { branch, head, number, task }: Run,
  runUrl: string | undefined,
  { maxTries, optOutLabel, label }: CiSettings,
): string {
  const where = runUrl === undefined ? '' : ` [The workflow run](${runUrl}) shows how far it is.`;
  return [
    `**ralph** is at work on ${codeSpan(branch)} at ${codeSpan(head.slice(0, 10))}: try ${number} of ${maxTries}.${where}`,
    ...(task === undefined ? [] : ['', `Task: ${codeSpan(redact(task), 300)}`]),
    '',
    howToStop(label, optOutLabel),
  ].join('\n');
}

/** Text of ralph's comment if there is no try, or no further one. */
export function renderRefused({ reason, text }: Skip): string {
  return `**ralph** makes no try (${codeSpan(reason)}): ${markdownText(text, 500)}`;
}

/** Text of ralph's comment when the pull request of an earlier fix, which could not be opened then, is open. */
export function renderOpened(
  number: number,
  runUrl: string | undefined,
  settings: Pick<CiSettings, 'label' | 'optOutLabel'>,
): string {
  const pull = { number, url: '', created: true };
  const facts = { left: 0, report: '', runUrl, next: undefined };
  return renderEnded({ published: true, text: '', pull }, facts, settings);
}

/** Text of ralph's comment when a try has ended. `report` is Markdown whose texts are escaped. */
export function renderEnded(
  { published, text, pull }: Pick<Published, 'published' | 'text' | 'pull'>,
  {
    left,
    report,
    runUrl,
    next,
  }: {
    /** Tries that are left at the commit. */
    readonly left: number;
    readonly report: string;
    readonly runUrl: string | undefined;
    /** A sentence on the next try. */
    readonly next: string | undefined;
  },
  { label, optOutLabel }: Pick<CiSettings, 'label' | 'optOutLabel'>,
): string {
  const head = published
    ? `**ralph** has a verified fix: ${pull === undefined ? markdownText(text.replace(/\.$/, ''), 500) : `#${pull.number}`}.`
    : `**ralph** publishes nothing: ${markdownText(text, 700)}`;
  const tries = published ? [] : ['', next ?? `Tries left at this commit: ${left}.`];
  const log = runUrl === undefined ? [] : ['', `[The workflow run](${runUrl}) has the whole report.`];
  const details = [
    '',
    '<details><summary>Verdict, proof and receipt</summary>',
    '',
    report.trim(),
    '',
    '</details>',
  ];
  return [head, ...tries, ...(report === '' ? [] : details), ...log, '', howToStop(label, optOutLabel)].join(
    '\n',
  );
}

function howToStop(label: string, optOutLabel: string): string {
  return `<sub>To stop: cancel the workflow run, remove the label ${codeSpan(label)}, or add the label ${codeSpan(optOutLabel)}.</sub>`;
}
