import type { Suite } from './suite.ts';

/** The parts of `npm run reliability` by name. Each is loaded when it runs. */
export const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  tampering: async () => (await import('./tampering.ts')).tamperingSuite,
  drawn: async () => (await import('./drawn.ts')).drawnSuite,
  sandbox: async () => (await import('./sandbox.ts')).sandboxSuite,
  processes: async () => (await import('./processes.ts')).processesSuite,
  durability: async () => (await import('./durability.ts')).durabilitySuite,
  repositories: async () => (await import('./repositories.ts')).repositoriesSuite,
  evaluators: async () => (await import('./evaluators.ts')).evaluatorsSuite,
  fuzz: async () => (await import('./fuzz.ts')).fuzzSuite,
  kills: async () => (await import('./kills.ts')).killsSuite,
  text: async () => (await import('./text.ts')).textSuite,
};
