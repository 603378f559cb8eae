import * as arithmetic from './arithmetic/arithmetic.ts';
import * as boundaries from './arithmetic/boundaries.ts';
import * as terms from './arithmetic/terms.ts';
import { wrapRound } from './arithmetic/wrap-round.ts';
import { append, appendInside, dropStep, part } from './calls/append.ts';
import * as asynchronous from './calls/async.ts';
import * as calls from './calls/calls.ts';
import { otherConversion } from './calls/other-conversion.ts';
import * as wrap from './calls/wrap.ts';
import { absentValue } from './conditions/absent-value.ts';
import * as comparison from './conditions/comparison.ts';
import { conditionalValue } from './conditions/conditional-value.ts';
import * as definedness from './conditions/definedness.ts';
import { caseTest } from './conditions/case-test.ts';
import { extraCheck } from './conditions/extra-check.ts';
import { invertGuard } from './conditions/invert-guard.ts';
import * as logical from './conditions/logical.ts';
import * as membership from './conditions/membership.ts';
import { donorStatement } from './missing/donor-statement.ts';
import { lostUpdate } from './missing/lost-update.ts';
import { lostUse } from './missing/lost-use.ts';
import { plainStatement } from './missing/plain-statement.ts';
import type { Operator } from './operator.ts';
import { regexParts, regexText } from './regex/parts.ts';
import { regexExtract } from './regex/extract.ts';
import { regex } from './regex/tokens.ts';
import * as branches from './statements/branches.ts';
import { copyBranch } from './statements/copy-branch.ts';
import { earlyExit } from './statements/early-exit.ts';
import { emptyBody } from './statements/empty-body.ts';
import { superCall } from './statements/super-call.ts';
import * as guards from './statements/guards.ts';
import * as insertions from './statements/insertions.ts';
import * as returns from './statements/returns.ts';
import * as statements from './statements/statements.ts';
import { whenCheck } from './statements/when-check.ts';
import * as collections from './values/collections.ts';
import { expectedText } from './values/expected-text.ts';
import * as literals from './values/literals.ts';
import * as options from './values/options.ts';
import * as pairedEdits from './values/paired-edits.ts';
import * as properties from './values/properties.ts';
import { reuse } from './values/reuse.ts';
import * as texts from './values/texts.ts';
import { typedMember } from './values/typed-member.ts';
import * as variables from './values/variables.ts';

/** Every operator. The order decides which of two proposals with the same rank comes first. */
export const OPERATORS: readonly Operator[] = [
  comparison.comparison,
  comparison.swapCompared,
  comparison.arrowForComparison,
  arithmetic.arithmetic,
  arithmetic.swapOperands,
  arithmetic.regroup,
  arithmetic.assignment,
  arithmetic.update,
  arithmetic.sign,
  arithmetic.integerDivision,
  logical.logical,
  logical.dropCondition,
  logical.negate,
  logical.constantCondition,
  logical.missingCase,
  logical.extraCondition,
  terms.dropTerm,
  terms.extraTerm,
  terms.scale,
  boundaries.offByOne,
  boundaries.otherEnd,
  literals.number,
  literals.string,
  literals.boolean,
  literals.nothing,
  literals.templateText,
  regex,
  variables.variable,
  variables.shorthand,
  variables.literalToVariable,
  variables.expressionToVariable,
  variables.self,
  variables.initialValue,
  reuse,
  properties.builtIn,
  properties.property,
  properties.dropProperty,
  typedMember,
  append,
  appendInside,
  part,
  dropStep,
  wrap.wrap,
  wrap.convert,
  otherConversion,
  wrap.applyFunction,
  wrap.unwrap,
  calls.swapArguments,
  calls.dropArgument,
  calls.extraArgument,
  calls.spreadArgument,
  calls.swapParameters,
  calls.callOrValue,
  collections.swapElements,
  collections.swapProperties,
  collections.dropElement,
  collections.sequenceToList,
  collections.unwrapList,
  collections.swapTemplateParts,
  returns.returnValue,
  returns.missingReturn,
  returns.flipReturns,
  returns.arrowValue,
  returns.negateReturn,
  statements.deleteStatement,
  statements.deleteElse,
  statements.moveStatement,
  statements.moveInto,
  statements.duplicateStatement,
  statements.discardedResult,
  statements.jump,
  statements.missingJump,
  branches.swapBranches,
  branches.chainBranches,
  branches.missingElse,
  branches.whileOrIf,
  branches.loopHead,
  guards.guard,
  guards.conditional,
  insertions.reset,
  insertions.advance,
  insertions.copyStatement,
  insertions.useOfUnread,
  insertions.assignUnused,
  asynchronous.missingAwait,
  asynchronous.dropAwait,
  asynchronous.optionalChain,
  asynchronous.fallback,
  asynchronous.parameterDefault,
  pairedEdits.bothSides,
  pairedEdits.swapIndices,
  pairedEdits.flipFlag,
  pairedEdits.renameAll,
  extraCheck,
  earlyExit,
  whenCheck,
  invertGuard,
  wrapRound,
  copyBranch,
  emptyBody,
  superCall,
  lostUse,
  lostUpdate,
  donorStatement,
  plainStatement,
  expectedText,
  conditionalValue,
  absentValue,
  definedness.definedness,
  definedness.sortOfNothing,
  definedness.objectOrNull,
  membership.wholeOrPart,
  membership.ownProperty,
  membership.ownKeys,
  membership.objectMaking,
  membership.lookAlike,
  regexParts,
  regexText,
  texts.textEdges,
  texts.alternative,
  texts.cleanText,
  options.extraProperty,
  options.setOption,
  caseTest,
  regexExtract,
];
