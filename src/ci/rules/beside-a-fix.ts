import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { isNamedTest, isTest } from '../../workspace/protect/protected-paths.ts';
import { isForReaders } from './added-texts.ts';
import { powersOf } from './powers.ts';
import { reachesOf } from './reaches.ts';
import { takesUnnamedMembers } from './unnamed-members.ts';

/** A changed file, before and after; undefined: there is none. */
export interface FileTexts {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Whether a test of the repository, before the change, imports a package. */
export type IsUsedByTests = (name: string) => boolean;

const SOURCE = /\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.[cm]?ts$/;
const REFERENCE = /:\/\/|<reference|\bimport\s*\(/;
/** Declarations for other files than those that import them. */
const AMBIENT = /\bdeclare\s+(?:global|module)\b/g;
const MODULE = /^\s*(?:import|export)\b/m;
/** What a test reaches to be one. */
const TEST_NAMES =
  /^uses the global name "(?:describe|suite|context|it|test|specify|expect|assert|vi|jest|mocha|(?:before|after)(?:Each|All)?|setup|teardown)"$/;
/** Packages that run tests and compare values. */
const RUNNERS = /^(?:vitest|@jest\/globals|jasmine|mocha|chai|ava|tap|tape|uvu|expect|should|@japa\/runner)$/;
/** Markdown that people read; files of other names may be instructions for agents. */
const LOG = /^(?:changelog|changes|history|news)\.md$/i;
const PAGE = /^(?:readme\.md|docs?\/[\w./-]+\.md)$/i;
const AGENT_NAME = /^(?:agents?|claude|gemini|warp|skill|copilot\S*|conventions|\S*instructions|\S*rules)\b/i;
/** Words and code spans, without links, pipes, HTML, mentions and numbers of issues. */
const PROSE = /^(?!.*(?:https?:|www\.|#\d|gh-\d))[\p{L}\p{N}\s.,;:'"’“”()*#`_+=%/–—-]*$/iu;

/**
 * Whether a change that no check needs may stay beside a fix, because nothing runs it and nobody is led by it: a new test
 * whose code reaches nothing outside and names what it takes, declarations of types, and lines of plain text in a page or a list of changes.
 */
export function isBesideAFix({ path, before, after }: FileTexts, isUsed: IsUsedByTests): boolean {
  if (after === undefined) return false;
  if (DECLARATION.test(path)) return !REFERENCE.test(after) && !isAmbient(before, after);
  if (before === undefined && SOURCE.test(path) && (isTest(path) || isNamedTest(path)))
    return (
      powersOf(after).size === 0 &&
      [...reachesOf(path, after)].every((reach) => isOfTests(reach, isUsed)) &&
      !takesUnnamedMembers(path, after)
    );
  const name = posix.basename(path);
  if (AGENT_NAME.test(name)) return false;
  return LOG.test(name) || (before !== undefined && PAGE.test(path)) ? addsProse(before ?? '', after) : false;
}

/**
 * Whether what a test reaches is its runner, or a package that other tests use: not the files, the network or the variables of
 * the machine.
 */
function isOfTests(reach: string, isUsed: IsUsedByTests): boolean {
  const [, name] = /^imports "([^"]+)"$/.exec(reach) ?? [];
  if (name === undefined) return TEST_NAMES.test(reach);
  return name === 'test' || (!isBuiltin(name) && (RUNNERS.test(name) || isUsed(name)));
}

/** Whether types are declared anew for all files. */
function isAmbient(before: string | undefined, after: string): boolean {
  const count = (text: string): number => text.match(AMBIENT)?.length ?? 0;
  return count(after) > count(before ?? '') || (before === undefined && !MODULE.test(after));
}

function addsProse(before: string, after: string): boolean {
  const kept = linesOf(before);
  const added: string[] = [];
  for (const line of linesOf(after)) {
    if (line === kept[0]) kept.shift();
    else added.push(line);
  }
  return kept.length === 0 && added.every((line) => PROSE.test(line)) && isForReaders(added.join('\n'));
}

function linesOf(text: string): string[] {
  return text.trimEnd().split(/\r?\n/);
}
