import { it } from 'vitest';
import { readWholePage } from './reader.ts';

// In a file of its own, because it takes as long as many pages of `docs`.
it('README.md: every command prints what the page shows', { timeout: 1_800_000 }, ({ skip }) => {
  readWholePage('README.md', skip);
});
