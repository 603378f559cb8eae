import type { WireReply, WireRequest, WireServer } from '../../support/wire/index.ts';
import { startWireServer } from '../../support/wire/index.ts';
import type { Files } from './test-repository.ts';

/** A price that is wrong, and a check that takes no time. */
export const FILES: Files = {
  'package.json': '{ "name": "shop", "version": "1.0.0" }\n',
  'src/price.txt': 'the price is missing\n',
  'src/other.txt': 'nothing to do here\n',
};

/** What the loop leaves in `src/price.txt`. */
export const REPAIRED = 'the price is right\n';

const KEYS = { OPENAI_API_KEY: 'key-of-the-durability-trials' };

const REFLECTION = {
  reflection_text:
    'In attempt 1 I wrote a guess into src/price.txt:1, which the check refutes: it looks for the word right in that line and found none.',
  credit_assignment: {
    failing_action_indices: [0],
    root_cause: 'src/price.txt:1 says guessed where the check looks for right.',
    failure_category: 'incorrect_assumption',
  },
  causal_reasoning: 'The check greps for right, so any other word in src/price.txt leaves it red.',
  actionable_insights: ['Write right into src/price.txt:1.'],
  lessons_learned: ['The check of src/price.txt looks for a word.'],
  confidence: 0.8,
  related_reflections: [],
};

/** A model that guesses wrong, reflects, and is right in the second attempt: five calls. */
export async function startModel(): Promise<WireServer> {
  return startWireServer(answer);
}

/** The arguments of `ralph` for a loop with that model. */
export function runArguments(server: WireServer): string[] {
  const model = ['--model', 'openai-compatible/wire-model', '--base-url', server.baseUrl('openai-chat')];
  const check = ['--check', 'tests=grep -q right src/price.txt'];
  return ['run', 'set the price', ...check, ...model, '--sandbox', 'off', ...FORMAT];
}

export const FORMAT = ['--format', 'jsonl', '--quiet'];

/** The environment of every call of ralph with that model. */
export const MODEL_ENVIRONMENT: Readonly<Record<string, string>> = KEYS;

/** How many answered calls were the same as an earlier one. */
export function repeatedCalls({ requests }: WireServer): number {
  const paid = requests.filter(({ outcome }) => outcome === 'answered').map(({ body }) => body);
  return paid.length - new Set(paid).size;
}

function answer({ body }: WireRequest): WireReply {
  if (body.includes('failing_action_indices')) return { text: JSON.stringify(REFLECTION) };
  if (body.includes('tool_call_id')) return { text: 'Done.' };
  return body.includes('Reflection on attempt') ? edit('missing', 'right') : edit('missing', 'guessed');
}

function edit(oldText: string, newText: string): WireReply {
  const input = { path: 'src/price.txt', edits: [{ oldText, newText }] };
  return { toolCalls: [{ name: 'edit', input }] };
}
