import { describe, expect, it } from 'vitest';
import { enforceMessageLimits, enforceResultLimits } from '../../../src/call/results/result-limits.js';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';

const text = { type: 'text', text: 'x' };
const meta = { of: 'x'.repeat(70_000) };

const violationOf = (outcome: object) => {
  const answer = enforceResultLimits(outcome);
  return answer === outcome ? undefined : (answer as { errors: { code: string; message: string }[] }).errors[0];
};

describe('a result is refused for its size', () => {
  it.each([
    ['Blocks', { kind: 'success', content: Array(5001).fill(text) }, 'has 5,001 blocks'],
    ['Blocks', { kind: 'error', errors: [], content: Array(5001).fill(text) }, 'has 5,001 blocks'],
    ['Blocks', { kind: 'success', contents: Array(1_000_000).fill({ uri: 'a:b', text: '' }) }, 'has 1,000,000 blocks'],
    ['Blocks', { kind: 'success', messages: Array(5001).fill({ role: 'user', content: text }) }, 'has 5,001 blocks'],
    ['MetaBytes', { kind: 'success', content: [text, { ...text, _meta: meta }] }, 'more than 65,536 bytes'],
    ['MetaBytes', { kind: 'success', content: [{ type: 'resource', resource: { _meta: meta } }] }, 'more than 65,536'],
    ['MetaBytes', { kind: 'success', contents: [{ uri: 'a:b', text: '', _meta: meta }] }, 'more than 65,536 bytes'],
    ['MetaBytes', { kind: 'success', messages: [{ role: 'user', content: { ...text, _meta: meta } }] }, '_meta'],
    ['ReadBytes', { kind: 'success', contents: [{ uri: 'a:b', text: 'x'.repeat(6e6) }] }, 'more than 5,242,880 bytes'],
    ['ReadBytes', { kind: 'success', contents: [{ uri: 'a:b', blob: 'x'.repeat(6e6) }] }, 'more than 5,242,880 bytes'],
    ['ReadBytes', { kind: 'success', messages: [{ role: 'user', content: { text: 'x'.repeat(6e6) } }] }, 'more than'],
  ])('by %s: %#', (limit, outcome, found) => {
    expect(violationOf(outcome)).toMatchObject({
      code: 'TOOL_INVALID_RESULT',
      message: expect.stringContaining(found),
      hint: 'Return less, or a resource_link to a resource that holds it.',
      data: { additionalData: { limit } },
    });
  });

  it('by the number of questions that it asks at once', () => {
    const requests = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`q${at}`, {}]));
    expect(violationOf({ kind: 'input_required', requests })).toMatchObject({
      code: 'TOOL_INVALID_RESULT',
      message: 'The call asks 33 questions at the same time; 32 are allowed',
    });
    const { q0: _, ...allowed } = requests;
    expect(violationOf({ kind: 'input_required', requests: allowed })).toBeUndefined();
  });

  it.each([
    { kind: 'success', content: Array(5000).fill(text) },
    { kind: 'success', content: [{ ...text, text: 'x'.repeat(6e6), _meta: { a: 1 } }] },
    { kind: 'success', contents: [{ uri: 'a:b', text: 'x'.repeat(5e6) }] },
    { kind: 'input_required', requests: {} },
    { kind: 'error', errors: [] },
  ])('but not what is within the limits: %#', (outcome) => {
    expect(violationOf(outcome)).toBeUndefined();
  });
});

describe('the result of a plugin in the server', () => {
  it.each([
    ['MessageBytes', { kind: 'success', content: [{ ...text, text: 'x'.repeat(9e6) }] }, 'more than 8,388,608 bytes'],
    ['MessageValues', { kind: 'success', structured: { list: Array(100_001).fill(0) } }, 'more than 100,000 values'],
  ])('is refused by %s', (limit, outcome, found) => {
    expect(enforceMessageLimits(outcome, DEFAULT_LIMITS)).toMatchObject({
      errors: [{ code: 'TOOL_INVALID_RESULT', message: expect.stringContaining(found) }],
    });
    const raised = { ...DEFAULT_LIMITS, [limit]: 10_000_000 };
    expect(enforceMessageLimits(outcome, raised)).toBe(outcome);
  });
});
