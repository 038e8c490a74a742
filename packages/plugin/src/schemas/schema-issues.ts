import type { ErrorResult } from '../error-response.js';
import { fail } from '../fail.js';
import { pointerSegment } from '../json-pointer.js';
import type { StandardIssue } from '../standard-schema.js';
import type { ToolFailure } from '../tool.js';

const MAX_ISSUES = 10;

/**
 * The INVALID_PARAMS failure for the issues of the arguments (docs/spec/arguments.md#schema-violations): one error for
 * each, at most 10.
 */
export function invalidParams(issues: readonly StandardIssue[], args: unknown): ToolFailure {
  const errors = issues.slice(0, MAX_ISSUES).map((issue) => invalidParam(issue, args));
  return fail(errors[0]?.message ?? 'The arguments are invalid', { code: 'INVALID_PARAMS', errors });
}

/** The TOOL_INVALID_RESULT failure for data that the tool's own schema refuses. */
export function invalidOutput(issues: readonly StandardIssue[]): ToolFailure {
  const problems = issues.slice(0, MAX_ISSUES).map(({ message, path }) => `${pointerOf(path, '/')} ${message}`.trim());
  return fail(`The tool's result does not fit its outputSchema: ${problems.join('; ')}`, {
    code: 'TOOL_INVALID_RESULT',
  });
}

const keysOf = (path: StandardIssue['path']): PropertyKey[] =>
  (path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment));

/** A JSON pointer. @param start the first separator */
export function pointerOf(path: StandardIssue['path'], start = ''): string {
  const text = keysOf(path).map(pointerSegment).join('/');
  return text === '' ? '' : start + text;
}

function invalidParam(issue: StandardIssue, args: unknown): ErrorResult {
  const value = keysOf(issue.path).reduce(
    (holder, key) => (holder as Record<PropertyKey, unknown> | null | undefined)?.[key],
    args,
  );
  const parameter = pointerOf(issue.path);
  const isMissing = value === undefined || value === '';
  return {
    code: 'INVALID_PARAMS',
    message: isMissing
      ? `Parameter '${parameter}' is required and cannot be empty`
      : `${parameter === '' ? 'The arguments are' : `Parameter '${parameter}' is`} invalid: ${issue.message}`,
    category: 'Validation',
    hint: 'Verify the parameter values and try again.',
    rawOutput: issue.message,
    mcpErrorCode: -32602,
    data: {
      exitCode: -1,
      additionalData: {
        parameter,
        reason: isMissing ? 'required' : 'invalid value',
        ...(!isMissing && typeof value !== 'object' && { providedValue: String(value) }),
      },
    },
  };
}
