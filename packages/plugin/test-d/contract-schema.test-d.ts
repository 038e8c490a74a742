import type {
  ErrorCategory,
  ErrorData,
  ErrorHelp,
  ErrorResponse,
  ErrorResult,
  FromSchema,
  FullOutput,
  LockInfo,
  PublishedErrorResponse,
  PublishedErrorResult,
  RecommendedAction,
  SuccessResult,
} from '@mortise/plugin';
import type { ToolResults } from '@mortise/plugin/contract';
import type { CONTRACT_PARTS } from '../src/contract/contract-schema.js';
import { assertType } from './expect-type.js';

type Parts = { [P in keyof typeof CONTRACT_PARTS]: FromSchema<(typeof CONTRACT_PARTS)[P]> };

/** Each is assignable to the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

// The types that are written by hand are those of the schema.
assertType<Same<Parts['LockInfo'], LockInfo>>();
assertType<Same<Parts['FullOutput'], FullOutput>>();
assertType<Same<Parts['RecommendedAction'], RecommendedAction>>();
assertType<Same<Parts['ErrorCategory'], ErrorCategory>>();
assertType<Same<Parts['ErrorData'], ErrorData>>();
assertType<Same<Parts['ErrorHelp'], ErrorHelp>>();
assertType<Same<Parts['ErrorResult'], ErrorResult>>();
assertType<Same<Parts['ErrorResponse'], ErrorResponse>>();
assertType<Same<Parts['PublishedErrorResult'], PublishedErrorResult>>();
assertType<Same<Parts['PublishedErrorResponse'], PublishedErrorResponse>>();
assertType<Same<Parts['SuccessResult'], SuccessResult>>();

// The results of tools have the types of their fields.
type Capabilities = Exclude<ToolResults['dotnet_server_capabilities'], { success: false }>;
assertType<Same<NonNullable<Capabilities['supportedCategories']>, string[]>>();
