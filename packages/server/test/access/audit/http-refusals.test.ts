import { describe, expect, it } from 'vitest';
import { HttpRefusals } from '../../../src/access/audit/http-refusals.js';
import type { HttpRefusal } from '../../../src/core/http-refusal.js';

const refusal = (more: Partial<HttpRefusal> = {}): HttpRefusal => ({
  ...{ event: 'refused', outcome: 'KEY_MISSING', status: 401, address: '1.2.3.4', method: 'POST', target: '/mcp' },
  ...more,
});

describe('the lines of refusals over HTTP', () => {
  const recorded = (refusals: readonly HttpRefusal[]) => {
    const lines: object[] = [];
    const http = new HttpRefusals({ record: (event) => void lines.push(event) });
    for (const one of refusals) http.add(one);
    http.flush();
    return lines;
  };

  it('are ten of each kind, and one that counts the others', () => {
    const all = [...Array(25).fill(refusal()), ...Array(3).fill(refusal({ address: '5.6.7.8' }))];
    const lines = recorded(all);
    expect(lines).toHaveLength(14);
    expect(lines.at(-1)).toEqual({ ...refusal(), details: { further: 15 } });
  });

  it('are bounded for any number of addresses', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => refusal({ address: `10.0.${n >> 8}.${n & 255}` }));
    const lines = recorded(many);
    expect(lines).toHaveLength(10_000 + 10 + 1);
    expect(lines.at(-1)).toMatchObject({ details: { further: 9_990 } });
  });
});
