import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importReflections, type ImportReport } from '../../../src/memory/exchange/import.ts';
import { renderExport } from '../../../src/memory/exchange/render.ts';
import { identityOf } from '../../../src/memory/exchange/identity.ts';
import { candidatesFrom } from '../../../src/memory/exchange/sources.ts';
import { readReflections } from '../../../src/memory/episodes/reflection-files.ts';
import { RALPH_PATHS } from '../../../src/platform/ralph-folder.ts';
import type { Reflection } from '../../../src/schema/generated.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { put, sampleAiwgRecord, sampleReflection, sharedData } from '../sample.ts';

const FOLDER = '.aiwg/ralph/reflections';

/** A store with these reflections only. */
function storeOf(...reflections: readonly Reflection[]): string {
  const root = temporaryFolder();
  for (const reflection of reflections) {
    put(root, RALPH_PATHS.reflection(reflection.loop_id, reflection.iteration), reflection);
  }
  return root;
}

function take(into: string, ...paths: readonly string[]): Promise<ImportReport> {
  return importReflections(candidatesFrom(paths), { repositoryRoot: into, dryRun: false });
}

/** The identities in a store, regardless of which reflection has the unmarked loop id. */
async function heldBy(root: string): Promise<string[]> {
  const { records, damaged } = await readReflections(root);
  expect(damaged).toEqual([]);
  return records
    .map(({ reflection }) => {
      const { base, iteration, digest } = identityOf(reflection);
      return `${base}:${iteration}:${digest}`;
    })
    .sort();
}

