import type { Node } from '@babel/types';
import { applyEdits, type Candidate, type Edit } from '../syntax/edit.ts';
import { editsOf, uncheckTypes, wrapRanges, type Wrapping } from '../syntax/wrappings.ts';
import { chooser, moduleConstants, redirectReads, type ModuleConstant } from '../syntax/module-constants.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../syntax/parse.ts';
import { isLoneBody, runsPerCall } from '../syntax/walk.ts';
import { inStatementList, isFunction, isLoop, isStatement, sitesOf, type Site } from '../syntax/walk.ts';

/** A candidate under the number that switches it on. */
export interface NumberedCandidate {
  /** Unique over all files of one process. */
  readonly id: number;
  readonly candidate: Candidate;
}

export interface SwitchedSource {
  /** The file with every embedded candidate in it, asleep until its number is the active one. */
  readonly text: string;
  /** In the order in which they were given. */
  readonly embedded: readonly NumberedCandidate[];
  /** Candidates that only a run of their own can try: code that runs once, when its module loads. */
  readonly left: readonly Candidate[];
}

/**
 * A piece of code that can be written twice: it runs anew with each call and binds no name for its neighbours. Of
 * a module's constant it is the value, chosen wherever it is read.
 */
interface Region {
  readonly kind: 'statement' | 'initializer' | 'arrow' | 'body' | 'constant';
  readonly start: number;
  readonly end: number;
  readonly constant?: ModuleConstant;
}

const ACTIVE = 'globalThis.__ralphActive';
const REACHED = 'globalThis.__ralphReached=true';
const TICK = 'globalThis.__ralphTick?.();';

/**
 * Writes all candidates for one file into one text. The smallest piece of code around a candidate's edits that
 * can stand twice gets a copy with the edits, which runs while the candidate's number is active. Numbers begin
 * with `firstId`, and those of one piece follow each other. `extras` go into the unchanged code.
 */
export function embedCandidates(
  parsed: ParsedSource,
  candidates: readonly Candidate[],
  firstId: number,
  extras: readonly Wrapping[] = [],
): SwitchedSource {
  const sites = sitesOf(parsed.tree.program);
  const constants = moduleConstants(parsed).map((constant): Region => {
    const { start, end } = constant;
    return { kind: 'constant', start, end, constant };
  });
  const regions = [...constants, ...sites.flatMap((site) => regionsAt(site, parsed.text))];
  const ticks = sites.flatMap(ticksAt);
  const placed = candidates.map((candidate) => ({ candidate, region: smallest(regions, candidate.edits) }));
  const housed = number(
    placed.filter((entry): entry is Placed => entry.region !== undefined),
    firstId,
  );
  const render = (entries: readonly Housed[]): string => renderSwitched(parsed, { ticks, extras }, entries);
  const embedded = soundOf(housed, (entries) => parsesAsWell(parsed, render(entries)));
  const kept = new Set(embedded.map(({ candidate }) => candidate));
  return {
    text: render(embedded),
    embedded,
    left: candidates.filter((candidate) => !kept.has(candidate)),
  };
}

interface Placed {
  readonly candidate: Candidate;
  readonly region: Region;
}

type Housed = Placed & NumberedCandidate;

/** One comparison then tells whether the active candidate is in a piece at all. */
function number(placed: readonly Placed[], firstId: number): Housed[] {
  const ids = new Map<Placed, number>();
  for (const entries of Map.groupBy(placed, ({ region }) => region).values()) {
    for (const entry of entries) ids.set(entry, firstId + ids.size);
  }
  return placed.map((entry) => ({ ...entry, id: ids.get(entry)! }));
}

/** The candidates that can live in one text; halving finds those that break it for all. */
function soundOf(housed: readonly Housed[], isSound: (entries: readonly Housed[]) => boolean): Housed[] {
  if (housed.length === 0 || isSound(housed)) return [...housed];
  if (housed.length === 1) return [];
  const middle = housed.length >> 1;
  return [...soundOf(housed.slice(0, middle), isSound), ...soundOf(housed.slice(middle), isSound)];
}

function parsesAsWell(original: ParsedSource, text: string): boolean {
  const parsed = parseSource(original.file, text);
  return !('problem' in parsed) && parsed.errors.length <= original.errors.length;
}

function renderSwitched(
  parsed: ParsedSource,
  { ticks, extras }: { ticks: readonly Wrapping[]; extras: readonly Wrapping[] },
  housed: readonly Housed[],
): string {
  const byRegion = Map.groupBy(housed, ({ region }) => region);
  const switches = [...byRegion].flatMap(([region, numbered]) =>
    switchOf(parsed, ticks, { region, numbered }),
  );
  return wrapRanges(parsed.text, [uncheckTypes(parsed), ...ticks, ...switches, ...extras]);
}

function switchOf(
  parsed: ParsedSource,
  ticks: readonly Wrapping[],
  { region, numbered }: { region: Region; numbered: readonly NumberedCandidate[] },
): Wrapping[] {
  const variants = numbered
    .map(({ id, candidate }) => ({ id, text: variantOf(parsed, ticks, { region, edits: candidate.edits }) }))
    .sort((a, b) => a.id - b.id);
  const { kind, constant } = region;
  if (kind !== 'constant') return [{ start: region.start, end: region.end, ...RENDERERS[kind](variants) }];
  const choose = `__ralph_${variants[0]!.id}`;
  const { length } = parsed.text;
  const declaration = chooser(choose, { active: ACTIVE, reached: REACHED, value: choice(variants) });
  return [
    ...redirectReads(constant!, isAmong(variants), choose),
    { start: length, end: length, before: declaration, after: '' },
  ];
}

