import { codeOf } from '../../../src/platform/text/code-span.ts';
import { failuresIn } from '../failures.ts';
import { describes, type Print } from '../rerun.ts';
import { SPAN, type Rule } from './rule.ts';

/** A place to print at, without code. */
export const placeOf = (file: string, line: string): Print => ({ file, line: Number(line), code: '' });

const VALUE = new RegExp(
  `(${SPAN}) at (\\S+):(\\d+) was (.*?)(?=(?:, | and )${SPAN} at \\S+:\\d+ was |$)`,
  'gs',
);

const placesIn = (list: string): Print[] =>
  [...list.matchAll(/(\S+\.[cm]?[jt]sx?):(\d+)/g)].map(([, file, line]) => placeOf(file!, line!));

/** What a run of the test showed, against a run of it with prints. */
export const TRACE_RULES: readonly Rule[] = [
  [
    /^a traced run of it executed (.*), which this attempt wrote$/i,
    (facts, [, list]) => {
      const places = placesIn(list!);
      const more = Number(/ and (\d+) more$/.exec(list!)?.[1] ?? 0);
      const isWritten = places.every(({ file, line }) => facts.written(file).has(line));
      return (
        isWritten &&
        places.length > 0 &&
        facts.rerun(places).every((seen) => seen.length > 0) &&
        (more === 0 || facts.writtenLines().length >= places.length + more)
      );
    },
  ],
  [
    /^(?:a traced run of (?:it|the test ".*")|traced runs of (?:them|\d+ of them)) executed no line that this attempt wrote$/,
    (facts, [text]) => {
      const unrun = failuresIn('Passing now', facts).filter((one) =>
        facts.rerunOf(one, facts.writtenLines()).every((seen) => seen.length === 0),
      );
      const [, count = '1'] = /(\d+) of them/.exec(text) ?? [];
      return unrun.length >= Number(count);
    },
  ],
  [
    /^a traced run of it, in its own process and after its modules had loaded, executed no line that this attempt wrote$/i,
    (facts) => facts.rerun(facts.writtenLines()).every((seen) => seen.length === 0),
  ],
  [
    /^in (?:a traced run of it|that run) (.*)$/is,
    (facts, [, list]) => {
      const claims = [...list!.matchAll(VALUE)];
      const prints = claims.map(([, code, file, line]) => ({
        ...placeOf(file!, line!),
        code: codeOf(code!),
      }));
      const seen = facts.rerun(prints);
      return claims.length > 0 && claims.every(([, , , , said], index) => describes(said!, seen[index]!));
    },
  ],
  [
    /(?:is|fails) on a line that (?:this|the) attempt wrote$/i,
    (facts) =>
      facts.reported().some(({ file, line }) => file !== undefined && facts.written(file).has(line ?? 0)),
  ],
  [
    /^it passes through (?:`(.*)` in )?(\S+):(\d+), and none of its stack frames is in a file that I changed$/i,
    (facts, [, , file, line]) =>
      facts
        .reported()
        .some(
          ({ frames = [] }) =>
            frames.some((frame) => frame.file === file && frame.line === Number(line)) &&
            !frames.some((frame) => facts.changedFiles().includes(frame.file)),
        ),
  ],
];
