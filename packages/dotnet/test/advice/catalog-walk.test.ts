import { describe, expect, it } from 'vitest';
import { parametersOf } from '../../src/actions/action.js';
import { CATALOG_CODES } from '../../src/advice/codes/code-catalog.js';
import { failureOf } from '../../src/advice/failure.js';
import { TOOLS } from '../../src/tools/index.js';
import { runOf } from '../diagnostics/fixture.js';
import notProvoked from '../diagnostics/provoked/not-provoked.json' with { type: 'json' };
import report from '../diagnostics/provoked/report.json' with { type: 'json' };

/** What the real SDK printed for each code; codes that nothing provokes here are in not-provoked.json, with the reason. */
const PROVOKED: Readonly<Record<string, { readonly message: string }>> = report.provoked;
const PRINTED = Object.entries(PROVOKED).filter(([code]) => /^(?:NU|NETSDK|MSB|CS|FS|BC)\d/.test(code));

/** The error of a command that printed a code, with the message of the real SDK. */
function errorOf(code: string, message: string) {
  const isRestored = code.startsWith('NU');
  const args = isRestored ? ['restore', '/src/p/p.csproj'] : ['build', '/src/p/p.csproj', '--no-restore'];
  const lines = message.split('\n').map((line) => `/src/p/p.csproj : error ${code}: ${line}`);
  const { errors } = failureOf({ ...runOf('none', 1, args), output: lines.join('\n') }, { label: 'Restore' });
  return { error: errors[0]!, isRestored };
}

describe('the catalogue of codes', () => {
  it('is walked: each code has a message of the SDK, or a reason why it has none', () => {
    const known = new Set([...Object.keys(PROVOKED), ...Object.keys(notProvoked)]);
    expect(CATALOG_CODES.filter((code) => !known.has(code))).toEqual([]);
    expect(PRINTED.length).toBeGreaterThan(150);
  });

  it.each(PRINTED)(
    '%s has a next action that can be called as it is, and is not the same call',
    (code, { message }) => {
      const { error, isRestored } = errorOf(code, message);
      const action = error.recommendedAction;
      if (typeof action !== 'object') return expect(action).toBeUndefined();
      expect(action.description).toMatch(/^\S.+\.$/s);
      expect(error.suggestedFixes?.join('\n') ?? '').not.toMatch(/"project":"<project>".*"project"/);
      if (action.actionKind !== 'CallTool') return;
      const { action: name, ...args } = action.arguments as Record<string, unknown>;
      expect(JSON.stringify(args)).not.toMatch(/<\w+>/);
      // To see the SDKs corrects nothing, unless another version of the SDK is needed.
      if (code !== 'NETSDK1045') expect(name).not.toBe('ListSdks');
      if (action.toolName === '') return expect(Object.keys(args).length).toBeGreaterThan(0);
      const tool = TOOLS.find((one) => one.name === action.toolName)!;
      const accepted: readonly string[] = parametersOf(tool, tool.actions[name as string]!);
      expect(Object.keys(args).filter((one) => !accepted.includes(one))).toEqual([]);
      // What was restored without success is restored again only with something changed.
      if (isRestored && name === 'Restore') expect(args).toHaveProperty('properties');
    },
  );
});
