import { append, appendInside, dropStep, part } from './append.ts';
import * as arithmetic from './arithmetic.ts';
import * as asynchronous from './async.ts';
import * as boundaries from './boundaries.ts';
import * as branches from './branches.ts';
import * as calls from './calls.ts';
import * as collections from './collections.ts';
import * as comparison from './comparison.ts';
import { conditionalValue } from './conditional-value.ts';
import { copyBranch } from './copy-branch.ts';
import * as definedness from './definedness.ts';
import { earlyExit } from './early-exit.ts';
import { emptyBody } from './empty-body.ts';
import { expectedText } from './expected-text.ts';
import { extraCheck } from './extra-check.ts';
import * as guarded from './guarded.ts';
import * as guards from './guards.ts';
import * as insertions from './insertions.ts';
import * as literals from './literals.ts';
import * as logical from './logical.ts';
import * as membership from './membership.ts';
import type { Operator } from './operator.ts';
import * as options from './options.ts';
import * as properties from './properties.ts';
import { regexParts, regexText } from './regex-parts.ts';
import { regex } from './regex.ts';
import * as returns from './returns.ts';
import { reuse } from './reuse.ts';
import * as statements from './statements.ts';
import * as terms from './terms.ts';
import * as texts from './texts.ts';
import * as twins from './twins.ts';
import { typedMember } from './typed-member.ts';
import * as variables from './variables.ts';
import { whenCheck } from './when-check.ts';
import * as wrap from './wrap.ts';

/** Every operator, in the order in which equal proposals are made. */
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
  twins.bothSides,
  twins.swapIndices,
  twins.flipFlag,
  twins.renameAll,
  extraCheck,
  earlyExit,
  whenCheck,
  guarded.invertGuard,
  guarded.wrapRound,
  copyBranch,
  emptyBody,
  expectedText,
  conditionalValue,
  definedness.definedness,
  definedness.sortOfNothing,
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
];
