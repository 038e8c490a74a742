import { describe, expect, it } from 'vitest';
import { boundedData, MAX_DATA_CHARS, withOmitted } from '../../src/actions/bounded-data.js';

const entries = (count: number, chars = 20) =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, text: 'x'.repeat(chars) }));
const sizeOf = (data: object) => JSON.stringify(data).length;

describe('the data of a result', () => {
  it('is the same if it is within the limits', () => {
    const data = { success: true, items: entries(50), summary: 'Done' };
    expect(boundedData(data)).toEqual({ data, omitted: '' });
  });

  it('has the first 50 entries of a list that was not asked for, and counts the others', () => {
    const { data, omitted } = boundedData({ success: true, items: entries(60), summary: 'Done' });
    expect(data).toEqual({ success: true, items: entries(50), omittedItems: 10, summary: 'Done' });
    expect(omitted.split('\n')).toHaveLength(61);
    expect(omitted).toContain('items, all 60:\nname: n0, text: xxxx');
    expect(omitted).toContain('name: n59');
  });

  it('has as many entries as fit of the list that was asked for', () => {
    const { data } = boundedData({ items: entries(1_000), others: entries(60) }, 'items');
    const { items, omittedItems, others } = data as { items: object[]; omittedItems: number; others: object[] };
    expect(others).toHaveLength(50);
    expect(items.length + omittedItems).toBe(1_000);
    expect(sizeOf(data)).toBeLessThanOrEqual(MAX_DATA_CHARS);
    expect(sizeOf(data)).toBeGreaterThan(MAX_DATA_CHARS - 600);
  });

  it('keeps the list that was asked for where others are long', () => {
    const { data } = boundedData({ items: entries(100, 100), others: entries(40, 2_000) }, 'items');
    expect((data as { items: object[] }).items).toHaveLength(100);
    expect(sizeOf(data)).toBeLessThanOrEqual(MAX_DATA_CHARS);
  });

  it('never loses errors, counts and the next action', () => {
    const whole = {
      errors: entries(200, 90),
      errorCount: 200,
      recommendedAction: { actionKind: 'CallTool' },
      packages: entries(500, 90),
    };
    const { data } = boundedData(whole, 'packages') as { data: typeof whole };
    expect(data).toMatchObject({ errors: whole.errors, errorCount: 200, recommendedAction: whole.recommendedAction });
    expect(sizeOf(data)).toBeLessThanOrEqual(MAX_DATA_CHARS);
  });

  it('leaves room for the errors of a failure', () => {
    const { data } = boundedData({ tests: entries(1_000) }, 'tests', 10_000);
    expect(sizeOf(data)).toBeLessThanOrEqual(MAX_DATA_CHARS - 10_000);
  });

  it('adds to what is counted as omitted already', () => {
    const { data } = boundedData({ warnings: entries(70), omittedWarnings: 30 });
    expect(data).toMatchObject({ omittedWarnings: 50 });
  });

  it('keeps the beginning of a long text, and says how much follows', () => {
    const { data, omitted } = boundedData({ script: 'ä'.repeat(40_000) }) as {
      data: { script: string };
      omitted: string;
    };
    expect(sizeOf(data)).toBeLessThanOrEqual(MAX_DATA_CHARS);
    expect(data.script).toMatch(/ä\n\[\d+ characters omitted\]$/);
    expect(omitted).toBe(`script:\n${'ä'.repeat(40_000)}`);
  });
});

it('the full output has what the data omits below what the command printed', () => {
  expect(withOmitted('printed\n', '')).toBe('printed\n');
  expect(withOmitted('printed\n', 'items, all 60:')).toBe('printed\n\nitems, all 60:');
  expect(withOmitted('', 'items, all 60:')).toBe('items, all 60:');
});
