import { isRetryable, nextCall, type ParsedFailure, parseResult } from '@mortise/plugin/contract';
import { describe, expect, it } from 'vitest';
import recorded from '../../../../docs/dotnet/examples.json' with { type: 'json' };
import published from '../../../../test/cases/published-examples.json' with { type: 'json' };

interface Recorded {
  readonly isError?: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

const RESULTS = recorded as unknown as Recorded[];
const ENVELOPES = published.cases.flatMap(({ id, form, example }) =>
  form === 'envelope' ? [[id, example as Record<string, unknown>] as const] : [],
);
const content = (text: string) => [{ type: 'text' as const, text }];
const failureOf = (result: Parameters<typeof parseResult>[0]) => parseResult(result) as ParsedFailure;

describe('parseResult', () => {
  it.each(RESULTS.map((result, index) => [index, result] as const))(
    'reads recorded result %i, whichever half is left',
    (_, { isError = false, text, structured }) => {
      const flag = isError ? { isError } : {};
      const whole = parseResult({ content: content(text), structuredContent: structured, ...flag });
      expect(whole.ok).toBe(!isError);
      const data = parseResult({ structuredContent: structured, ...flag });
      expect({ ...data, text: '' }).toEqual({ ...whole, text: '' });
      const words = parseResult({ content: content(text), ...flag });
      expect(words).toMatchObject({ ok: !isError, text });
      if (!words.ok && !whole.ok) {
        const [{ code, hint, recommendedAction }] = whole.errors;
        // The text says a hint once that the next action repeats.
        const next = typeof recommendedAction === 'object' ? recommendedAction.description : undefined;
        const isInText = hint !== undefined && hint !== next;
        expect(words.errors[0]).toMatchObject({ code, ...(isInText && { hint }) });
        expect(words.exitCode).toBe(whole.exitCode);
        expect(nextCall(words)).toEqual(nextCall(whole));
      }
    },
  );

  it.each(ENVELOPES)('reads the published example %s', (_, envelope) => {
    const parsed = parseResult({ content: content(JSON.stringify(envelope)) });
    expect(parsed.ok).toBe(envelope.success);
    if (parsed.ok) expect(parsed.output).toBe(envelope.output);
    else expect(parsed.errors).toMatchObject(envelope.errors as object[]);
    expect(parsed.metadata).toEqual(envelope.metadata ?? {});
  });

  it('gives each error the help of its code, and its place as numbers', () => {
    const entry = { code: 'CS0103', message: 'm', category: 'Compilation', rawOutput: '' };
    const codes = { CS0103: { hint: 'h' } };
    const structuredContent = { success: false, errors: [entry, entry], exitCode: 1, codes };
    expect(failureOf({ structuredContent }).errors.map(({ hint }) => hint)).toEqual(['h', 'h']);
    const data = { additionalData: { file: '/a.cs', line: '3', column: '7' } };
    const text = JSON.stringify({ success: false, errors: [{ ...entry, data }], exitCode: 1 });
    expect(failureOf({ content: content(text) }).errors[0]).toMatchObject({ file: '/a.cs', line: 3, column: 7 });
  });

  it('reads the words of a plugin that failed, and takes its JSON for data', () => {
    expect(parseResult({ content: content('No such city'), isError: true })).toMatchObject({
      ok: false,
      errors: [{ code: 'TOOL_ERROR', message: 'No such city' }],
      exitCode: -1,
    });
    expect(parseResult({ content: content('{"success":false}') })).toMatchObject({
      ok: true,
      text: '{"success":false}',
    });
    expect(parseResult({})).toMatchObject({ ok: true, text: '', data: {} });
  });
});

describe('nextCall', () => {
  const failed = (recommendedAction: object) => ({
    structuredContent: {
      success: false,
      errors: [{ code: 'C', message: 'm', category: 'Tool', rawOutput: '', recommendedAction }],
      exitCode: -1,
    },
  });

  it('is the recommended call as it can be made, of a failure and of a success', () => {
    const action = {
      actionKind: 'CallTool',
      description: 'd',
      toolName: 'dotnet_project',
      arguments: { action: 'Restore' },
    };
    const call = { name: 'dotnet_project', arguments: { action: 'Restore' } };
    expect(nextCall(failed(action))).toEqual(call);
    expect(nextCall({ structuredContent: { packages: [], restored: false, recommendedAction: action } })).toEqual(call);
  });

  it('is nothing where a person has to act, and where nothing is recommended', () => {
    expect(nextCall(failed({ actionKind: 'ManualStep', description: 'd' }))).toBeUndefined();
    expect(nextCall({ structuredContent: { packages: [] } })).toBeUndefined();
  });
});

describe('isRetryable', () => {
  const failed = (code: string, additionalData = {}) => ({
    isError: true,
    structuredContent: {
      success: false,
      errors: [{ code, message: 'm', category: 'Concurrency', rawOutput: '', data: { additionalData } }],
      exitCode: -1,
    },
  });

  it('says after which time a call that was refused can be made again', () => {
    expect(isRetryable(failed('RATE_LIMITED', { retryAfterMs: '250' }))).toEqual({ afterMs: 250 });
    expect(isRetryable(failed('CONCURRENCY_CONFLICT'))).toEqual({ afterMs: 1_000 });
    expect(isRetryable(failed('TOOL_BUSY', { retryAfterMs: 'soon' }))).toEqual({ afterMs: 1_000 });
  });

  it('is false for a success, and for an error that comes again or may have had effects', () => {
    expect(isRetryable({ content: content('fine') })).toBe(false);
    for (const code of ['CS0103', 'OPERATION_TIMEOUT', 'PLUGIN_CRASHED']) expect(isRetryable(failed(code))).toBe(false);
  });
});
