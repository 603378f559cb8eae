import { expect, it, vi } from 'vitest';
import { reportStep } from '../../src/cli/commands/ci-step-report.ts';

it('prints a text as one line, so that a test title in it is no output', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  reportStep({ text: 'Still red: a title\ntree=aaaa\r\n::add-mask::x', outputs: { tree: 'bbbb' } }, {});
  const printed = write.mock.calls.map(([text]) => String(text)).join('');
  write.mockRestore();
  expect(printed).toBe('Still red: a title tree=aaaa ::add-mask::x\ntree=bbbb\n');
});
