import { isTestFile } from './phrases.ts';

/** Files besides tests that ralph restores before it scores an attempt. */
const PROTECTED_NAME =
  /(^|\/)(package(-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|tsconfig[\w.-]*\.json|(vitest|jest|eslint|vite|babel)\.config\.[cm]?[jt]s|\.eslintrc[\w.]*|\.mocharc[\w.]*)$/;
const PATH = /(?:[\w@.-]+\/)*[\w@.-]+\.[a-z]{1,5}\b/g;
/** A word of the sentence, not a part of a path or a name in code. */
const EDIT_VERB =
  /(?<![^\s("'])(edit|change|modify|update|adjust|rewrite|relax|loosen|fix|correct|delete|remove|comment out|replace|set|write|add)(?=\s)/i;
const TESTS =
  /\b(edit|change|modify|update|adjust|rewrite|relax|loosen|delete|remove|comment out|correct|weaken)\b[^.;]{0,40}\b(the |that |this |failing |its )?(tests?|assertions?|expected values?|expectations?)\b(?! (pass|fail|run))/i;
/** A sentence that makes tests agree with the code, in other words. */
const TESTS_FOLLOW =
  /\b(adapt|align|amend|alter|revise|tweak|reword|re-?record|regenerate|refresh|overwrite|drop|lower|raise|bring|match)\s+((the|that|this|all|both|its|failing|expected|old) )*(tests?|assertions?|values? of the tests?|expectations?|snapshots?)\b|\b(let|make|have|get)\b[^.;]{0,20}\b(tests?|assertions?|specs?|snapshots?)\b[^.;]{0,40}\b(expects?|accepts?|match(es)?|agrees?|allows?|tolerates?)\b|\b(adapt|align|match|update|bring|adjust)\b[^.;]{0,20}\b(specs?|snapshots?|expectations?)\b|\bsnapshots?\b[^.;]{0,20}\b(update|write|regenerate)|--(updateSnapshot|update-snapshots?)\b|\b(vitest|jest|ava)\b[^.;]{0,40}\s-u\b|\bexpect (?!the\b)\S+ instead of\b[^.;]{0,40}\bin the test/i;

/** Scripts, settings and thresholds that decide what a check asks for. */
const SETTINGS =
  /\b(set|change|edit|modify|update|adjust|replace|rewrite|remove|delete|lower|relax|loosen|weaken|disable|turn off|override|point|redirect)\b[^.;]{0,40}\b((test|lint|build|check|type-?check) (script|command|config\w*|settings?|rules?)|scripts\.\w+|coverage threshold|(eslint|tsconfig|vitest|jest|mocha|ava|prettier|tsc|compiler) (config\w*|settings?|options?|rules?)|compilerOptions|strict mode|`?strict`?(?= (to|in|off))|testTimeout|test timeout)/i;

/** A source file that is not to be edited: where the fault lies, nobody knows. Of protected files it is right. */
const SPARED =
  /\b(?:leave\b(?=[^;]*\b(?:alone|as it is|untouched|unchanged)\b)|(?:never|do not|don't) (?:edit|touch|change|modify))[^.;]{0,30}?\b(?!(?:[\w.-]+\/)*(?:tests?|specs?|__tests__)\/)(?![\w./-]*[.-](?:test|spec)\.)(?:[\w.-]+\/)+[\w.-]+\.[cm]?[jt]sx?(?=[\s,.:`]|$)/i;
const NEGATED =
  /\b(not|never|don't|cannot|can't|must not|without|instead of|avoid|leave|refused|restored|reverted)\b/i;

/** Advice that an attempt must not follow, with the reason to refuse it. */
const REFUSED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /\b(it|test|describe|suite)\.(skip|only|todo)\b|\bx(it|describe|test)\b|--no-verify\b|@ts-(ignore|expect-error|nocheck)\b|eslint-disable|\b(skip|disable|bypass|silence|turn off|mute)\b[^.;]{0,30}\b(tests?|checks?|lint\w*|type.?check\w*|eslint|tsc|rules?|assertions?|hooks?)\b|\b[A-Z_]*SKIP[A-Z_]*\s*=|\b(mark|flag|tag|declare|label|treat)\b[^.;]{0,60}\b(skip\w*|todo|pending|flaky|xfail|expected to fail|optional)\b|\bas (a )?(skip|todo)\b|\bcomment out\b[^.;]{0,30}\b(tests?|assertions?)\b|--?(test-)?(skip|only|name)-pattern\b/,
    'It advises to skip a check.',
  ],
  [
    /\b(stop|end|finish|quit) (here|now|the (attempts?|task|work|(loop|search)(?! (in|at|of|over|that|when|once|before|after)\b)))\b|\bgive up\b|\bdo nothing\b|\bnothing (else |more )?(is|remains|needs)\b[^.;]{0,20}\b(left|to do|done)?|\bno (more|further) (changes?|edits?|work)\b|\bhard-?cod(e|ed|ing)\b(?! (values?|numbers?|constants?) (out|into))/i,
    'It advises to stop, or to write an answer instead of code.',
  ],
  [
    /\b(npm|pnpm|yarn|bun)\s+(i|install|add|ci|update|upgrade)\b|\bnpx\s+-y\b|\b(pip3?|brew|apt(-get)?|cargo|gem)\s+(install|add)\b|\binstall\b[^.;]{0,30}\b(package|dependenc|module|library|version)/i,
    'It advises to install something.',
  ],
  [
    /\bhttps?:\/\/|\b(curl|wget)\b|\bdownload\b|\bfetch\b[^.;]{0,30}\b(from (the |a |an )?(net|internet|web|server|api|network|remote|url|endpoint)|online|url|(with|by|using) `?fetch\b)/i,
    'It advises to use the network.',
  ],
  [
    /\benvironment variables?\b|\bexport [A-Z]\w*=|\bprocess\.env\.\w+`?\s*=(?!=)|\b[A-Z][A-Z\d_]*=\S* (npm|npx|pnpm|yarn|bun|node|deno|make|vitest|jest|mocha|ava|tsc|eslint)\b|\b[A-Z][A-Z\d_]*=\S* (before|when|while|for|during) (you |each |every |the |running|testing|test|run)|\b(run|rerun|start|test)\b[^.;]*\bwith `?[A-Z][A-Z\d_]*=/,
    'It advises to set an environment variable.',
  ],
];

/**
 * The reason why advice is against ralph's rules, as a sentence: it would skip a check, install something, use the network,
 * or edit a protected file (by default one that is protected by its name). Undefined for other texts, and for a sentence that warns of it ("do not install").
 */
export function policyProblem(
  text: string,
  isProtected: (file: string) => boolean = isProtectedName,
): string | undefined {
  for (const sentence of text.split(/(?<=[.!?;])\s+/)) {
    if (SPARED.test(sentence)) return 'It advises to leave code alone that may be at fault.';
    if (NEGATED.test(sentence)) continue;
    const refused = REFUSED.find(([pattern]) => pattern.test(sentence))?.[1];
    if (refused !== undefined) return refused;
    if (SETTINGS.test(sentence)) return 'It advises to edit the settings of a check, which are protected.';
    if (TESTS.test(sentence) || TESTS_FOLLOW.test(sentence))
      return 'It advises to edit tests, which are protected.';
    if (skipsTestFile(sentence)) return 'It advises to skip a check.';
    const file = protectedTarget(sentence, isProtected);
    if (file !== undefined) return `It advises to edit ${file}, which is protected.`;
  }
  return undefined;
}

/** True for a file that ralph restores before it scores an attempt, as far as its name tells. */
export function isProtectedName(file: string): boolean {
  return isTestFile(file) || PROTECTED_NAME.test(file);
}

const SKIP_VERB = /\b(?:skip|disable|bypass|silence|mute|ignore|exclude|leave out|do without)\b/i;

/** True for a sentence that says to leave out a test file. */
function skipsTestFile(sentence: string): boolean {
  const verb = SKIP_VERB.exec(sentence);
  const [file] = verb === null ? [] : (sentence.slice(verb.index).match(PATH) ?? []);
  return file !== undefined && isTestFile(file);
}

/** A file in front of what is to be edited in it, such as `In package.json, set …`. */
const PLACED =
  /^(?:then |next,? |first,? )?(?:in|at|inside|within|open|go to)\s+(?:the (?:file )?)?[`"']?((?:[\w@.-]+\/)*[\w@.-]+\.[a-z]{1,5})(?::\d+)?[`"']?\s*[,:]?\s*(?:and )?(?:then )?$/i;

/**
 * The protected file that a sentence says to edit: the first path after an editing verb, such as
 * `change 18 to 20 in test/cart.test.ts`, or one that stands in front of the verb.
 */
function protectedTarget(sentence: string, isProtected: (file: string) => boolean): string | undefined {
  const verb = EDIT_VERB.exec(sentence);
  if (verb === null) return undefined;
  const [file] = sentence.slice(verb.index).match(PATH) ?? [];
  const [, placed] = PLACED.exec(sentence.slice(0, verb.index)) ?? [];
  return [file, placed].find((one) => one !== undefined && isProtected(one));
}
