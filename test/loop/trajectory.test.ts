import { describe, expect, it } from 'vitest';
import { emptyTrajectory, parseTrajectory, trajectoryLines } from '../../src/loop/trajectory.ts';
import type { Trajectory } from '../../src/schema/generated.ts';

const TRAJECTORY: Trajectory = {
  ...emptyTrajectory('command', 'The actor failed.'),
  actions: [
    { type: 'command_execution', description: 'Ran the tests' },
    { type: 'code_modification', description: 'Changed a.js', file_path: 'a.js' },
  ],
};
const [HEAD, FIRST, SECOND] = trajectoryLines(TRAJECTORY).trimEnd().split('\n') as [string, string, string];

describe('parseTrajectory', () => {
  it('reads what trajectoryLines wrote', () => {
    expect(parseTrajectory(trajectoryLines(TRAJECTORY))).toEqual({
      trajectory: TRAJECTORY,
      damagedLines: [],
    });
  });

  it.each([
    ['no JSON', '{"type'],
    ['null', 'null'],
    ['an empty line', ''],
    ['no action', '{"type":"surprise"}'],
  ])('leaves out an action that is %s, and names its line', (_, line) => {
    const { trajectory, damagedLines } = parseTrajectory([HEAD, FIRST, line, SECOND].join('\n'));
    expect(trajectory).toEqual(TRAJECTORY);
    expect(damagedLines).toEqual([3]);
  });

  it.each([
    ['is empty', ''],
    ['begins with null', `null\n${FIRST}\n`],
    ['begins with half a line', HEAD.slice(0, 30)],
    ['has lost its first line', `${FIRST}\n${SECOND}\n`],
  ])('has no trajectory for a file that %s', (_, text) => {
    expect(parseTrajectory(text)).toEqual({ trajectory: undefined, damagedLines: [1] });
  });
});
