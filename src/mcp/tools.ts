import type { LessonCandidate } from '../memory/lessons/contract.ts';
import { LESSON_TYPES } from '../memory/lessons/kinds.ts';
import type { Evaluation } from '../schema/generated.ts';
import { boundedList, boundedText } from './bounded-answer.ts';
import { searchLessonsTool } from './search-lessons.ts';
import { searchReflectionsTool } from './search-reflections.ts';
import { inputSchema, TEXT, ToolRefusal, type McpTool } from './tool.ts';

const readPlaybookTool: McpTool = {
  name: 'read_playbook',
  title: 'Read the playbook',
  description: "What this repository's loops hold to be true of it, consolidated from lessons and attempts.",
  inputSchema: inputSchema({}),
  off: () => undefined,
  changesSomething: false,
  async run(_, { services }) {
    const text = await services.playbook();
    return text === undefined ? 'There is no playbook yet.' : boundedText(text);
  },
};

interface Proposal {
  readonly text: string;
  readonly type: LessonCandidate['type'];
  readonly loop: string;
  readonly quote: string;
  readonly files?: readonly string[];
  readonly fingerprints?: readonly string[];
}

const FILES = { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 500 } };

const proposeLessonTool: McpTool = {
  name: 'propose_lesson',
  title: 'Propose a lesson',
  description:
    'Proposes a lesson to the gate. It needs a passage, to the letter, of what a check or a command printed in a ' +
    'loop of this repository; it stays staged until a later run that was told of it has confirmed it.',
  inputSchema: inputSchema(
    {
      text: {
        type: 'string',
        minLength: 10,
        maxLength: 1000,
        description: 'One sentence with real names in it.',
      },
      type: { enum: LESSON_TYPES },
      loop: { ...TEXT, description: 'Loop id that the quote is from.' },
      quote: { ...TEXT, description: 'From an error, a check or a command of that loop, to the letter.' },
      files: { ...FILES, description: 'That it is about, relative to the root.' },
      fingerprints: { ...FILES, description: 'Of failures that it is about.' },
    },
    ['text', 'type', 'loop', 'quote'],
  ),
  off: ({ propose }) => (propose === undefined ? 'start the server with --allow-writes' : undefined),
  changesSomething: true,
  async run(given, { services }) {
    const { text, type, loop, quote, files = [], fingerprints = [] } = given as unknown as Proposal;
    const admission = await services.propose!(
      {
        ...{ text, type, files, fingerprints, subject: 'project', confidence: 0.5, importance: 0.5 },
        source: { pass: 'mcp', loop_id: loop },
        evidence: [{ quote, loop_id: loop }],
      },
      loop,
    );
    const { outcome, step, reason, lesson } = admission;
    if (outcome === 'refused') throw new ToolRefusal(`Refused (${step ?? 'gate'}): ${reason}`);
    return { outcome, reason, lesson };
  },
};

const evaluateTool: McpTool = {
  name: 'evaluate',
  title: 'Run the checks',
  description:
    'Runs the tests, types and lint of this repository once, in a workspace of its own: reward, checks, failures ' +
    'with their fingerprints. Takes as long as the checks take; whoever asks for progress hears of each.',
  inputSchema: inputSchema({}),
  off: ({ evaluate }) => (evaluate === undefined ? 'start the server with --allow-evaluate' : undefined),
  changesSomething: false,
  async run(_, { services, signal, tell }) {
    return summaryOf(await services.evaluate!(signal, tell));
  },
};

function summaryOf({ passed, reward, checks, diagnostics }: Evaluation): object {
  const failures = diagnostics.map(({ check, type, message, file, line, rule, fingerprint }) => {
    return { check, type, message, file, line, rule, fingerprint };
  });
  const summary = checks.map(({ name, status, score, weight }) => ({ name, status, score, weight }));
  return { passed, reward, checks: summary, ...boundedList('failures', failures) };
}

/** Every tool, those that are switched off as well. */
export const TOOLS: readonly McpTool[] = [
  searchReflectionsTool,
  searchLessonsTool,
  readPlaybookTool,
  proposeLessonTool,
  evaluateTool,
];
