import { expect, it } from 'vitest';
import { createCrashCause } from '../../../src/run/dotnet/crash-cause.js';

it.each<[string, string[], string | undefined]>([
  [
    'an exception',
    ['Unhandled exception. System.Exception: boo', '   at X.Y()'],
    'unhandled exception: System.Exception: boo',
  ],
  [
    'FailFast',
    ['Process terminated.', 'out of cheese', '   at X.Y()'],
    'it called Environment.FailFast: out of cheese',
  ],
  ['FailFast without words', ['Process terminated.', '   at X.Y()'], 'it called Environment.FailFast'],
  ['FailFast on one line', ['Process terminated. out of cheese'], 'it called Environment.FailFast: out of cheese'],
  ['a stack overflow', ['Stack overflow.', '   at X.Y()', '   at X.Z()'], 'its stack overflowed: X.Y()'],
  [
    'a recursion without end',
    ['Stack overflow.', 'Repeated 261885 times:', '--------------------------------', '   at X.Y(Int32)'],
    'its stack overflowed: X.Y(Int32)',
  ],
  ['the last of several', ['Process terminated. one', 'Unhandled exception. two'], 'unhandled exception: two'],
  ['anything else', ['hello', 'an Unhandled exception. in the middle'], undefined],
])('knows from %s why .NET has ended a process', (_, lines, message) => {
  const cause = createCrashCause();
  for (const line of lines) cause.onOutput(line);
  for (let frame = 0; frame < 100; frame++) cause.onOutput(`   at X.Y${frame}()`);
  expect(cause.message()).toBe(message);
});
