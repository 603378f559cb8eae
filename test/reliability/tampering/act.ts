/** The actor's process: `node act.ts GROUND NAME` does what the catalogue says, in the folder it is started in. */
import { CATALOGUE } from './catalogue.ts';
import { GROUNDS, type GroundName } from './grounds.ts';
import { files } from './workspace.ts';

const [ground, name] = process.argv.slice(2) as [GroundName, string];
const found = CATALOGUE.find((it) => it.name === name);
if (found === undefined) throw new Error(`The catalogue has no "${name}".`);
found.act(files, GROUNDS[ground]);
