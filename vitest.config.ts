import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Those take minutes: npm run test:reliability.
    exclude: ['test/fixtures/**', ...(process.env.RALPH_RELIABILITY === '1' ? [] : ['test/reliability/**'])],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most tests wait for programs that they start.
    maxWorkers: 3,
  },
});