function variantOf(
  { file, text }: ParsedSource,
  ticks: readonly Wrapping[],
  { region, edits }: { region: Region; edits: readonly Edit[] },
): string {
  const guards = ticks
    .filter(({ start, end }) => region.start <= start && end <= region.end)
    .filter(({ start, end }) => !edits.some((edit) => touches(edit, start) || touches(edit, end)))
    .flatMap((tick) => editsOf(file, tick));
  const local = [...guards, ...edits]
    .map((edit) => ({ ...edit, start: edit.start - region.start, end: edit.end - region.start }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  return applyEdits(text.slice(region.start, region.end), local);
}

function touches({ start, end }: Edit, at: number): boolean {
  return start <= at && at <= end;
}

interface Variant {
  readonly id: number;
  readonly text: string;
}

type Renderer = (variants: readonly Variant[]) => { before: string; after: string };

const RENDERERS: Readonly<Record<Exclude<Region['kind'], 'constant'>, Renderer>> = {
  statement(variants) {
    const label = `__ralph_${variants[0]!.id}`;
    return { before: `${label}:{${branches(variants, `break ${label};`)}`, after: '\n}' };
  },
  initializer: (variants) => ({ before: `(${isAmong(variants)}?${choice(variants)}:(`, after: '\n))' }),
  arrow: (variants) => ({
    before: `{if(${isAmong(variants)})return ${choice(variants)};return (`,
    after: '\n);}',
  }),
  body: (variants) => ({ before: branches(variants, 'return;'), after: '' }),
};

/** Statements that run the active variant and then `leave`; nothing when none of them is active. */
function branches(variants: readonly Variant[], leave: string): string {
  const halve = (part: readonly Variant[]): string => {
    if (part.length === 1) return `{${REACHED};${part[0]!.text}\n;${leave}}`;
    const middle = part.length >> 1;
    const left = halve(part.slice(0, middle));
    return `{if(${ACTIVE}<${part[middle]!.id})${left}else${halve(part.slice(middle))}}`;
  };
  return `if(${isAmong(variants)})${halve(variants)}`;
}

/** The same as an expression. Halving keeps it flat: a chain of hundreds would exhaust the stack of parsers. */
function choice(variants: readonly Variant[]): string {
  if (variants.length === 1) return `(${REACHED},(${variants[0]!.text}\n))`;
  const middle = variants.length >> 1;
  const left = choice(variants.slice(0, middle));
  return `(${ACTIVE}<${variants[middle]!.id}?${left}:${choice(variants.slice(middle))})`;
}

function isAmong(variants: readonly Variant[]): string {
  return `${ACTIVE}>=${variants[0]!.id}&&${ACTIVE}<=${variants.at(-1)!.id}`;
}

function smallest(regions: readonly Region[], edits: readonly Edit[]): Region | undefined {
  const start = Math.min(...edits.map((edit) => edit.start));
  const end = Math.max(...edits.map((edit) => edit.end));
  let best: Region | undefined;
  for (const region of regions) {
    if (region.start > start || region.end < end) continue;
    if (best === undefined || region.end - region.start <= best.end - best.start) best = region;
  }
  return best;
}

function regionsAt(site: Site, text: string): Region[] {
  const { node, key, parent } = site;
  const range = { start: startOf(node), end: endOf(node) };
  if (isFunction(node)) return bodyRegion(site, text);
  if (!runsPerCall(site)) return [];
  if (parent?.node.type === 'ArrowFunctionExpression' && key === 'body' && node.type !== 'BlockStatement') {
    return [{ kind: 'arrow', ...range }];
  }
  if (parent?.node.type === 'VariableDeclarator' && key === 'init')
    return [{ kind: 'initializer', ...range }];
  return isCopyable(site, text) ? [{ kind: 'statement', ...range }] : [];
}

function isCopyable(site: Site, text: string): boolean {
  const { node } = site;
  if (!isStatement(node) || !(inStatementList(site) || isLoneBody(site))) return false;
  if (BINDING.has(node.type) && !(node.type === 'VariableDeclaration' && node.kind === 'var')) return false;
  return !callsSuper(node, text);
}

const BINDING = new Set(['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration']);

/** The inside of a body in braces, after its directives; not where `super()` must come first. */
function bodyRegion({ node }: Site, text: string): Region[] {
  const body = 'body' in node ? node.body : undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body.type !== 'BlockStatement')
    return [];
  if (callsSuper(body, text)) return [];
  const last = body.directives.at(-1);
  return [
    { kind: 'body', start: last === undefined ? startOf(body) + 1 : endOf(last), end: endOf(body) - 1 },
  ];
}

function callsSuper(node: Node, text: string): boolean {
  return /\bsuper\s*\(/.test(text.slice(startOf(node), endOf(node)));
}

/** A call at the start of each loop's body, which ends loops that no time-out could. */
function ticksAt({ node }: Site): Wrapping[] {
  if (!isLoop(node) || !('body' in node)) return [];
  const body = node.body as Node;
  const start = startOf(body);
  if (body.type === 'BlockStatement') return [{ start: start + 1, end: start + 1, before: TICK, after: '' }];
  return [{ start, end: endOf(body), before: `{${TICK}`, after: '}' }];
}
