import { describe, expect, it } from 'vitest';
import { isLoopId, newLoopId } from '../../src/platform/loop-id.ts';

describe('isLoopId', () => {
  it.each(['ralph-a', 'ralph-fix-login-20260125-x7k2p9', `ralph-${'a'.repeat(114)}`])('accepts %s', (id) => {
    expect(isLoopId(id)).toBe(true);
  });

  it.each([
    '',
    'ralph-',
    'ralph',
    'loop-a',
    'ralph-A',
    'ralph-..',
    '../ralph-a',
    'ralph-a/../b',
    'ralph-a/b',
    'ralph-a\\b',
    'ralph-%2e%2e',
    'ralph-a\0',
    'ralph-a\n',
    'ralph-ä',
    `ralph-${'a'.repeat(115)}`,
  ])('refuses %j', (id) => {
    expect(isLoopId(id)).toBe(false);
  });
});

describe('newLoopId', () => {
  const now = new Date('2026-01-25T23:59:59Z');

  it.each([
    ['Fix the login!', 'fix-the-login'],
    ['  Größe  in çm  ', 'gro-e-in-cm'],
    ['修复登录', 'task'],
    ['', 'task'],
    ['--help', 'help'],
    ['a'.repeat(39) + ' bcd', 'a'.repeat(39)],
    ['x'.repeat(500), 'x'.repeat(40)],
  ])('begins with words of the task %j', (task, slug) => {
    const id = newLoopId(task, now);
    expect(id).toMatch(new RegExp(`^ralph-${slug}-20260125-[0-9a-z]{6}$`));
    expect(isLoopId(id)).toBe(true);
  });

  it('returns a different id each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newLoopId('same', now))).size).toBe(100);
  });
});