const files = (root: string): string[] =>
  existsSync(join(root, '.aiwg'))
    ? readdirSync(join(root, '.aiwg/ralph'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.json'))
        .sort()
    : [];

it('marks what the user imports, which does not make it another reflection', async () => {
  const [here, there] = [temporaryFolder(), storeOf(sampleReflection())];
  const options = { repositoryRoot: here, dryRun: false, marked: true };
  await importReflections(candidatesFrom([there]), options);
  const { records } = await readReflections(here);
  expect(records.map(({ reflection }) => reflection.imported)).toEqual([true]);
  expect(await importReflections(candidatesFrom([there]), options)).toMatchObject({
    imported: 0,
    identical: 1,
  });
  expect(await take(there, here)).toMatchObject({ imported: 0, identical: 1 });
});

describe('merging two stores', () => {
  it('keeps both of two different reflections, and one of two equal ones', async () => {
    const here = storeOf(sampleReflection(), sampleReflection({ iteration: 1 }));
    const there = storeOf(
      sampleReflection(),
      sampleReflection({ iteration: 1, confidence: 0.9 }),
      sampleReflection({ iteration: 2 }),
    );
    const own = readFileSync(join(here, FOLDER, 'ralph-sample/002.json'));
    expect(await take(here, there)).toMatchObject({ imported: 1, identical: 1, kept_beside: 1, refused: 0 });
    expect(readFileSync(join(here, FOLDER, 'ralph-sample/002.json'))).toEqual(own);
    const [beside] = readdirSync(join(here, FOLDER)).filter((name) => name !== 'ralph-sample');
    expect(beside).toMatch(/^ralph-sample-[0-9a-f]{12}$/);
    const kept = JSON.parse(readFileSync(join(here, FOLDER, beside!, '002.json'), 'utf8')) as Reflection;
    expect(kept).toEqual({ ...sampleReflection({ iteration: 1, confidence: 0.9 }), loop_id: beside });
  });

  it('gives the same result for any order and repetition of the sources', async () => {
    let state = 7;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
    for (let round = 0; round < 12; round++) {
      const draw = (): Reflection =>
        sampleReflection({
          loop: ['ralph-a', 'ralph-b', `ralph-${'long'.repeat(25)}`][random(3)]!,
          iteration: random(3),
          confidence: random(4) / 4,
        });
      const sources = Array.from({ length: 3 }, () =>
        storeOf(...Array.from({ length: 1 + random(6) }, draw)),
      );
      const [a, b, c] = sources as [string, string, string];
      const forward = storeOf();
      await take(forward, a, b, c);
      const backward = storeOf();
      for (const source of [c, b, a]) await take(backward, source);
      // A merged store is a source too.
      await take(backward, forward, b);
      await take(forward, backward);
      expect(await heldBy(forward)).toEqual(await heldBy(backward));
      const before = files(forward);
      expect(await take(forward, a, backward, forward)).toMatchObject({
        imported: 0,
        kept_beside: 0,
        refused: 0,
      });
      expect(files(forward)).toEqual(before);
    }
  });

  it('refuses a different reflection whose loop id is too long for a mark', async () => {
    const loop = `ralph-${'long'.repeat(28)}`;
    const here = storeOf(sampleReflection({ loop }));
    const report = await take(here, storeOf(sampleReflection({ loop, confidence: 0.1 })));
    expect(report).toMatchObject({ imported: 0, kept_beside: 0, refused: 1 });
    expect(report.refusals[0]!.reason).toContain('too long for a mark');
  });

  it('loses and overwrites nothing in concurrent imports', async () => {
    const here = temporaryFolder();
    const reports = await Promise.all(
      [0.1, 0.2, 0.3, 0.4].map((confidence) => take(here, storeOf(sampleReflection({ confidence })))),
    );
    const sum = (name: 'imported' | 'kept_beside'): number =>
      reports.reduce((all, report) => all + report[name], 0);
    expect([sum('imported'), sum('kept_beside')]).toEqual([1, 3]);
    expect(await heldBy(here)).toHaveLength(4);
  });

  it('removes temporary files of a killed import', async () => {
    const here = storeOf();
    const folder = join(here, FOLDER, 'ralph-sample');
    mkdirSync(folder, { recursive: true });
    // Above the highest possible process id.
    writeFileSync(join(folder, '.001.json.4194305-0123456789ab.ralph-tmp'), '{"half');
    await take(here, storeOf(sampleReflection()));
    expect(readdirSync(folder)).toEqual(['001.json']);
  });

  it('reports the result of a dry run, and writes nothing', async () => {
    const there = storeOf(sampleReflection(), sampleReflection({ iteration: 1 }));
    const here = storeOf(sampleReflection({ confidence: 0.1 }));
    const before = files(here);
    const planned = await importReflections(candidatesFrom([there, there]), {
      repositoryRoot: here,
      dryRun: true,
    });
    expect(files(here)).toEqual(before);
    expect(planned).toMatchObject({ dry_run: true, imported: 1, kept_beside: 1, identical: 2 });
    expect({ ...(await take(here, there, there)), dry_run: true }).toEqual(planned);
  });
});

describe('importReflections', () => {
  it.each([
    '.',
    '.aiwg',
    '.aiwg/ralph',
    FOLDER,
    `${FOLDER}/ralph-foreign`,
    `${FOLDER}/ralph-foreign/002.json`,
  ])("reads AIWG's reflections at %s", async (path) => {
    const there = temporaryFolder();
    put(there, `${FOLDER}/ralph-foreign/002.json`, sampleAiwgRecord());
    const here = temporaryFolder();
    expect(await take(here, join(there, path))).toMatchObject({ imported: 1, refused: 0 });
    const { records } = await readReflections(here);
    expect(records).toEqual([
      { path: `${FOLDER}/ralph-foreign/002.json`, number: 2, source: 'aiwg', reflection: sampleAiwgRecord() },
    ]);
  });

  const STATE = {
    version: '1.0.0',
    loopId: '0b9c7c52-9a3b-4d7e-8d11-2f7b9f0e6a10',
    objective: 'Make the cart tests pass',
    startTime: '2026-02-01T10:00:00.000Z',
    config: { memory: 5 },
    currentPid: null,
    iterations: [
      {
        number: 1,
        status: 'incomplete',
        analysis: { completed: false, blockers: ['cart.test.js fails'], nextApproach: 'Round each line.' },
        learnings: ['The total is rounded once.'],
        filesModified: ['src/cart.js'],
        exitCode: 0,
      },
      { number: 2, learnings: [], analysis: {} },
      'broken',
    ],
  };

  it('reads states and notes of the external loop, and reports unmapped fields', async () => {
    const there = temporaryFolder();
    put(there, '.aiwg/ralph-external/session-state.json', STATE);
    put(there, '.aiwg/ralph-external/iterations/001/pre-snapshot.json', { files: [] });
    put(there, '.aiwg/ralph-external/reflections/reflection-3.json', {
      ...{
        iteration: 3,
        type: 'error_analysis',
        content: 'Prices are texts.',
        timestamp: '2026-02-02T00:00:00Z',
      },
    });
    const here = temporaryFolder();
    const report = await take(here, there);
    expect(report).toMatchObject({
      imported: 2,
      refused: 2,
      unmapped_fields: { 'state.currentPid': 1, 'iteration.exitCode': 1 },
    });
    expect(report.refusals.map(({ reason }) => reason)).toEqual(['has no learnings', 'is not an iteration']);
    const { records } = await readReflections(here);
    expect(records.map(({ path }) => path.split('/').slice(-2).join('/'))).toEqual([
      `ralph-external-${STATE.loopId}/001.json`,
      `ralph-external-${STATE.loopId}/003.json`,
    ]);
    expect(records[0]!.reflection).toMatchObject({
      task_description: STATE.objective,
      evaluator_output: { passed: false, errors: [{ message: 'cart.test.js fails' }] },
      self_reflection: {
        lessons_learned: ['The total is rounded once.'],
        actionable_insights: ['Round each line.'],
      },
      memory_metadata: { omega_capacity: 5 },
    });
  });

  const published = sharedData('reflexion-mbpp-reflections.jsonl');
  it.runIf(published !== undefined)('maps published reflections with other fields', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'runs.jsonl'), published!);
    const rows = published!
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { reflections: string[] });
    const count = rows.reduce(
      (sum, { reflections }) => sum + reflections.filter((text) => text.trim() !== '').length,
      0,
    );
    const here = temporaryFolder();
    const report = await take(here, join(folder, 'runs.jsonl'));
    expect(report.imported).toBe(count);
    expect(report.refused).toBe(0);
    expect(Object.keys(report.unmapped_fields).sort()).toEqual(['entry_point', 'is_solved']);
    expect(await take(here, join(folder, 'runs.jsonl'))).toMatchObject({ imported: 0, identical: count });
  });

  it.each([
    ['a path as its loop', { ...sampleReflection(), loop_id: '../../../etc' }],
    ['NUL in its loop', { ...sampleReflection(), loop_id: 'ralph-a\0b' }],
    ['an endless loop id', { ...sampleReflection(), loop_id: `ralph-${'a'.repeat(300)}` }],
    ['a negative iteration', { ...sampleAiwgRecord(), iteration: -1 }],
    ['an iteration without end', { ...sampleAiwgRecord(), iteration: 1e15 }],
    ['a fraction for an iteration', { ...sampleAiwgRecord(), iteration: 0.5 }],
    ['a time that is none', { ...sampleAiwgRecord(), timestamp: 'yesterday' }],
    ['another shape', { hello: 'world' }],
    ['a number', 7],
    ['nothing', null],
    ['6 MB', { ...sampleAiwgRecord(), notes: 'x'.repeat(6_000_000) }],
  ])('refuses and reports a record with %s', async (_, value) => {
    const folder = temporaryFolder();
    put(folder, 'one.json', value === null ? 'null' : value);
    const here = temporaryFolder();
    const report = await take(here, folder);
    expect(report).toMatchObject({ imported: 0, identical: 0, kept_beside: 0, refused: 1 });
    expect(report.refusals[0]!.source).toContain('one.json');
    expect(readdirSync(here)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['its loop', { loop_id: 'loop 1' }, '/loop_id must match pattern'],
    ['its time', { timestamp: 'yesterday' }, '/timestamp must match format "date-time"'],
    ['its iteration', { iteration: -1 }, '/iteration must be >= 0'],
  ])('reports %s as the only problem of an AIWG record', async (_, change, reason) => {
    const folder = temporaryFolder();
    put(folder, 'one.json', { ...sampleAiwgRecord(), ...change });
    const { refusals } = await take(temporaryFolder(), folder);
    expect(refusals.map((refusal) => refusal.reason)).toEqual([expect.stringContaining(reason)]);
    expect(refusals[0]!.reason).not.toContain('required');
  });

  it("refuses values in a row's reflections that are not texts", async () => {
    const folder = temporaryFolder();
    put(folder, 'row.json', { name: 'row', reflections: [1, null, 'Look at the bounds.'] });
    const report = await take(temporaryFolder(), folder);
    expect(report).toMatchObject({ imported: 1, refused: 2 });
    expect(report.refusals[1]).toEqual({
      source: expect.stringContaining('row.json, reflection 2'),
      reason: 'is not a text',
    });
  });

  it('explains how to convert UTF-16', async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'one.json'),
      Buffer.from(`\uFEFF${JSON.stringify(sampleReflection())}`, 'utf16le'),
    );
    expect((await take(temporaryFolder(), folder)).refusals[0]!.reason).toContain('iconv -f UTF-16 -t UTF-8');
  });

  it('reads JSONL of any size, and suggests JSONL for too large JSON', async () => {
    const folder = temporaryFolder();
    const blank = Buffer.alloc(5 * 1024 * 1024, ' ');
    blank[blank.length - 1] = 0x0a;
    const record = Buffer.from(JSON.stringify(sampleReflection()));
    const large = Buffer.concat([...Array.from({ length: 14 }, () => blank), record]);
    writeFileSync(join(folder, 'a.jsonl'), large);
    writeFileSync(join(folder, 'b.json'), large);
    const report = await take(temporaryFolder(), folder);
    expect(report).toMatchObject({ imported: 1, refused: 1 });
    expect(report.refusals[0]).toEqual({
      source: join(folder, 'b.json'),
      reason: expect.stringMatching(/^has \d+ bytes; at most 67108864 are read of one JSON text\. JSONL/),
    });
  });

  it('skips invalid lines, and counts each', async () => {
    const folder = temporaryFolder();
    const lines = [
      '{"half',
      JSON.stringify(sampleReflection()),
      '',
      '['.repeat(50_000),
      JSON.stringify(sampleAiwgRecord()),
    ];
    writeFileSync(join(folder, 'mixed.jsonl'), lines.join('\n'));
    const report = await take(temporaryFolder(), folder);
    expect(report).toMatchObject({ imported: 2, refused: 2 });
    expect(report.refusals.map(({ source }) => source.split(':').at(-1))).toEqual(['1', '4']);
  });

  it('follows no links in sources or the store', async () => {
    const there = temporaryFolder();
    put(there, 'outside/001.json', sampleReflection());
    mkdirSync(join(there, 'in'));
    symlinkSync(join(there, 'outside/001.json'), join(there, 'in/001.json'));
    symlinkSync(join(there, 'outside'), join(there, 'in/more'));
    const here = temporaryFolder();
    expect(await take(here, join(there, 'in'))).toMatchObject({ imported: 0, refused: 1 });
    mkdirSync(join(here, FOLDER), { recursive: true });
    symlinkSync(join(there, 'in'), join(here, FOLDER, 'ralph-sample'));
    await expect(take(here, join(there, 'outside'))).rejects.toMatchObject({ code: 'repository_unusable' });
    expect(readdirSync(join(there, 'in')).sort()).toEqual(['001.json', 'more']);
  });

  it('redacts secrets', async () => {
    const there = storeOf(
      sampleReflection({ task: 'Use ghp_0123456789abcdefghijABCDEFGHIJ456789 to log in' }),
    );
    const here = temporaryFolder();
    expect(await take(here, there)).toMatchObject({ imported: 1 });
    expect(await take(here, there)).toMatchObject({ identical: 1 });
    const text = readFileSync(join(here, FOLDER, 'ralph-sample/001.json'), 'utf8');
    expect(text).not.toContain('ghp_0123');
  });

  it('refuses a path that does not exist', async () => {
    await expect(take(temporaryFolder(), '/none/such')).rejects.toMatchObject({ exitCode: 2 });
    await expect(take(temporaryFolder(), 'a\0b')).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('renderExport', () => {
  it.each(['json', 'jsonl'] as const)('as %s can be imported again without loss', async (format) => {
    const here = storeOf(
      sampleReflection({ iteration: 9 }),
      sampleReflection({ iteration: 10 }),
      sampleReflection({ loop: 'ralph-b' }),
    );
    put(here, `${FOLDER}/ralph-foreign/002.json`, sampleAiwgRecord());
    const { records } = await readReflections(here);
    const folder = temporaryFolder();
    writeFileSync(join(folder, `all.${format}`), renderExport(records, format));
    const there = temporaryFolder();
    expect(await take(there, folder)).toMatchObject({ imported: 4, refused: 0 });
    expect(await readReflections(there)).toEqual({ records, damaged: [] });
  });

  it('as Markdown escapes the content of reflections', async () => {
    const here = storeOf(
      sampleReflection({
        lessons: ['Use <script>alert(1)</script> and [a](b)'],
        text: `# No heading\n${'x'.repeat(120)}`,
      }),
    );
    const { records } = await readReflections(here);
    const text = renderExport(records, 'markdown');
    expect(text).toMatch(/^# ralph-sample\n\n {4}Fix the parser\n\n## Attempt 1\n/);
    expect(text).toContain('- Use \\<script\\>alert(1)\\</script\\> and \\[a\\](b)');
    expect(text).toContain('\n    # No heading\n');
  });
});
