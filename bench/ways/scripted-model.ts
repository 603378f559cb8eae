import type { WireReply, WireRequest } from '../../test/support/wire/index.ts';
import { TOOL_RESULT } from '../agents/run-agent.ts';
import { SOURCE_FILE } from '../datasets/humanevalfix/package-files.ts';

/** Ideas that the model tries in one session with tools before it gives up. */
const MOST_IN_SESSION = 4;
/** Edits of one proposal. */
const MOST_PROPOSED = 20;
const PASSED = /fail 0\b/;

/**
 * A model that has one idea after another and asks nothing. With tools it edits, runs the tests, and tries the next idea where
 * they fail; asked for one answer it gives one edit; asked for proposals it gives 20 ideas.
 */
export function scriptedModel(original: string, nextIdea: () => string): (request: WireRequest) => WireReply {
  /** The program as the session with tools has left it; undefined if the model has not seen it. */
  let current: string | undefined;
  const start = ({ body }: WireRequest): string | undefined =>
    body.includes(JSON.stringify(original.trim()).slice(1, -1)) ? original : undefined;
  return (request) => {
    const { body } = request;
    if (/You propose small edits/.test(body)) return proposal(original, nextIdea);
    if (!/"tools":\s*\[/.test(body)) return answer(start(request), nextIdea());
    const results = [...body.matchAll(TOOL_RESULT)];
    if (results.length === 0) current = start(request);
    const isEdited = results.length % 2 === 1;
    if (isEdited) return { toolCalls: [{ name: 'bash', input: { command: 'npm test' } }] };
    const last = body.slice(results.at(-1)?.index ?? body.length);
    if (PASSED.test(last)) return { text: 'The tests pass now.' };
    if (results.length >= 2 * MOST_IN_SESSION) return { text: 'I found nothing.' };
    const before = current;
    current = nextIdea();
    return toolCall(before, current);
  };
}

function toolCall(before: string | undefined, after: string): WireReply {
  const edit = before === undefined ? undefined : editBetween(before, after);
  const call =
    edit === undefined
      ? { name: 'write', input: { path: SOURCE_FILE, content: after } }
      : {
          name: 'edit',
          input: { path: SOURCE_FILE, edits: [{ oldText: edit.before, newText: edit.after }] },
        };
  return { text: 'I have an idea.', toolCalls: [call] };
}

function answer(before: string | undefined, after: string): WireReply {
  const edit = before === undefined ? undefined : editBetween(before, after);
  const change =
    edit === undefined
      ? `\`\`\`\n${after}\`\`\``
      : `<<<<<<< SEARCH\n${edit.before}\n=======\n${edit.after}\n>>>>>>> REPLACE`;
  return { text: `I have an idea.\n\n${SOURCE_FILE}\n${change}\n` };
}

function proposal(original: string, nextIdea: () => string): WireReply {
  const ideas = Array.from({ length: MOST_PROPOSED }, nextIdea);
  const edits = ideas.flatMap((idea) => {
    const edit = editBetween(original, idea);
    return edit === undefined ? [] : [{ file: SOURCE_FILE, ...edit }];
  });
  return { text: JSON.stringify({ edits }) };
}

/** The lines that differ, with as many lines around them as make them unique; undefined if the texts are equal. */
function editBetween(from: string, to: string): { before: string; after: string } | undefined {
  if (from === to) return undefined;
  const [old, now] = [from.split('\n'), to.split('\n')];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  for (;;) {
    const before = old.slice(start, old.length - end).join('\n');
    if (before.trim() !== '' && from.split(before).length === 2)
      return { before, after: now.slice(start, now.length - end).join('\n') };
    if (start === 0 && end === 0) return undefined;
    if (start > 0) start--;
    if (end > 0) end--;
  }
}
