import { validate, type SchemaName } from '../../schema/validate.ts';
import { plural } from '../../platform/text/plural.ts';
import { unsealLine, unsealText } from '../../platform/files/sealed.ts';
import { isInsightDue, type InsightSettings } from '../passes/insights/settings.ts';
import { readInsights } from '../passes/insights/store.ts';
import type { LessonStore } from '../lessons/contract.ts';
import { readObservations } from '../passes/observe/store.ts';
import { memoryPath, readMemoryBytes } from '../files/memory-folder.ts';
import { INTERVAL } from '../passes/playbook/settings.ts';
import { healthWarnings } from '../passes/playbook/health.ts';
import { renderPlaybook } from '../passes/playbook/render.ts';
import { readPlaybook } from '../passes/playbook/store.ts';

/** A problem of long-term memory. */
export interface Finding {
  /** `damaged`: a file or lines of it cannot be read. `warning`: the content is doubtful. `overdue`: a pass is due. */
  readonly kind: 'damaged' | 'warning' | 'overdue';
  /** A sentence. */
  readonly text: string;
}

const LINES: readonly (readonly [name: string, schema: SchemaName])[] = [
  ['lessons.jsonl', 'lesson'],
  ['audit.jsonl', 'lesson-audit'],
  ['observations.jsonl', 'observation'],
  ['repairs.jsonl', 'repair'],
  ['trials.jsonl', 'memory-trial'],
];
const FILES: readonly (readonly [name: string, schema: SchemaName])[] = [
  ['insights.json', 'insights'],
  ['playbook.json', 'playbook'],
  ['micro.json', 'micro-state'],
];
/** Share of mostly contradicted lessons from which there is a warning. */
const MISLEADING = 0.3;
/** Lessons with effects below which there is no such warning. */
const LEAST_JUDGED = 5;

/** The problems of long-term memory. Throws RalphError where it cannot be read. */
export async function memoryHealth(
  repositoryRoot: string,
  store: LessonStore,
  settings: InsightSettings,
): Promise<Finding[]> {
  const damaged = [
    ...(await Promise.all(LINES.map(([name, schema]) => damagedLines(repositoryRoot, name, schema)))),
    ...(await Promise.all(FILES.map(([name, schema]) => damagedFile(repositoryRoot, name, schema)))),
  ].flat();
  const seq = (await readObservations(repositoryRoot)).at(-1)?.seq ?? 0;
  const playbook = await readPlaybook(repositoryRoot);
  const insights = await readInsights(repositoryRoot);
  const isSynthesisDue = insights.due || isInsightDue(seq, insights, settings);
  const unread = plural(seq - insights.reflected_through, 'attempt');
  const since = seq - (playbook?.consolidated_through ?? 0);
  return [
    ...damaged,
    ...(playbook === undefined ? [] : healthWarnings(renderPlaybook(playbook)).map(warning)),
    ...misleading(await store.list()),
    ...(isSynthesisDue ? [overdue(`A synthesis is due after ${unread}: ralph insights reflect`)] : []),
    ...(since >= INTERVAL.periodic
      ? [overdue(`The playbook is due after ${plural(since, 'attempt')}: ralph playbook consolidate`)]
      : []),
  ];
}

async function damagedLines(repositoryRoot: string, name: string, schema: SchemaName): Promise<Finding[]> {
  const text = await readText(repositoryRoot, name);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const bad = lines.filter((line) => {
    const read = unsealLine(line);
    return !read.ok || !validate(schema, read.value).ok;
  });
  return bad.length === 0
    ? []
    : [{ kind: 'damaged', text: `${memoryPath(name)}: damaged lines: ${bad.length} of ${lines.length}.` }];
}

async function damagedFile(repositoryRoot: string, name: string, schema: SchemaName): Promise<Finding[]> {
  const text = await readText(repositoryRoot, name);
  if (text === '') return [];
  const read = unsealText(text);
  if (read.ok && validate(schema, read.value).ok) return [];
  const why = read.ok ? 'it violates its schema' : read.problem;
  return [{ kind: 'damaged', text: `${memoryPath(name)} is damaged: ${why}.` }];
}

function misleading(lessons: Awaited<ReturnType<LessonStore['list']>>): Finding[] {
  const judged = lessons.filter(({ support, contradiction }) => support + contradiction > 0);
  const wrong = judged.filter(({ support, contradiction }) => contradiction > support);
  if (judged.length < LEAST_JUDGED || wrong.length / judged.length < MISLEADING) return [];
  return [
    warning(
      `${wrong.length} of ${judged.length} lessons with effects were contradicted more often than supported.`,
    ),
  ];
}

function warning(text: string): Finding {
  return { kind: 'warning', text };
}

function overdue(text: string): Finding {
  return { kind: 'overdue', text };
}

async function readText(repositoryRoot: string, name: string): Promise<string> {
  const content = await readMemoryBytes(repositoryRoot, name).catch(() => undefined);
  return content?.toString('utf8') ?? '';
}
