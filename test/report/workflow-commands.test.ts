import { expect, test } from 'vitest';
import {
  createAnnotations,
  quietSection,
  renderAnnotation,
  renderOutputs,
} from '../../src/report/workflow-commands.ts';
import type { Diagnostic } from '../../src/schema/generated.ts';
import { parseOutputs } from '../support/github/job.ts';

test('renders an annotation on one line, with all texts escaped', () => {
  const hostile = 'a\n::set-output name=x::1\r\n::stop-commands::x%0A\u001b[2J\u2028end';
  const line = renderAnnotation({
    level: 'error',
    message: hostile,
    title: `x,file=/etc/passwd::${hostile}`,
    file: 'src/a,b:c.js\n',
    line: 3,
  });
  expect(line.split(/[\r\n\u2028]/)).toHaveLength(1);
  expect(line).toMatch(
    /^::error file=src\/a%2Cb%3Ac\.js%0A,line=3,title=x%2Cfile=\/etc\/passwd%3A%3Aa%0A[^,]*::a%0A/,
  );
  expect(line).not.toContain('\u001b');
  expect(line).toContain('%250A');
});

test('omits a line without a file, and cuts long messages', () => {
  const line = renderAnnotation({ level: 'notice', message: 'word '.repeat(5000), line: 3 });
  expect(line).toMatch(/^::notice::word/);
  expect(line.length).toBeLessThan(2000);
});

test('annotates at most ten errors, and no warnings', () => {
  const one: Diagnostic = {
    type: 'test_failure',
    message: 'no',
    severity: 'error',
    check: 'tests',
    fingerprint: 'f',
    file: 'a.js',
    line: 2,
    rule: 'adds',
  };
  const shown = createAnnotations([
    { ...one, severity: 'warning' },
    ...Array.from({ length: 30 }, () => one),
  ]);
  expect(shown).toHaveLength(10);
  expect(shown[0]).toEqual({ level: 'error', message: 'no', title: 'tests: adds', file: 'a.js', line: 2 });
});

test('a value cannot set another output', () => {
  const outputs = { verified: 'false', text: 'a\nverified=true\nverified<<X\ntrue\nX\nend-1', empty: '' };
  expect(parseOutputs(renderOutputs(outputs))).toEqual(outputs);
});

test('each quiet section has its own random token', () => {
  const [first, second] = [quietSection(), quietSection()];
  const mark = first.begin.replace('::stop-commands::', '');
  expect(mark).toMatch(/^ralph-[0-9a-f-]{36}$/);
  expect(first.end).toBe(`::${mark}::`);
  expect(second.begin).not.toBe(first.begin);
});
