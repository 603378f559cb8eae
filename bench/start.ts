import { RALPH, spread, time } from './measure.ts';

/** Measures the wall time of `ralph --version` divided by that of `node -e 0`, in pairs of runs. */
export async function measureStart(pairs: number): Promise<string> {
  const node = process.execPath;
  const ratios: number[] = [];
  await time(node, [RALPH, '--version'], '.');
  for (let pair = 0; pair < pairs; pair++) {
    const bare = await time(node, ['-e', '0'], '.');
    const version = await time(node, [RALPH, '--version'], '.');
    ratios.push(version.ms / bare.ms);
  }
  return `start     ralph --version ÷ node -e 0 = ${spread(ratios, 2)}, ${pairs} pairs`;
}
