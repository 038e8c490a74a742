import { describe, expect, it } from 'vitest';
import { vstestFilter } from '../../../src/tools/project/name-filter.js';

describe('vstestFilter', () => {
  it.each([
    ['Shop.P(7).Works', String.raw`FullyQualifiedName~Shop.P\(7\).Works`],
    ['FullyQualifiedName=Shop.P(7).Works', String.raw`FullyQualifiedName~Shop.P\(7\).Works`],
    ['Shop.P(7).Rows(1)', String.raw`FullyQualifiedName~Shop.P\(7\).Rows`],
    ['Shop.T.Rows(n: 2)', 'FullyQualifiedName~Shop.T.Rows'],
    ['Shop.Q.My nice name', 'FullyQualifiedName~Shop.Q.My&FullyQualifiedName~nice&FullyQualifiedName~name'],
    ['Shop.S("x, y").In', 'FullyQualifiedName~Shop.S&FullyQualifiedName~x&FullyQualifiedName~y&FullyQualifiedName~.In'],
    ['Shop.Q.A - B | c', 'FullyQualifiedName~Shop.Q.A&FullyQualifiedName~B&FullyQualifiedName~c'],
    ['Shop.Größe ist 1', 'FullyQualifiedName~Shop.Größe&FullyQualifiedName~ist&FullyQualifiedName~1'],
  ])('asks for the parts of %s', (name, filter) => {
    expect(vstestFilter(name)).toBe(filter);
  });

  it.each([
    'Works',
    'Shop.T.Works',
    'Shop.G<Int32>.Works',
    'Shop.Q+Inner.In',
    'FullyQualifiedName~Shop.T',
    'FullyQualifiedName=Shop.T.Works|FullyQualifiedName=Shop.T.Fails',
    '(FullyQualifiedName~Shop.T & TestCategory=Slow) | Priority=1',
    'Shop.A|Shop.B',
    'TestCategory!=Nightly build',
    'Category=a.b c',
    String.raw`FullyQualifiedName=Shop.P\(7\).Works`,
    'Shop.T.Works&',
    '(Shop.T',
  ])('leaves the expression %s', (filter) => {
    expect(vstestFilter(filter)).toBe(filter);
  });
});
