import { describe, expect, it } from 'vitest';
import { toDetailsPage, toSummaryPage } from '../bench/pages.mjs';

const RUN = { date: '2026-01-02', minutes: 3, machine: 'a machine' };
const TABLE = [
  ['Measure', 'Over', 'Unit', 'line echo', 'TypeScript SDK', 'C# SDK', 'mortise, plugin process', 'Target'],
  ['cold start', 'stdio 2025-11-25', 'ms', '40', '207', '', '143 (0.69×)', ''],
  ['call, p99', 'stdio 2025-11-25', 'µs', '216', '360', '', '523 (1.45×)', ''],
  ['Target: start', 'TypeScript SDK', '×', '', '', '', '0.69', '≤ 1 ok'],
];
const textLines = (page: string) => page.split('\n').filter((line) => !line.startsWith('|'));

describe('the pages of the benchmark', () => {
  it('BENCHMARKS.md has the rows and columns for readers, without servers that have no figures', () => {
    const page: string = toSummaryPage({ table: TABLE, run: RUN });
    expect(page.match(/^\|.*$/gm)).toEqual([
      '| Measure | Over | Unit | TypeScript SDK | Mortise |',
      '| --- | --- | --- | --: | --: |',
      '| cold start | stdio 2025-11-25 | ms | 207 | 143 (0.69×) |',
    ]);
    expect(page).toContain('on 2026-01-02 and took 3 minutes');
    expect(page).not.toContain('**C# SDK**');
    expect(textLines(page).filter((line) => line.length > 120)).toEqual([]);
  });

  it('the page of details has everything, each sentence on a line of at most 120 characters', () => {
    const meaning = `${'One sentence of the meaning with `code` in it'.repeat(4)}. Another sentence.`;
    const tables = [{ title: 'Servers', reference: 'official', table: TABLE }];
    const measures = [{ meanings: [['cold start', meaning]] }];
    const page: string = toDetailsPage({ tables, measures, run: RUN, notes: ['A note. It has two sentences.'] });
    expect(page).toContain('| Target: start | TypeScript SDK | × |');
    expect(page).toContain('\nA note.\nIt has two sentences.\n');
    expect(page).toContain('\n  Another sentence.\n');
    expect(textLines(page).filter((line) => line.length > 120)).toEqual([]);
  });
});
