import { describe, expect, it } from 'vitest';
import { symbolNames } from '../../../src/tools/code/symbol-names.js';

describe('symbolNames', () => {
  it.each([
    ['one name', 'Cart.Total', ['Cart.Total']],
    ['several names', 'Cart.Total, Cart.Count,Shop.*', ['Cart.Total', 'Cart.Count', 'Shop.*']],
    ['commas without a name', ', Cart, ,', ['Cart']],
    ['parameters', 'Cart.Total(int, string), Cart', ['Cart.Total(int, string)', 'Cart']],
    [
      'types of types',
      'Map<K, V>.Add(Map<int, List<int>>, int), Map',
      ['Map<K, V>.Add(Map<int, List<int>>, int)', 'Map'],
    ],
    ['indexers', 'Grid.this[int, int], Grid', ['Grid.this[int, int]', 'Grid']],
    [
      'operators',
      'Money.operator <(Money, Money), operator <, Money',
      ['Money.operator <(Money, Money)', 'operator <', 'Money'],
    ],
    ['a bracket that is not closed', 'Cart.Total(int, Cart', ['Cart.Total(int', 'Cart']],
    ['no name', ' , ', []],
  ])('finds %s', (_, symbol, names) => {
    expect(symbolNames(symbol)).toEqual(names);
  });
});
