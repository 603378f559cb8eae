import type { Fleet } from '../../src/fleet/queue/open-fleet.ts';
import { addReflections } from '../../src/fleet/memory/reflection-rows.ts';
import { storedRepository } from '../../src/fleet/memory/repository-row.ts';
import { searchRows } from '../../src/fleet/memory/search-rows.ts';
import type { AiwgRecord } from '../../src/memory/episodes/aiwg-record.ts';
import { reflectionPath } from '../../src/memory/episodes/reflection-files.ts';
import type { ReflectionQuery } from '../../src/memory/search/search.ts';
import { millisecondsOf, percentile } from './times.ts';

/** Milliseconds of one kind of query, in the median and at most. */
export interface SearchFigures {
  readonly query: string;
  readonly median: number;
  readonly most: number;
}

const BATCH = 2000;
/** So many are stored as a loop stores them; further ones are copies of these with rare words of their own. */
const STORED = 20_000;
const CATEGORIES = ['edge_case_miss', 'logic_error', 'integration_error', 'configuration_error', 'other'];
const ROUNDS = 15;
const DIGITS = 7;

/** Stores reflections of one repository and searches them. Returns the milliseconds for storing one, and of the queries. */
export async function measureSearch(fleet: Fleet, count: number) {
  const repository = await storedRepository(fleet.database, {
    name: 'example.com/team/large',
    organisation: 'example.com/team',
  });
  const stored = Math.min(count, STORED);
  const storeMs = await millisecondsOf(async () => {
    for (let from = 0; from < stored; from += BATCH) {
      const records = Array.from({ length: Math.min(BATCH, stored - from) }, (_, index) =>
        recordOf(from + index),
      );
      const placed = records.map((record) => ({
        path: reflectionPath(record.loop_id, record.iteration),
        record,
      }));
      await addReflections(fleet.database, repository, placed);
    }
  });
  await addCopies(fleet, Math.ceil(count / STORED) - 1);
  await fleet.database.query('VACUUM ANALYZE ralph.memory_reflection');
  const queries: Readonly<Record<string, (round: number) => ReflectionQuery>> = {
    'a rare word': (round) => ({ words: [wordOf('rare', (round * 7919) % count)] }),
    'a rare and a common word': (round) => ({ words: [wordOf('rare', (round * 7919) % count), 'parser'] }),
    'a word that one in 5,000 has': (round) => ({ words: [wordOf('some', round * 3)] }),
    'a word that one in 50 has': (round) => ({ words: [wordOf('some', round * 3).slice(0, -2)] }),
    'a common word, the newest': () => ({ words: ['parser'] }),
    'a category and a confidence': () => ({ categories: ['logic_error'], minConfidence: 0.9 }),
    'a file that one in 1,000 has': (round) => ({ file: `src/module-${round}.ts` }),
    'a fingerprint': (round) => ({ fingerprint: fingerprintOf(round * 13) }),
    'the last day': () => ({ since: '2026-01-30' }),
  };
  const figures: SearchFigures[] = [];
  for (const [query, make] of Object.entries(queries)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      times.push(
        await millisecondsOf(() =>
          searchRows(
            fleet.database,
            { fact: 'repository', value: repository.id },
            { ...make(round), limit: 10 },
          ),
        ),
      );
    figures.push({ query, median: percentile(times, 0.5), most: Math.max(...times) });
  }
  return { perReflection: storeMs / stored, figures };
}

/** The index of terms is made once afterwards, which is what a restored database does as well. */
async function addCopies({ database }: Fleet, copies: number): Promise<void> {
  if (copies < 1) return;
  await database.query('DROP INDEX ralph.memory_reflection_terms');
  for (let copy = 1; copy <= copies; copy++)
    await database.query(
      `WITH first AS (
         SELECT r.*, 'rare' || n AS old, 'rare' || lpad((n::bigint + ${STORED} * $1::bigint)::text, ${DIGITS}, '0') AS new
         FROM ralph.memory_reflection r, substring(record from 'rare([0-9]+)') AS n WHERE path NOT LIKE '%/copy-%')
       INSERT INTO ralph.memory_reflection
         (repository, organisation, path, digest, number, source, time, iteration, confidence, length, heavy, middle, light, terms, record)
       SELECT repository, organisation, replace(path, 'ralph-bench-', 'copy-' || $1 || '-'), digest, number, source, time, iteration,
         confidence, length, replace(heavy, ' ' || old || ' ', ' ' || new || ' '), replace(middle, ' ' || old || ' ', ' ' || new || ' '),
         replace(light, ' ' || old || ' ', ' ' || new || ' '), array_to_tsvector(array_replace(tsvector_to_array(terms), old, new)),
         replace(record, old || ' ', new || ' ')
       FROM first`,
      [copy],
    );
  await database.query('CREATE INDEX memory_reflection_terms ON ralph.memory_reflection USING gin (terms)');
}

/** Of equal length, since a word is also found as the beginning of longer ones. */
function wordOf(kind: 'rare' | 'some', number: number): string {
  return `${kind}${String(number).padStart(DIGITS, '0')}`;
}

function fingerprintOf(number: number): string {
  return (number % 5000).toString(16).padStart(12, '0');
}

function recordOf(number: number): AiwgRecord {
  const time = Date.parse('2025-06-01T00:00:00Z') + (number % 240) * 86_400_000 + number;
  return {
    loop_id: `ralph-bench-${Math.floor(number / 5)}`,
    iteration: number % 5,
    timestamp: new Date(time).toISOString(),
    task_description: `Make the tests of module ${number % 1000} pass`,
    actor_output: {
      actions: [],
      rationale: 'The bound is wrong.',
      files_modified: [`src/module-${number % 1000}.ts`],
    },
    evaluator_output: {
      passed: false,
      verification_type: 'unit_tests',
      errors: [
        // A fingerprint as ralph's own records have it.
        {
          type: 'test_failure',
          message: `expected ${number % 97} to be ${number % 89}`,
          ...{ fingerprint: fingerprintOf(number) },
        },
      ],
    },
    self_reflection: {
      reflection_text: `The parser of module ${number % 1000} drops the last item: ${wordOf('rare', number)} ${wordOf('some', number % 5000)} in the bound of the loop.`,
      credit_assignment: {
        root_cause: 'The bound is one too low.',
        failure_category: CATEGORIES[number % 5] as never,
      },
      lessons_learned: [`Check the upper bound of module ${number % 1000} before the lower one.`],
      confidence: (number % 100) / 100,
    },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
  };
}
