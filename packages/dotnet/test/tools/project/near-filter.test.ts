import { expect, it } from 'vitest';
import { nearFilter } from '../../../src/tools/project/name-filter.js';

const TESTS = [
  'Shop.Tests.CartTests.Adds_items',
  'Shop.Tests.CartTests.Sums(a: 1, b: 2)',
  'Shop.Tests.OrderTests.Ships',
];

it.each([
  ['FullyQualifiedName~Shop.Tests.CartTests.AddsItems', 'FullyQualifiedName~Shop.Tests.CartTests.Adds_items'],
  ['FullyQualifiedName=Shop.Tests.OrderTest.Ships', 'FullyQualifiedName~Shop.Tests.OrderTests.Ships'],
  ['Name~Shipps', 'FullyQualifiedName~Ships'],
  ['ClassName=Shop.Tests.BasketTests|Name=Sum', 'FullyQualifiedName~Sums'],
  ['FullyQualifiedName~OrdersTests', 'FullyQualifiedName~OrderTests'],
  ['CartTest', 'FullyQualifiedName~CartTests'],
])('%s leads to %s', (filter, near) => {
  expect(nearFilter(filter, TESTS)).toBe(near);
});

it.each(['Name~Nothing', 'Category=Slow', '(((', ''])('no name is like one of %j', (filter) => {
  expect(nearFilter(filter, TESTS)).toBeUndefined();
});
