import { describe, expect, it } from 'vitest';
import { filterText, parseFilter } from '../../../src/tools/project/filter-expression.js';
import { libraryFilter } from '../../../src/tools/project/library-filters.js';

describe('parseFilter', () => {
  it('reads conditions, which bind tighter with & than with |, and escaped signs', () => {
    const condition = (value: string) => ({ property: 'FullyQualifiedName', operator: '~', value });
    expect(parseFilter('A')).toEqual(condition('A'));
    expect(parseFilter('A|B&C')).toEqual({ any: [condition('A'), { all: [condition('B'), condition('C')] }] });
    expect(parseFilter('(A|B)&Category!=Slow')).toEqual({
      all: [{ any: [condition('A'), condition('B')] }, { property: 'Category', operator: '!=', value: 'Slow' }],
    });
    expect(parseFilter('Name=P\\(7\\)\\|x')).toEqual({ property: 'Name', operator: '=', value: 'P(7)|x' });
  });

  it.each(['', '(((', 'A|', '&A', '(A', 'A)'])('refuses %j', (filter) => {
    expect(parseFilter(filter)).toBeUndefined();
  });

  it.each(['Name=P\\(7\\)', 'A~x&(B=y|C=z)'])('%s is the text of its expression', (filter) => {
    expect(filterText(parseFilter(filter)!)).toBe(filter);
  });
});

describe('libraryFilter', () => {
  it.each([
    ['Shop.T.Rows', [['--filter-method', 'Shop.T.Rows']]],
    ['Shop.T.Rows(n: 2)', [['--filter-method', 'Shop.T.Rows']]],
    ['Rows', [['--filter-method', '*Rows*']]],
    ['FullyQualifiedName~MigrateUp', [['--filter-method', '*MigrateUp*']]],
    ['Name=x', [['--filter-method', '*.x']]],
    [
      'FullyQualifiedName=S.T.A|FullyQualifiedName=S.T.B',
      [
        ['--filter-method', 'S.T.A'],
        ['--filter-method', 'S.T.B'],
      ],
    ],
    [
      'ClassName=S.T&Category!=Slow&Category!=Net',
      [
        ['--filter-class', 'S.T'],
        ['--filter-not-trait', 'Category=Slow'],
        ['--filter-not-trait', 'Category=Net'],
      ],
    ],
    ['/*/*/T/*', [['--filter-query', '/*/*/T/*']]],
    ['Name=x|Category=Slow', undefined],
    ['Name~x&Name~y', undefined],
    ['(((', undefined],
  ])('writes %s for xUnit.net v3', (filter, options) => {
    expect(libraryFilter('xunit.v3', filter)).toEqual(options);
  });

  it.each([
    ['Shop.T.Rows', [['--treenode-filter', '/*/Shop/T/Rows']]],
    ['FullyQualifiedName~Row', [['--treenode-filter', '/*/*/*/*Row*']]],
    ['FullyQualifiedName=S.T.A|FullyQualifiedName=S.T.B', [['--treenode-filter', '/*/S/T/(A)|(B)']]],
    ['ClassName=S.T&Category!=Slow', [['--treenode-filter', '/*/S/T/*[Category!=Slow]']]],
    ['Category=A|Category=B', [['--treenode-filter', '/*/*/*/*[(Category=A)|(Category=B)]']]],
    ['S.T.A|S.U.B', undefined],
  ])('writes %s for TUnit', (filter, options) => {
    expect(libraryFilter('tunit', filter)).toEqual(options);
  });

  it.each([undefined, 'mstest', 'nunit'] as const)('leaves an expression to the --filter of %s', (library) => {
    expect(libraryFilter(library, 'Name=x|Category=Slow')).toEqual([['--filter', 'Name=x|Category=Slow']]);
  });
});
