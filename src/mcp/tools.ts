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
  description: 'Knowledge about this repository, consolidated from lessons and attempts.',
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
    'Proposes a lesson to the gate. It needs an exact quote from the output of a check or a command in a loop of this ' +
    'repository. It must be one English sentence that begins with a verb of editing or reading code and names source files or ' +
    'names that exist; nothing about tests, settings, packages or what failing tests expect. It stays staged until the ' +
    'comparison of loops with and without it confirms it.',
  inputSchema: inputSchema(
    {
      text: {
        type: 'string',
        minLength: 10,
        maxLength: 1000,
        description: 'One sentence with existing names.',
      },
      type: { enum: LESSON_TYPES },
      loop: { ...TEXT, description: 'Loop id of the quote.' },
      quote: { ...TEXT, description: 'Exact quote from an error, a check or a command of that loop.' },
      files: { ...FILES, description: 'Files that the lesson is about, relative to the root.' },
      fingerprints: { ...FILES, description: 'Fingerprints of failures that the lesson is about.' },
    },
    ['text', 'type', 'loop', 'quote'],
  ),
  off: ({ propose }) => (propose === undefined ? 'start the server with --allow-writes' : undefined),
  changesSomething: true,
  async run(given, { services }) {
    const { text, type, loop, quote, files = [], fingerprints = [] } = given as unknown as Proposal;
    const admission = await services.propose!(
      {
        text,
        type,
        files,
        fingerprints,
        subject: 'project',
        confidence: 0.5,
        importance: 0.5,
        source: { pass: 'mcp', loop_id: loop },
        evidence: [{ quote, loop_id: loop }],
        claim: { kind: 'advice' },
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
    'Runs the tests, type checker and linter of this repository once, in a separate workspace. Returns reward, checks ' +
    'and failures with their fingerprints. Takes as long as the checks; sends progress for each check if requested.',
  inputSchema: inputSchema({}),
  off: ({ evaluate }) => (evaluate === undefined ? 'start the server with --allow-evaluate' : undefined),
  changesSomething: false,
  async run(_, { services, signal, report }) {
    return summarize(await services.evaluate!(signal, report));
  },
};

function summarize({ passed, reward, checks, diagnostics }: Evaluation): object {
  const failures = diagnostics.map(({ check, type, message, file, line, rule, fingerprint }) => {
    return { check, type, message, file, line, rule, fingerprint };
  });
  const summary = checks.map(({ name, status, score, weight }) => ({ name, status, score, weight }));
  return { passed, reward, checks: summary, ...boundedList('failures', failures) };
}

/** All tools, including those that are turned off. */
export const TOOLS: readonly McpTool[] = [
  searchReflectionsTool,
  searchLessonsTool,
  readPlaybookTool,
  proposeLessonTool,
  evaluateTool,
];
