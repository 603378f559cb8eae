import { keepSafe } from '../../lessons/gate/safety.ts';
import { oneLine } from '../common/one-line.ts';

/** Sentences about the lines of a text that the gate's safety step would refuse. */
export function unsafeLines(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const reason = refusalOf(line);
    return reason === undefined ? [] : [`${reason} The line: ${oneLine(line, 200)}`];
  });
}

/** The text without them. */
export function safeLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => refusalOf(line) === undefined)
    .join('\n');
}

function refusalOf(line: string): string | undefined {
  if (line.trim() === '') return undefined;
  const passage = keepSafe({
    ...{ text: line, type: 'convention', subject: 'project', source: { pass: 'playbook' } },
    ...{ evidence: [], confidence: 0, importance: 0 },
  });
  return passage.ok ? undefined : passage.reason;
}
