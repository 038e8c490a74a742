import { expect, it } from 'vitest';
import { readPlatformLog, withLoggedNames } from '../../../src/diagnostics/tests/platform-log.js';
import { parseTestOutput } from '../../../src/diagnostics/tests/test-results.js';

const DLL = '/src/T/bin/Debug/net10.0/T.dll';
const AT = '2026-11-27T11:51:37.0098319+00:00 Microsoft.Testing.Platform';

const update = (uid: string, name: string, properties: string) =>
  `${AT}.Messages.AsynchronousMessageBus TRACE The producer 'T' (ID: T) pushed data:\nTestNodeUpdateMessage { DisplayName = TestNode update, Description = This data., Properties = [], ParentTestNodeUid = <null>, TestNode = TestNode { Uid = TestNodeUid { Value = ${uid} }, DisplayName = ${name}, Properties = [ ${properties} ] } }\n`;
const method = (type: string, name: string) =>
  `TestMethodIdentifierProperty { AssemblyFullName = , Namespace = Inh, TypeName = ${type}, MethodName = ${name}, MethodArity = 0, ParameterTypeFullNames = [] }`;
const nunit = (type: string) => `TrxFullyQualifiedTypeNameProperty { FullyQualifiedTypeName = ${type} }`;
const state = (name: string) =>
  `${name}TestNodeStateProperty { Explanation = , Exception = T.Wrong: Wrong.\nactual: 2\n   at T.T() }`;

const LOG = [
  `${AT}.Builder.TestApplication INFORMATION Test module: ${DLL}\n`,
  update('1', 'Positive', `${method('Minus', 'Positive')}, InProgressTestNodeStateProperty { Explanation =  }`),
  update('1', 'Positive', `${method('Minus', 'Positive')}, ${state('Failed')}`),
  update('2', 'Positive', `${state('Error')}, ${nunit('Inh.Zero')}`),
  update('3', 'Rows(1)', `${method('Minus', 'Rows')}, ${state('Failed')}`),
  update('4', 'Good', `${method('Minus', 'Good')}, PassedTestNodeStateProperty { Explanation =  }`),
  update('Inh.Zero.Slow', 'Slow', 'InProgressTestNodeStateProperty { Explanation =  }'),
].join('');

it('names the class that a test ran in, and the tests that did not end', () => {
  expect(readPlatformLog('no log')).toBeUndefined();
  expect(readPlatformLog(LOG)).toEqual({
    assembly: DLL,
    running: ['Inh.Zero.Slow'],
    names: new Map([
      ['Positive', ['Inh.Minus.Positive', 'Inh.Zero.Positive']],
      ['Rows(1)', ['Inh.Minus.Rows']],
    ]),
  });
});

it('gives inherited tests the names of their classes, in the order of the output', () => {
  const failed = (name: string, dll = DLL) =>
    `failed ${name} (1ms)\n  from ${dll} (net10.0|x64)\n  Wrong.\n    at Inh.Base.${name.replace(/\(.*/, '')}() in /src/T.cs:2\n`;
  const output = `${failed('Positive')}${failed('Rows(1)')}${failed('Positive')}${failed('Positive', '/src/Other.dll')}
Test run summary: Failed!
  total: 4
  failed: 4
  succeeded: 0
  skipped: 0
  duration: 1s 002ms
`;
  const { failures } = withLoggedNames(parseTestOutput(output), [readPlatformLog(LOG)!]);
  expect(failures.map(({ testName, displayName }) => displayName ?? testName)).toEqual([
    'Inh.Minus.Positive',
    'Inh.Minus.Rows(1)',
    'Inh.Zero.Positive',
    'Inh.Base.Positive',
  ]);
});
