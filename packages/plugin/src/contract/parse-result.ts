import type { ErrorCategory } from '../error-codes.js';
import type { ErrorHelp, ErrorResult, FullOutput, LockInfo } from '../error-response.js';
import { isJsonObject } from '../json.js';
import { parseErrorText } from './parse-error-text.js';

type Members = Readonly<Record<string, unknown>>;

/** The result of a `tools/call`, as the client received it or as its host has shortened it. */
export interface AnyCallResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[] | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

interface Parsed {
  /** The fields of the action; in a failure, its partial results. Empty if the host passed on only the text. */
  readonly data: Members;
  readonly metadata: Members;
  /** The text blocks, joined by LF. */
  readonly text: string;
  readonly lockInfo?: LockInfo;
  readonly fullOutput?: Pick<FullOutput, 'uri'>;
}

export interface ParsedSuccess extends Parsed {
  readonly ok: true;
  /** The output of the command, if the text is a SuccessResult. */
  readonly output?: string;
}

export interface ParsedFailure extends Parsed {
  readonly ok: false;
  /** There is at least one. Each has the help of its code. */
  readonly errors: readonly [ErrorResult, ...ErrorResult[]];
  /** −1 if no process ran to its end. */
  readonly exitCode: number;
}

export type ParsedResult = ParsedSuccess | ParsedFailure;

/**
 * Reads a result with structured content or of `machineReadable: true` (docs/spec/contract.md#outcome). If the host
 * passed on only the text, reads that: JSON, or the text for people. Never throws.
 */
export function parseResult(result: AnyCallResult): ParsedResult {
  const texts = (result.content ?? []).flatMap(({ type, text }) =>
    type === 'text' && text !== undefined ? [text] : [],
  );
  const text = texts.join('\n');
  const envelope = parseObject(texts[0]);
  const isEnvelope = envelope?.exitCode !== undefined && typeof envelope.success === 'boolean';
  const structured = isJsonObject(result.structuredContent) ? result.structuredContent : undefined;
  const response = [structured, isEnvelope ? envelope : undefined].find((one) => one && isErrorResponse(one));
  if (response) return failure(response, text);
  if (result.isError || (!structured && !isEnvelope && parseErrorText(text))) return fromErrorText(text, structured);
  const details = structured ?? (isEnvelope ? envelope : {});
  const output = isEnvelope ? envelope.output : undefined;
  return {
    ok: true,
    ...common(details, text),
    data: structured ?? {},
    ...(typeof output === 'string' && { output }),
  };
}

function failure(response: Members, text: string): ParsedFailure {
  const codes = isJsonObject(response.codes) ? response.codes : {};
  const errors = (response.errors as Members[]).map((error) => toError(error, codes));
  const { success: _success, errors: _errors, exitCode, codes: _codes, ...rest } = response;
  const { metadata: _metadata, lockInfo: _lockInfo, fullOutput: _fullOutput, ...data } = rest;
  return {
    ok: false,
    errors: errors as [ErrorResult, ...ErrorResult[]],
    exitCode: typeof exitCode === 'number' ? exitCode : -1,
    ...common(response, text),
    data,
  };
}

function common({ metadata, lockInfo, fullOutput }: Members, text: string): Omit<Parsed, 'data'> {
  const metadataMembers = isJsonObject(metadata) ? metadata : {};
  const uri = isJsonObject(fullOutput) ? fullOutput.uri : metadataMembers.fullOutput;
  return {
    metadata: metadataMembers,
    text,
    ...(isJsonObject(lockInfo) && { lockInfo: lockInfo as unknown as LockInfo }),
    ...(typeof uri === 'string' && { fullOutput: { uri } }),
  };
}

/**
 * Adds to an error the help that `codes` has for its code. In the text of `machineReadable`, file, line and column are
 * in additionalData; this copies them to the error.
 */
function toError(error: Members, codes: Members): ErrorResult {
  const help = codes[String(error.code)];
  const complete = { ...(isJsonObject(help) ? (help as ErrorHelp) : {}), ...error } as unknown as ErrorResult;
  const { file, line, column, rootCauseKind } = complete.data?.additionalData ?? {};
  return {
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
    ...(rootCauseKind !== undefined && { rootCauseKind }),
    ...complete,
  };
}

/** Reads the text for people: code, message, hint and next action. */
function fromErrorText(text: string, structured: Members | undefined): ParsedFailure {
  const { exitCode = -1, ...error } = parseErrorText(text) ?? { code: 'TOOL_ERROR', message: text };
  const entry = { category: 'Unknown' satisfies ErrorCategory, rawOutput: '', ...error } as const;
  return { ok: false, errors: [entry], exitCode, metadata: {}, text, data: structured ?? {} };
}

function isErrorResponse({ success, errors }: Members): boolean {
  return success === false && Array.isArray(errors) && errors.length > 0 && errors.every(isJsonObject);
}

function parseObject(text: string | undefined): Members | undefined {
  if (!text?.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
