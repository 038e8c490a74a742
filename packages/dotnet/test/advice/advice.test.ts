import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERROR_CODES } from '@mortise/plugin';
import { describe, expect, it } from 'vitest';
import { parametersOf } from '../../src/actions/action.js';
import { CATALOG_CODES, findCode } from '../../src/advice/codes/code-catalog.js';
import type { RootCauseKind } from '../../src/advice/codes/root-cause-kind.js';
import { recommendedActionFor } from '../../src/advice/recommended-action.js';
import { TOOLS } from '../../src/tools/index.js';

/** Commands of the CLI that an action of ours does: an advice names the action. */
const OURS =
  'new|restore|build|run|test|publish|clean|pack|watch|format|add|remove|list|package|reference|sln|solution|tool|ef|workload|' +
  'user-secrets|dev-certs|help|nuget (?:why|locals|list source|add source|update source|remove source|push)|--list-sdks|--list-runtimes|--version|--info';
/** Of those, what no action does. */
const NOT_OURS = 'build-server|package download|workload (?:repair|clean|history|config|elevate)';
const COMMAND = new RegExp(`\\bdotnet (?!${NOT_OURS})(?:${OURS})(?![\\w-]| ran )`);

/** `dotnet_project {"action":"Restore"}`. */
const CALL = /\b(dotnet_\w+) (\{.*\})/;

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));
const STRING = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/** Texts of the dictionary, and every text of the sources that begins as a sentence does. */
function texts(): { where: string; text: string }[] {
  const entries = CATALOG_CODES.flatMap((code) => {
    const { hint, suggestedFixes } = findCode(code)!;
    return [hint, ...suggestedFixes].map((text) => ({ where: code, text }));
  });
  const codes = Object.entries(ERROR_CODES).map(([code, details]) => ({
    where: code,
    text: 'hint' in details ? details.hint : '',
  }));
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/^(?:completions|prompts|resources|advice.codes.code-catalog)/.test(name),
  );
  const sources = files.flatMap((name) => {
    const code = readFileSync(join(SOURCES, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return [...code.matchAll(STRING)]
      .map(([literal]) => literal.slice(1, -1))
      .filter((text) => /^[A-Z]\w* .*[ :]/.test(text))
      .map((text) => ({ where: name, text }));
  });
  return [...entries, ...codes, ...sources];
}

const ALL = texts();

describe('every advice', () => {
  it('is found', () => {
    expect(ALL.length).toBeGreaterThan(1200);
  });

  it('names no command of the CLI that an action does', () => {
    expect(ALL.filter(({ text }) => COMMAND.test(text))).toEqual([]);
  });

  it('that is a call has an action of that tool, and parameters that it takes', () => {
    const calls = ALL.filter(({ text }) => CALL.test(text) && !/\$\{|…/.test(text));
    expect(calls.length).toBeGreaterThan(80);
    for (const { where, text } of calls) {
      const [, name, json] = CALL.exec(text)!;
      const { action = '', ...args } = JSON.parse(json!) as Record<string, unknown>;
      const tool = TOOLS.find((item) => item.name === name);
      const row = tool?.actions[action as string];
      expect({ where, text, exists: row !== undefined }).toMatchObject({ exists: true });
      const accepted: readonly string[] = parametersOf(tool!, row!);
      expect({ where, unknown: Object.keys(args).filter((item) => !accepted.includes(item)) }).toEqual({
        where,
        unknown: [],
      });
    }
  });
});

/** A failure of each kind, and of each form that has an advice of its own. */
const FAILURES: readonly (readonly [RootCauseKind, code: string, text: string])[] = [
  ['CompilationError', 'WHITESPACE', ''],
  ['BuildError', 'MSB4018', ''],
  ['PackageError', 'NU1102', 'Unable to find package Plain with version (>= 9.0.0)'],
  ['PackageError', 'NU1004', ''],
  ['PackageError', 'NU1605', 'Detected package downgrade: Plain from 2.0.0 to 1.0.0.'],
  ['PackageError', 'NU1999', ''],
  ['SdkError', 'NETSDK1045', ''],
  ['MissingSdk', 'MSB4236', "The SDK 'MSTest.Sdk' specified could not be found."],
  ['MissingSdk', 'EXIT_155', '10.0.100 [/usr/share/dotnet/sdk]'],
  ['MissingRuntime', 'EXIT_150', ''],
  ['MissingWorkload', 'NETSDK1147', 'the following workloads must be installed: android'],
  ['MissingWorkload', 'NETSDK1147', ''],
  ['PackageSourceAuth', 'NU1301', ''],
  ['MissingTool', 'EXIT_1', 'Run "dotnet tool restore"'],
  ['MissingTool', 'EXIT_1', 'dotnet-ef does not exist'],
  ['ProjectNotFound', 'MSB1009', ''],
  ['InvalidParameter', 'EXIT_1', 'Testing with VSTest target is no longer supported'],
  ['TestFailure', 'EXIT_1', ''],
  ['RestoreFailure', 'NETSDK1004', ''],
  ['TemplateNotFound', 'EXIT_103', ''],
  ['AccessDenied', 'EXIT_1', ''],
  ['Timeout', 'OPERATION_TIMEOUT', ''],
  ['FileLocked', 'MSB3027', ''],
  ['PackageVulnerable', 'NU1903', ''],
  ['DevCertNotTrusted', 'EXIT_1', ''],
  ['OutOfDisk', 'EXIT_1', ''],
  ['NetworkUnreachable', 'EXIT_1', ''],
  ['DockerNotRunning', 'EXIT_1', ''],
];

it.each(FAILURES)('the next action for %s (%s, %s) is not a command that an action does', (kind, code, text) => {
  const action = recommendedActionFor(kind, { code, message: text }, text);
  expect(action.description).not.toMatch(COMMAND);
  if (action.actionKind === 'RunCommand') expect(action.command).not.toMatch(COMMAND);
  if (action.actionKind === 'CallTool') {
    const tool = TOOLS.find(({ name }) => name === action.toolName)!;
    expect(Object.keys(tool.actions)).toContain(action.arguments.action);
  }
});
